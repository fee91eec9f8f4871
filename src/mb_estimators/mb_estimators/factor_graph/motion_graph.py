"""The graph of a motion with readings: makes its factors."""

import gtsam
import numpy as np

from mb_estimators.factor_graph.factor import factor
from mb_estimators.factor_graph.losses import SQUARE, with_loss
from mb_estimators.factor_graph.motion_step import deviations, read, step
from mb_estimators.records.parameter import AUGMENTED
from mb_model.jit import resized, sizes_of
from mb_model.record import PARAMETER

_NOTHING = np.empty(0)


class MotionGraph:
    """Factors of a mechanism and its sensors, over the nodes of motion_node and one of parameters.

    They have a workspace of their own, and, with parameters, a model of their own.
    """

    def __init__(self, mechanism, channels, record, node, settings, parameters=None):
        """Set up.

        channels: measurement records; record: FILTER array of the filter whose sensors and noises
        these are; node: see motion_node; settings: LossSettings and more; parameters: Parameters,
        or None.
        """
        self._mechanism, self._channels = mechanism, channels
        self._node, self._settings = node, settings
        self._models = mechanism.model if parameters is None else mechanism.model.copy()
        self._works = mechanism.workspace()
        more = 0 if parameters is None else len(parameters.names)
        self._filters = resized(record, states=node.size + more)
        self._filters['motion'], self._filters['states'] = node['bias'].start, node.size
        if parameters is None:
            self._parameters = PARAMETER.new(0, effects=0)
            self._estimated = AUGMENTED.of(sizes_of(mechanism.model) | {'parameters': 0})
        else:
            self._parameters, self._estimated = parameters.records, parameters.estimated
            self._estimated['first'] = node.size
            parameters.restart(self._models, self._works)

    def expect(self, variances):
        """Set the variances (channels) of the noise of readings from now on."""
        self._filters['sensor_variance'][0, :len(variances)] = variances

    def step(self, keys, h, inputs, near, weights, noises):
        """Return the factor of a step of h [s] between two nodes, also of the parameters.

        keys: of both, and of the parameters where there are; inputs (g): known forces; near (2, n):
        positions on the branch, which the factor keeps; weights (g, g): M_bar^-1 for the walk of
        forces; noises: (acceleration_psd, acceleration_walk, bias_walk), see
        motion_step.deviations.
        """
        noise = gtsam.noiseModel.Diagonal.Sigmas(
            deviations(self._node, h, *noises))
        fixed = (self._models, self._works, self._filters)
        more = (inputs, near, self._parameters, self._estimated, weights, h)

        def error(a, b, s, e, J_a, J_b, J_s):
            return step(*fixed, a, b, s, *more, e, J_a, J_b, J_s)

        return self._factor(noise, keys, error, 2)

    def readings(self, keys, readings, inputs, near, ahead=0.0):
        """Return the factors of readings (channels), NaN where there is none.

        keys: of the node, and of the parameters where there are; ahead [s]: how long after the node
        the readings are of; near (1, n): as in step.  One factor, with a robust loss one for each
        channel: one that is far off says nothing about the others.
        """
        present = np.flatnonzero(np.isfinite(readings))
        groups = [present] if self._settings.loss == SQUARE else present[:, np.newaxis]
        return [self._reading(keys, readings, group, inputs, near.copy(), ahead)
                for group in groups]

    def _reading(self, keys, readings, group, inputs, near, ahead):
        chosen = np.full(len(readings), np.nan)
        chosen[group] = readings[group]
        variances = self._filters['sensor_variance'][0, group]
        noise = with_loss(gtsam.noiseModel.Diagonal.Sigmas(np.sqrt(variances)), self._settings)
        fixed = (self._models, self._works, self._channels, self._filters)
        more = (inputs, near, ahead, self._parameters, self._estimated, chosen)

        def error(a, s, e, J_a, J_s):
            return read(*fixed, a, s, *more, e, J_a, J_s)

        return self._factor(noise, keys, error, 1)

    def _factor(self, noise, keys, error, nodes):
        """Return a factor between nodes, and the parameters if there are any."""
        sizes = nodes * [self._node.size]
        if len(self._parameters):
            return factor(noise, keys, error, [*sizes, len(self._parameters)])
        nothing = np.empty((noise.dim(), 0))

        def without_parameters(*arguments):
            vectors, (e, *jacobians) = arguments[:nodes], arguments[nodes:]
            return error(*vectors, _NOTHING, e, *jacobians, nothing)

        return factor(noise, keys, without_parameters, sizes)
