"""The filter of one hypothesis on the machine, among several side by side."""

from collections.abc import Sequence

import numpy as np

from mb_estimators.factor_graph.smoother_state import assess_readings
from mb_estimators.filter import Innovation
from mb_estimators.filters.error_ekf import ErrorEkfEj
from mb_estimators.filters.mixture import AtMean
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.filters.start_near import StartNear
from mb_estimators.kernels.parameters import restart_parameters
from mb_estimators.records.parameter import AUGMENTED
from mb_model.arrays import FloatArray, RecordArray
from mb_model.jit import sizes_of
from mb_sensors.kernel_api import refer_to


class Hypothesis(AtMean, StartNear, ErrorEkfEj):
    """error_ekf_ej, as a FilterBank needs it."""

    @property
    def motion(self) -> RecordArray:
        """The record (1) of the motion it is at."""
        return self._works

    @property
    def vector(self) -> FloatArray:
        """Its z, zd and biases (l)."""
        g = self._g
        return np.concatenate([self._work['z'][:g], self._work['zd'][:g],
                               self._filter['bias'][:len(self._biases)]])

    @property
    def accelerations(self) -> FloatArray:
        """Its zdd (g)."""
        return self._work['zdd'][:self._g]

    def parameters(self, names: Sequence[str]) -> Parameters:
        """Return Parameters of its model that may change.  Raises FilterError for others."""
        found = Parameters(self.mechanism, ParameterSettings(parameters=tuple(names)), AUGMENTED,
                           sizes_of(self._models))
        found.require_constant_positions(self.mechanism)
        return found

    def take_parameters(self, parameters: Parameters) -> None:
        """Believe in parameters of the model from now on, those at their start."""
        self._models = self._models.copy()
        restart_parameters(self._models, self._works, parameters.records, parameters.estimated)

    def judge(self, readings: FloatArray, variances: FloatArray) -> Innovation:
        """Return how readings of sensors with these variances fit, without correcting by them."""
        self._filter['sensor_variance'][:len(readings)] = variances
        referred = readings.copy()
        if self._reads_rotations:
            refer_to(self._channels, self._work['q'], referred)
        self._require_corrected(assess_readings(
            self._models, self._works, self._channels, self._filters, referred))
        return self._last_innovation()
