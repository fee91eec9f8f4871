"""What filters whose state is augmented with parameters share."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_estimators.filters.blocks import white_noise_layout
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parameters import Parameters
from mb_estimators.kernels.augmented_steps import correct_augmented
from mb_model import Mechanism
from mb_sensors import Sensor


class Augmented(ModelFilter):
    """A filter with the states z, zd, biases of sensors, and Parameters, which walk randomly."""

    takes_mountings = True

    def __init__(self, mechanism: Mechanism, sensors: Sequence[Sensor], dt: float, settings: Any,
                 parameters: Parameters) -> None:
        """Make workspaces and record.  Raises SensorError."""
        self._parameters = parameters
        super().__init__(mechanism, sensors, dt, settings, white_noise_layout(
            mechanism, sensors, settings, parameters.block))
        self._models = self._models.copy()      # the mechanism's own one stays as it is
        parameters.estimated['first'] = self.layout['parameter'].start

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g) with the parameters of the mechanism; see ModelFilter.reset."""
        self._parameters.restart(self._models, self._works)
        self._hold(None)
        super().reset(z, zd, covariance)

    @property
    def state(self):
        """See ModelFilter.state; also the parameters, and the model that has them."""
        return super().state | {
            'model': self._models, 'parameters': self._parameters.records,
            'estimated': self._parameters.estimated}

    def _hold(self, inputs):
        """Let known forces (g) act on z, by their gains and offsets."""
        known = np.zeros(self._g) if inputs is None else np.asarray(inputs, dtype=float)
        self._forces_on_z[:] = self._parameters.acting(known)

    def _correct(self, readings):
        p = self._parameters
        return correct_augmented(
            self._models, self._works, self._channels, self._filters, p.records, p.estimated,
            readings)

    def _further_estimates(self):
        places = self.layout['parameter']
        return super()._further_estimates() | self._parameters.estimate(
            self._filter['P'][places, places])
