"""fixed_lag_smoother: the motion of the last moments by all readings of them, also late ones."""

from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import gtsam
import numpy as np

from mb_estimators.factor_graph.batch import Covariances, solve
from mb_estimators.factor_graph.losses import LossSettings
from mb_estimators.factor_graph.motion_graph import MotionGraph
from mb_estimators.factor_graph.node_estimate import node_estimate
from mb_estimators.factor_graph.nodes import MotionNode
from mb_estimators.factor_graph.smoother_state import adopt, assess_readings, predict
from mb_estimators.filter import ImpossibleReadingError
from mb_estimators.filters.error_ekf_fe import ErrorEkfFe, ErrorEkfFeSettings
from mb_estimators.inputs import HeldInputs
from mb_estimators.kernels.correction import CORRECTED, IMPOSSIBLE, NOT_POSITIVE
from mb_estimators.steps import predict_between
from mb_model.settings import setting

_STILL = 1e-12       # growth per second of what does not walk, of its variance at the start
_SAME = 1e-9         # two instants are one [s]
_LETTER = 'x'        # of the keys of nodes
_VELOCITY_TIME = 0.1      # s


@dataclass(frozen=True)
class FixedLagSmootherSettings(LossSettings, ErrorEkfFeSettings):
    """Factor graph over the last moments: readings also correct what was before them."""

    lag: float = setting(
        0.1, unit='s', above=0.0,
        help='How long instants stay open: late readings as old as this are used, and the smoothed '
             'estimate is as far behind')
    acceleration_psd: float = setting(
        1e-6, unit='rad^2/s^3', above=0.0,
        help='Power spectral density of the noise of the independent accelerations beside the '
             'force: errors of the steps, which must not count as certain')
    relinearise: float = setting(
        1e-2, unit='rad', above=0.0,
        help='Change of a position, or of a velocity over 0.1 s, from which on the factors of an '
             'instant are linearised anew')


class Instant(NamedTuple):
    """A node of the graph: its key, time since the start [s], position (n) and known forces (g)."""

    key: int
    time: float
    position: np.ndarray
    inputs: np.ndarray


