"""The motion of the last moments by all readings of them: what filters with a window share."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.factor_graph.motion_graph import MotionGraph
from mb_estimators.factor_graph.nodes import motion_node
from mb_estimators.factor_graph.smoother_state import adopt, assess_readings, predict
from mb_estimators.factor_graph.whole import smooth_whole
from mb_estimators.factor_graph.window import SAME, Instant, Window
from mb_estimators.filter import DivergenceError, ImpossibleReadingError, NotConvergedError
from mb_estimators.filter.layout import Block
from mb_estimators.filters.estimated_force import acceleration_variances
from mb_estimators.filters.parameters import STILL, EstimatesParameters, Parameters
from mb_estimators.filters.start import StartNear
from mb_estimators.kernels.correction import CORRECTED, IMPOSSIBLE
from mb_estimators.kernels.parameters import use_parameter_values
from mb_estimators.records.parameter import AUGMENTED
from mb_estimators.state import words_of
from mb_model.arrays import FloatArray
from mb_model.jit import sizes_of

_UNSOLVABLE = ('the graph of the last moments cannot be solved in double precision: its steps are '
               'all but certain beside unknown forces of this size; expected a larger '
               'acceleration_psd, or longer steps')


class MotionWindow(StartNear, EstimatesParameters):
    """Of filters with a Window of a graph around the model, which are ForceFilters.

    Nodes: z, zd, unknown forces on z, biases, parameters; each prediction is a step to a new one.
    error_ekf_fe predicts and judges readings, from the newest node and its marginal covariance.
    Orientations of a node count from where the prediction has them, for as long as it is there;
    the model has the reference of the newest one.
    """

    takes_rotations = takes_mountings = False
    _follows_late = True

    def _wanted(self) -> Parameters:
        """Return the parameters that are estimated; there may be none."""
        return Parameters(self.mechanism, self.settings, AUGMENTED,
                          sizes_of(self.mechanism.model), optional=True)

    def _further_blocks(self) -> tuple[Block, ...]:
        self._parameters = self._wanted()
        self._augmented = bool(self._parameters.names)
        return (self._parameters.block,) if self._augmented else ()

    def _prepare(self) -> None:
        super()._prepare()
        mechanism, settings = self.mechanism, self.settings
        biases = list(self._biases.values())
        self._node = motion_node(mechanism, self.layout)
        self._graph = MotionGraph(mechanism, self._channels, self._filters, self._node, settings,
                                  self._orientations,
                                  self._wanted() if self._augmented else None)
        self._noises = (
            np.full(self._g, settings.acceleration_psd),
            acceleration_variances(mechanism, settings, settings.acceleration_variance) / self.dt,
            np.array([max(b.bias_walk ** 2, STILL * b.bias_sigma ** 2) for b in biases]))

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g) without a force; see ModelFilter.reset."""
        if self._augmented:
            self._parameters.restart(self._models, self._works)
        super().reset(z, zd, covariance)
        self._open_window()

    def rebuild(self):
        """Go on from the state without the moments before it: the graph begins anew."""
        self._open_window()

    def _open_window(self, keep: bool = False):
        """Begin the graph with the present state and its covariance as the prior."""
        self._inputs = self._forces_on_z - self._force
        self._window = Window(
            self.settings, self._node, Instant.first(
                float(self._work['t']), self._position(), self._inputs),
            self._present(), self._prior_covariance(), keep, self._bounded())
        self._solved, self._doubt = False, ''

    @property
    def doubt(self) -> str:
        """See filter.Doubting: why the window has begun anew at the last readings."""
        return self._doubt

    def keep_all(self):
        """Keep all nodes and factors from now on, in the Whole that is returned."""
        self._open_window(keep=True)
        return self._window.whole

    def smooth_all(self, recording, dt: float, progress: bool = False):
        """See smooth_whole."""
        return smooth_whole(self, recording, dt, self.settings.iterations, progress)

    def graph_without_forces(self, settings: Any):
        """Return the MotionGraph of the same readings without forces, and its node.

        settings: LossSettings.
        """
        node = motion_node(self.mechanism, self.layout, forces=False)
        return MotionGraph(self.mechanism, self._channels, self._filters, node, settings,
                           self._orientations), node

    @property
    def node(self):
        """The Layout of the nodes of its graph."""
        return self._node

    @property
    def bias_growth(self):
        """Growth of the variances of the biases per time (b)."""
        return self._noises[2]

    def _position(self):
        """Return the position, with the references of its orientations (n_total)."""
        return self._work['q'][:int(self._models['n_total'][0])].copy()

    def _present(self):
        """Return the present state as the vector of a node."""
        vector, work, g = np.empty(self._node.size), self._work, self._g
        values = {'position': work['z'][:g], 'velocity': work['zd'][:g], 'force': self._force,
                  'bias': self._filter['bias'][:len(self._biases)],
                  'parameter': self._s()}
        for name, part in self._node.parts(vector).items():
            part[:] = values[name]
        return vector

    def _s(self):
        """Return the numbers of the parameters (p)."""
        return self._parameters.estimated[0]['s'][:len(self._parameters.names)]

    def _prior_covariance(self):
        """Return the covariance of the present state, as of a node."""
        return self._scaled(self.state_covariance, self._work['M_bar'])

    def _scaled(self, covariance: FloatArray, by: FloatArray):
        """Return a covariance of the states with forces for errors of zdd (by M_bar), or back."""
        forces, transform = self._node['force'], np.eye(len(covariance))
        transform[forces, forces] = by[:self._g, :self._g]
        return transform @ covariance @ transform.T

    def _inverse_inertia(self):
        g = self._g
        return np.linalg.inv(self._work['M_bar'][:g, :g])

    def _step(self, dt: float) -> bool:
        last = self._window.newest
        self._inputs = self._forces_on_z.copy()
        self._forces_on_z += self._force
        if not predict(self._models, self._works, self._filters, dt):
            return False
        if self._turns:
            self._follow()
        new = Instant(last.key + 1, last.time + dt, self._position(), self._inputs, self._inputs)
        self._window.step_to(new, self._present(), self._graph.step(
            (last.key, new.key), last.time, dt, self._inputs,
            np.array([last.position, new.position]), self._inverse_inertia(), self._noises),
            *self._of_node(new.key))
        self._solved = False
        return True

    def act(self, inputs: ArrayLike | None) -> None:
        """See ModelFilter.act; the node of then has these forces, its step their mean."""
        super().act(inputs)
        self._inputs = self._forces_on_z - self._force
        self._window.act(self._inputs)

    def _bounded(self):
        """Return index -> change of variables with bounds, see Window."""
        return {}

    def _of_node(self, key: int):
        """Return further factors of a new node."""
        return ()

    def _why_anew(self):
        """Return what may have kept the window from being solved, in words."""
        return ''

    def assess(self, readings: FloatArray):
        """Return how readings would fit, without taking them in; see filter.Assessing."""
        self._require_corrected(assess_readings(
            self._models, self._works, self._channels, self._filters, readings))
        return self._last_innovation()

    def _correct(self, readings: FloatArray) -> int:
        self._doubt = ''
        status = assess_readings(self._models, self._works, self._channels, self._filters, readings)
        count = int(self._filter['count'])
        if status != CORRECTED or count == 0:
            return status
        credible = np.full(len(readings), np.nan)
        present = self._filter['present'][:count]
        credible[present] = readings[present]
        return self._take_in(self._window.newest, credible, 0.0)

    def correct_late(self, ago: float, readings: FloatArray):
        """Take in readings (channels, NaN where there is none) of `ago` [s] before the present.

        Returns whether they are still within the lag.  Raises as correct does.
        """
        self._doubt = ''
        time = self._window.newest.time - ago
        at = self._window.at(time)
        if at is None:
            return False
        self._require_corrected(
            self._take_in(at, np.asarray(readings, float), max(0.0, time - at.time)))
        return True

    def _take_in(self, instant: Instant, readings: FloatArray, ahead: float):
        """Add readings to the graph, solve it, go to its newest node; return how it went."""
        ahead = 0.0 if ahead < SAME else ahead
        self._graph.expect(self._filter['sensor_variance'][:len(readings)])
        factors = self._graph.readings(
            (instant.key,), instant.time, readings, instant.inputs,
            instant.position[np.newaxis], ahead)
        try:
            node, covariance = self._solve(instant, factors)
        except RuntimeError as error:       # of GTSAM
            raise DivergenceError(_UNSOLVABLE) from error
        words = words_of(self._works)
        before, s = words.copy(), self._s().copy()
        self._use_parameters(node[self._node['parameter']])
        if not adopt(self._models, self._works, self._filters, node, self._inputs,
                     self._position()):
            self._use_parameters(s)
            words[:] = before
            self._window.restart(self._present(), self._prior_covariance())
            return IMPOSSIBLE
        self._window.keep(factors, node)
        self._solved = True
        size = self._node.size
        self._filter['P'][:size, :size] = self._scaled(covariance, self._inverse_inertia())
        return CORRECTED

    def _use_parameters(self, s: FloatArray):
        """Give the model the parameters of numbers s (p)."""
        if self._augmented:
            use_parameter_values(self._models, self._works, self._parameters.records,
                                 self._parameters.estimated, s)

    def _further_estimates(self) -> dict[str, Any]:
        further, span = super()._further_estimates(), self._node['parameter']
        return further | (self._parameters.estimate(self._filter['P'][span, span])
                          if self._augmented else {})

    def _solve(self, instant: Instant, factors: Any):
        """Solve the window with factors of an Instant; return vector and covariance of the newest.

        Where it is not solved, it begins anew at the prediction, with the factors if they are of
        the newest Instant.  Raises ImpossibleReadingError, and RuntimeError as Window.solve.
        """
        try:
            return self._window.solve(factors)
        except NotConvergedError as error:
            again = instant.key == self._window.newest.key and len(self._window.instants) > 1
            self._doubt = f'has begun its window anew{self._why_anew()}: {error}'
            self._window.restart(self._present(), self._prior_covariance())
            if not again:
                raise ImpossibleReadingError(f'{error}; the readings are left out') from error
        return self._solve(instant, factors)

    @property
    def smoothed(self):
        """The oldest open instant: how long ago it was [s], and its Estimate by all readings."""
        if not self._solved:
            self._window.solve()
            self._solved = True
        oldest = self._window.oldest
        return (self._window.newest.time - oldest.time,
                self.estimate_of(oldest, *self._window.node(oldest)))

    def estimate_of(self, instant: Instant, vector: FloatArray, covariance: FloatArray):
        """Return the Estimate of a node."""
        return self.play.widened(
            self._graph.estimate(instant, vector, covariance, list(self._biases)))

    def __getstate__(self):
        return {name: value for name, value in super().__getstate__().items() if name != '_window'}

    def __setstate__(self, state):
        vars(self).update(state)
        self._open_window()      # from the present estimate: GTSAM's graphs cannot be copied
