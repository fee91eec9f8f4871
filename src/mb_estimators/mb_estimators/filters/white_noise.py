"""Filters that take the accelerations of their model to be disturbed by white noise."""

from dataclasses import dataclass

from mb_estimators.filters.independent import IndependentFilter
from mb_estimators.filters.model_filter import ModelFilterSettings
from mb_model.settings import setting


@dataclass(frozen=True)
class WhiteNoiseSettings(ModelFilterSettings):
    """What all filters with the states z, zd can be told."""

    acceleration_psd: float = setting(
        9.162e-2, unit='rad^2/s^3', above=0.0,
        help='Power spectral density of the noise of the independent accelerations')


class WhiteNoiseFilter(IndependentFilter):
    """A filter with the states z, zd; a plugin adds its settings and its step."""

    def _set_plant_noise(self, record):
        record['acceleration_psd'][:self._g] = self.settings.acceleration_psd
