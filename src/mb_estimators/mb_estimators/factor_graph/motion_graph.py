"""The graph of a motion with readings: makes its factors, and estimates of its nodes."""

from collections.abc import Sequence
from typing import Any

import gtsam
import numpy as np

from mb_estimators.factor_graph.factor import SQUARE, factor, with_loss
from mb_estimators.factor_graph.motion_step import deviations, read, stand_at, step
from mb_estimators.filter import DivergenceError, Estimate
from mb_estimators.filter.layout import Layout
from mb_estimators.filter.total_covariance import total_covariance
from mb_estimators.records.parameter import AUGMENTED
from mb_model import Mechanism
from mb_model.arrays import FloatArray, RecordArray
from mb_model.jit import resized, sizes_of
from mb_model.kernel_api import new_moves
from mb_model.record import PARAMETER


def node_estimate(models: RecordArray, works: RecordArray, orientations: Any, node: Layout,
                  vector: FloatArray, covariance: FloatArray, biases: Sequence[str], further):
    """Return the Estimate of a node of motion_node.

    works: the workspace of a model that stands at it, see motion_step.stand_at; orientations: of
    the mechanism, see filters.orientations; vector, covariance: its variables and their marginal
    covariance; biases: names of their channels; further: what else an Estimate says, by field.
    """
    g, n, work = int(models['g'][0]), int(models['n'][0]), works[0]
    values = tuple(work[name][:size].copy() for name, size in zip(
        ('z', 'zd', 'zdd', 'q', 'qd', 'qdd'), 3 * (g,) + 3 * (n,), strict=True))
    deviations = np.sqrt(np.diagonal(covariance))
    if biases:
        further = further | {
            name: dict(zip(biases, array[node['bias']].tolist(), strict=True))
            for name, array in (('biases', vector), ('bias_deviations', deviations))}
    motion = slice(0, node['bias'].start)
    forces = ()
    of_motion = covariance[motion, motion]
    if node.count('force'):
        of_motion = _of_motion(g, of_motion, work)
        forces = vector[node['force']], deviations[node['force']]
    if orientations.independent:
        values, of_motion = orientations.in_bodies(models, works, of_motion, values)
        values = tuple(view.copy() for view in values)
    return Estimate(*values, of_motion, *forces, **further)


def _of_motion(g: int, covariance: FloatArray, work: Any):
    """Return the covariance of z, zd, zdd from the covariance of z, zd, forces."""
    transform = np.eye(3 * g)
    transform[2 * g:, 2 * g:] = work['zdd_force'][:g, :g]
    return total_covariance(transform @ covariance @ transform.T, work['A'][:g, :g],
                            work['B'][:g, :g])


_NOTHING = np.empty(0)


