"""interacting_models: filters of variants of the model, between which the machine switches."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.bank import FilterBank, hypotheses
from mb_estimators.filters.mixture import moments
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_model import setting

_MOST = 16


@dataclass(frozen=True)
class InteractingModelsSettings(WhiteNoiseSettings, ModelFilterSettings):
    """Interacting multiple models: stick or slip, contact or none, with a load or without."""

    parameters: tuple[str, ...] = setting(
        ('gravity.y',),
        help='Numbers of the mechanism file in which the models differ: paths such as '
             'forces.stop.stiffness, or names of its parameters')
    modes: tuple[float, ...] = setting(
        (0.0, 0.1),
        help='What is added to the parameters in each model, one model after the other, as shares '
             'of their values in the file (-1: the parameter is 0); of what is 0 there, in its '
             'unit')
    dwell_time: float = setting(
        1.0, unit='s', above=0.0,
        help='How long a model is the right one, in the mean, before another one is')


class InteractingModels(FilterBank):
    """The interacting multiple model filter (Blom and Bar-Shalom 1988) around error_ekf_ej.

    Estimates have the parameters as the mean of the models has them.
    """

    Settings = InteractingModelsSettings

    def _hypotheses(self):
        settings, names, count = (self.settings, self.settings.parameters,
                                  len(self.settings.parameters))
        given = len(settings.modes)
        if not count or given % count or not 1 <= given // count <= _MOST:
            raise FilterError(f'modes: {given} values, expected as many for each of '
                              f'1 to {_MOST} models as there are parameters ({count})')
        bank = hypotheses(given // count, self)
        start = bank[0].parameters(names).records['value'].copy()
        shares = np.reshape(settings.modes, (-1, count))
        self._values = start + np.where(start == 0.0, 1.0, start) * shares
        for one, values in zip(bank, self._values, strict=True):
            own = one.parameters(names)
            own.estimated['start'][0, :count] = values
            one.take_parameters(own)
        return bank, [
            ', '.join(f'{name} {value:.4g}' for name, value in zip(names, values, strict=True))
            for values in self._values]

    def _step(self, dt: float) -> bool:
        return self._mix(dt) and super()._step(dt)

    def _mix(self, dt: float):
        """Let each filter begin at the mean of all, by what the machine may have switched from."""
        count = len(self._bank)
        if count == 1:
            return True
        left = np.exp(-dt / self.settings.dwell_time * count / (count - 1))
        change = (1.0 - left) / count + left * np.eye(count)
        expected = self._chances @ change
        starts = [self.mixture.of(self._chances * change[:, k] / expected[k], self._bank)
                  for k in range(count)]
        self._chances[:] = expected
        return all(one.move_to(mean) for one, mean in zip(self._bank, starts, strict=True))

    def _further_estimates(self) -> dict[str, Any]:
        mean, spread = moments(self._chances, self._values, np.zeros(
            (len(self._values), *2 * self._values.shape[1:])))
        return super()._further_estimates() | {
            'parameters': dict(zip(self.settings.parameters, mean.tolist(), strict=True)),
            'parameter_covariance': spread}