class FixedLagSmoother(ErrorEkfFe):
    """An incremental fixed-lag smoother of GTSAM (Kaess et al. 2012) around the model.

    Nodes: z, zd, unknown forces on z, biases; each prediction is a step to a new one.  error_ekf_fe
    predicts and judges readings, from the newest node and its marginal covariance.
    """

    Settings = FixedLagSmootherSettings

    def _set_up(self, record):
        super()._set_up(record)
        biases = list(self._biases.values())
        self._node = MotionNode.of(self.mechanism, len(biases))
        self._graph = MotionGraph(
            self.mechanism, self._channels, self._filters, self._node, self.settings)
        self._noises = (
            np.full(self._g, self.settings.acceleration_psd),
            np.full(self._g, self.settings.acceleration_variance / self.dt),
            np.array([max(b.bias_walk ** 2, _STILL * b.bias_sigma ** 2) for b in biases]))
        self._kept = None

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g) without a force; see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        self._open_window()

    def keep_all(self):
        """Keep all nodes and factors from now on: `graph` and `values`."""
        self._kept = gtsam.NonlinearFactorGraph(), gtsam.Values()
        self._open_window()

    @property
    def kept(self):
        """All factors, estimates and Instants of nodes since keep_all."""
        return *self._kept, self._all_instants

    def smooth_all(self, recording, dt):
        """Return the Estimates at the stamps of a Recording: as of a filter, and by all readings.

        The window passes over the recording, which begins at the present; then the whole graph is
        solved from there.  dt: longest step of the model [s].  Raises DivergenceError.
        """
        passed = []
        places = self.pass_over(recording, dt, lambda: passed.append(self.estimate))
        graph, values, instants = self.kept
        solved = solve(graph, values)
        covariances = Covariances(graph, solved)
        return passed, [self._estimate_of(instants[place], solved.atVector(instants[place].key),
                                          covariances.of(instants[place].key))
                        for place in places]

    def pass_over(self, recording, dt, each=lambda: None):
        """Let the window pass over a Recording, as smooth_all; everything is in `kept` then.

        each: called at every stamp.  Returns place of the instant -> its readings (channels).
        """
        self.keep_all()
        inputs, places = recording.inputs or HeldInputs(), {}
        for k, stamp in enumerate(recording.stamps):
            if k > 0:
                predict_between(self, int(recording.stamps[k - 1]), int(stamp), dt, inputs)
            with suppress(ImpossibleReadingError):
                self.correct(recording.readings[k])
            each()
            places[len(self._all_instants) - 1] = recording.readings[k]
        return places

    def graph_of_parameters(self, settings, parameters):
        """Return the MotionGraph of the same readings without forces, with Parameters.

        settings: LossSettings.
        """
        node = MotionNode.of(self.mechanism, len(self._biases), forces=False)
        return MotionGraph(
            self.mechanism, self._channels, self._filters, node, settings, parameters)

    @property
    def bias_sigmas(self):
        """Standard deviations of the biases before any reading (b)."""
        return np.array([bias.bias_sigma for bias in self._biases.values()])

    @property
    def bias_growth(self):
        """Growth of the variances of the biases per time (b)."""
        return self._noises[2]

    def _estimate_of(self, instant, vector, covariance):
        """Return the Estimate of a node."""
        return node_estimate(self.mechanism, self._node, vector, covariance, instant.position,
                             instant.inputs, list(self._biases))

    def _open_window(self):
        """Begin the graph with the present state and its covariance as the prior."""
        parameters = gtsam.ISAM2Params()
        parameters.setRelinearizeThreshold(self._thresholds())
        parameters.relinearizeSkip = 1
        parameters.setFactorization('QR')      # Cholesky would lose readings beside certain steps
        self._smoother = gtsam.IncrementalFixedLagSmoother(
            self.settings.lag + 2.0 * _SAME, parameters)
        self._inputs = np.zeros(self._g)
        first = Instant(gtsam.symbol(_LETTER, 0), 0.0, self._position(), self._inputs)
        self._instants, self._all_instants = deque([first]), [first]
        self._forget_new()
        self._insert(first)
        covariance = self._scaled(self.state_covariance, self._work['M_bar'])
        self._add(gtsam.PriorFactorVector(
            first.key, self._present(), gtsam.noiseModel.Gaussian.Covariance(covariance)))

    def _thresholds(self):
        """Return the changes of a node from which on its factors are linearised anew.

        Forces and biases act linearly, on accelerations and readings.
        """
        change, g, thresholds = self.settings.relinearise, self._g, gtsam.ISAM2ThresholdMap()
        rest = np.full(self._node.size - 2 * g, np.inf)
        thresholds.insert((_LETTER, np.concatenate([
            np.full(g, change), np.full(g, change / _VELOCITY_TIME), rest])))
        return thresholds

    def _forget_new(self):
        """Begin anew to gather what the graph does not have yet."""
        self._new_factors, self._new_values = gtsam.NonlinearFactorGraph(), gtsam.Values()
        self._new_times = {}

    def _position(self):
        return self._work['q'][:self._n].copy()

    def _present(self):
        """Return the present state as the vector of a node."""
        record, b = self._filter, len(self._biases)
        return np.concatenate([self._work['z'][:self._g], self._work['zd'][:self._g], self._force,
                               record['bias'][:b]])

    def _scaled(self, covariance, by):
        """Return a covariance of the states with forces for errors of zdd (by M_bar), or back."""
        g, transform = self._g, np.eye(len(covariance))
        transform[2 * g:3 * g, 2 * g:3 * g] = by[:g, :g]
        return transform @ covariance @ transform.T

    def _inverse_inertia(self):
        g = self._g
        return np.linalg.inv(self._work['M_bar'][:g, :g])

    def _insert(self, instant):
        """Add a node at the present state."""
        vector = self._present()
        self._new_values.insert(instant.key, vector)
        self._new_times[instant.key] = instant.time
        if self._kept:
            self._kept[1].insert(instant.key, vector)

    def _add(self, *factors):
        for factor in factors:
            self._new_factors.add(factor)
            if self._kept:
                self._kept[0].add(factor)

    def _step(self, dt):
        last = self._instants[-1]
        self._inputs = self._forces_on_z.copy()
        self._forces_on_z += self._force
        if not predict(self._models, self._works, self._filters, dt):
            return False
        new = Instant(last.key + 1, last.time + dt, self._position(), self._inputs)
        self._instants.append(new)
        if self._kept:
            self._all_instants.append(new)
        self._insert(new)
        self._add(self._graph.step(
            (last.key, new.key), dt, self._inputs, np.array([last.position, new.position]),
            self._inverse_inertia(), self._noises))
        return True

    def _correct(self, models, works, channels, filters, readings):
        status = assess_readings(models, works, channels, filters, readings)
        count = int(self._filter['count'])
        if status != CORRECTED or count == 0:
            return status
        credible = np.full(len(readings), np.nan)
        present = self._filter['present'][:count]
        credible[present] = readings[present]
        return self._take_in(self._instants[-1], credible, 0.0)

    def correct_late(self, ago, readings):
        """Take in readings (channels, NaN where there is none) of `ago` [s] before the present.

        Returns whether they are still within the lag.  Raises as correct does.
        """
        time = self._instants[-1].time - ago
        at = next((one for one in reversed(self._instants) if one.time <= time + _SAME), None)
        if at is None or self._oldest_time() > time + _SAME:
            return False
        self._require_corrected(
            self._take_in(at, np.asarray(readings, float), max(0.0, time - at.time)))
        return True

    def _oldest_time(self):
        return max(self._instants[0].time, self._instants[-1].time - self.settings.lag)

    def _take_in(self, instant, readings, ahead):
        """Add readings to the graph, solve it, go to its newest node; return how it went."""
        ahead = 0.0 if ahead < _SAME else ahead
        self._add(*self._graph.readings(
            (instant.key,), readings, instant.inputs, instant.position[np.newaxis], ahead))
        newest = self._instants[-1]
        try:
            self._smoother.update(self._new_factors, self._new_values, self._new_times)
            node = self._smoother.calculateEstimateVector(newest.key)
            covariance = self._smoother.marginalCovariance(newest.key)
        except RuntimeError:
            return NOT_POSITIVE
        self._forget_new()
        if self._kept:
            self._kept[1].update(newest.key, node)
        while self._instants[0].time < newest.time - self.settings.lag - _SAME:
            self._instants.popleft()
        if not adopt(self._models, self._works, self._filters, node, self._inputs,
                     self._position()):
            return IMPOSSIBLE
        size = self._node.size
        self._filter['P'][:size, :size] = self._scaled(covariance, self._inverse_inertia())
        return CORRECTED

    @property
    def smoothed(self):
        """The oldest open instant: how long ago it was [s], and its Estimate by all readings."""
        if self._new_values.size():
            self._smoother.update(self._new_factors, self._new_values, self._new_times)
            self._forget_new()
        oldest = self._instants[0]
        return self._instants[-1].time - oldest.time, self._estimate_of(
            oldest, self._smoother.calculateEstimateVector(oldest.key),
            self._smoother.marginalCovariance(oldest.key))

    def __getstate__(self):
        gone = ('_smoother', '_new_factors', '_new_values', '_kept', '_instants', '_all_instants')
        return {name: value for name, value in super().__getstate__().items() if name not in gone}

    def __setstate__(self, state):
        super().__setstate__(state)
        self._kept = None
        self._open_window()      # from the present estimate: GTSAM's graphs cannot be copied