class MotionGraph:
    """Factors of a mechanism and its sensors, over the nodes of motion_node.

    Parameters are in each node, if that has a block of them.  The factors have a workspace of
    their own, and, with parameters, a model of their own.
    """

    def __init__(self, mechanism: Mechanism, channels: RecordArray, record: RecordArray,
                 node: Layout, settings: Any, orientations: Any, parameters: Any = None):
        """Set up.

        channels: measurement records; record: FILTER array of the filter whose sensors and noises
        these are; node: see motion_node; settings: LossSettings and more; orientations:
        Orientations of the mechanism; parameters: Parameters, or None.
        """
        self._mechanism, self._channels = mechanism, channels
        self._node, self._settings = node, settings
        self._models = mechanism.model if parameters is None else mechanism.model.copy()
        self._works = mechanism.workspace()
        self._orientations, self._moves = orientations, new_moves(self._models)
        self._own = node['parameter']
        self._states = self._own.start          # before the parameters
        more = 0 if parameters is None else len(parameters.names)
        self._filters = resized(record, states=self._states + more)
        self._filters['motion'], self._filters['states'] = node['bias'].start, self._states
        self._all_parameters = parameters
        self._walk = parameters.walks if node.count('parameter') else np.empty(0)
        if parameters is None:
            self._parameters = PARAMETER.new(0, effects=0)
            self._estimated = AUGMENTED.of(sizes_of(mechanism.model) | {'parameters': 0})
        else:
            self._parameters, self._estimated = parameters.records, parameters.estimated
            self._estimated['first'] = self._states
            parameters.restart(self._models, self._works)

    def expect(self, variances: FloatArray):
        """Set the variances (channels) of the noise of readings from now on."""
        self._filters['sensor_variance'][0, :len(variances)] = variances

    def prior(self, key: int, start):
        """Return the factor of a node at rest of forces and biases, by the variances of nodes.

        start: its vector, whose orientations are where their references are.
        """
        variances, motion = self._node.variances, slice(0, 2 * self._mechanism.g)
        noise = gtsam.noiseModel.Diagonal.Variances(variances)
        if self._orientations.independent:
            covariance, zd = np.diag(variances), start[self._node['velocity']]
            covariance[motion, motion] = self._orientations.at_references(
                covariance[motion, motion], zd, np.zeros_like(zd), motion.stop)
            noise = gtsam.noiseModel.Gaussian.Covariance(covariance)
        return gtsam.PriorFactorVector(key, start, noise)

    def step(self, keys, t, h, inputs, near, weights, noises):
        """Return the factor of a step of h [s] between two nodes, also of the parameters.

        keys: of both; t [s]: the first one's time; inputs (g): known forces; near (2, n_total):
        positions on the branch, kept by the factor; weights (g, g): M_bar^-1 for the walk of
        forces; noises: (acceleration_psd, acceleration_walk, bias_walk), see
        motion_step.deviations.
        """
        noise = gtsam.noiseModel.Diagonal.Sigmas(np.concatenate([
            deviations(self._node, h, *noises), np.sqrt(self._walk * h)]))
        fixed = (self._models, self._works, self._filters)
        more = (inputs, np.vstack([near, near[1:]]), self._moves, self._orientations.indices,
                self._parameters, self._estimated, weights, t, h)

        def error(a, b, s, e, J_a, J_b, J_s):
            return step(*fixed, a, b, s, *more, e, J_a, J_b, J_s)

        return self._factor(noise, keys, error, 2)

    def readings(self, keys: Sequence[int], t: float, readings: FloatArray, inputs: FloatArray,
                 near: FloatArray, ahead: float = 0.0):
        """Return the factors of readings (channels), NaN where there is none.

        keys: of the node; t [s]: the node's time; ahead [s]: how long after it the readings are
        of; near (1, n_total): as in step.  One factor, with a robust loss one for each channel:
        one that is far off says nothing about the others.
        """
        present = np.flatnonzero(np.isfinite(readings))
        groups = [present] if self._settings.loss == SQUARE else present[:, np.newaxis]
        return [self._reading(keys, t, readings, group, inputs, near.copy(), ahead)
                for group in groups]

    def _reading(self, keys: Sequence[int], t: float, readings: FloatArray, group,
                 inputs: FloatArray, near: FloatArray, ahead: float):
        chosen = np.full(len(readings), np.nan)
        chosen[group] = readings[group]
        variances = self._filters['sensor_variance'][0, group]
        noise = with_loss(gtsam.noiseModel.Diagonal.Sigmas(np.sqrt(variances)), self._settings)
        fixed = (self._models, self._works, self._channels, self._filters)
        more = (t, inputs, near, ahead, self._parameters, self._estimated, chosen)

        def error(a, s, e, J_a, J_s):
            return read(*fixed, a, s, *more, e, J_a, J_s)

        return self._factor(noise, keys, error, 1)

    def _factor(self, noise, keys: Sequence[int], error, nodes):
        """Return a factor between nodes, by the parameters in them if there are any."""
        if not len(self._parameters):
            error = _without(error, np.empty((noise.dim(), 0)))
        else:
            error = _of_first(error, nodes, noise.dim(), self._own)
        return factor(noise, keys, error, nodes * [self._node.size])

    def estimate(self, instant: Any, vector: FloatArray, covariance: FloatArray,
                 biases: Sequence[str]):
        """Return the Estimate of a node at an Instant; biases: names of their channels.

        Raises DivergenceError where the mechanism has no such position.
        """
        s = vector[self._own]
        forces = self._node['force']
        if not stand_at(self._models, self._works, vector, s, instant.time,
                        forces.start if self._node.count('force') else -1, instant.inputs,
                        instant.position.copy(), self._parameters, self._estimated):
            raise DivergenceError(f'no position of the node at t = {instant.time:.6g} s')
        estimated = {}
        if self._node.count('parameter'):
            estimated = self._all_parameters.estimate(covariance[self._own, self._own], s)
        return node_estimate(self._models, self._works, self._orientations, self._node, vector,
                             covariance, biases, estimated)


def _without(error, nothing):
    """Return an error without parameters; nothing: its Jacobian by them."""
    def without_parameters(*arguments):
        nodes = (len(arguments) - 1) // 2
        vectors, (e, *jacobians) = arguments[:nodes], arguments[nodes:]
        return error(*vectors, _NOTHING, e, *jacobians, nothing)
    return without_parameters


def _of_first(error, nodes, rows: int, own):
    """Return an error by the parameters in the first of its nodes, then how they walk to the next.

    rows: of all; own: their slice of a node.
    """
    count = own.stop - own.start
    rest = slice(rows - count, rows) if nodes > 1 else slice(rows, rows)
    first, by_parameters = slice(0, rest.start), np.zeros((rest.start, count))

    def with_walk(*arguments):
        vectors, (e, *jacobians) = arguments[:nodes], arguments[nodes:]
        solved = error(*vectors, vectors[0][own], e[first],
                       *(jacobian[first] for jacobian in jacobians), by_parameters)
        jacobians[0][first, own] = by_parameters
        if nodes > 1:
            e[rest] = vectors[1][own] - vectors[0][own]
            jacobians[0][rest, own], jacobians[1][rest, own] = -np.eye(count), np.eye(count)
        return solved
    return with_walk
