"""Settings that filters around a model share; each filter derives its own from some of them."""

from dataclasses import dataclass
from typing import Any

from mb_model import Settings, setting


def machine_noise(default: float, *, unit: str, grows: float, help: str) -> Any:
    """Describe a noise whose default is larger for fast machines, see filters.machine_noise.

    grows: power of their accelerations that it grows with.
    """
    return setting(default, unit=unit, above=0.0, grows=grows,
                   help=f'{help}. The default is larger for fast machines')


@dataclass(frozen=True)
class ModelFilterSettings(Settings):
    """Of all filters around a model."""

    initial_variance: float = setting(
        7.6e-3, unit='rad^2', above=0.0, help='Initial variance of every state')
    gate: float = setting(
        30.0, at_least=0.0,
        help='Readings farther from the prediction than so many standard deviations are left out; '
             '0 leaves none out')


@dataclass(frozen=True)
class WhiteNoiseSettings(Settings):
    """Of filters that take the accelerations of their model to be disturbed by white noise."""

    acceleration_psd: float = machine_noise(
        9.162e-2, unit='rad^2/s^3', grows=1.0,
        help='Power spectral density of the noise of the independent accelerations')


@dataclass(frozen=True)
class CoordinateNoiseSettings(Settings):
    """Of filters with WhiteNoiseSettings, too, for each degree of freedom its own."""

    coordinate_psds: tuple[float, ...] = setting(
        (), unit='rad^2/s^3', above=0.0,
        help='Densities of the independent coordinates, one each, in place of acceleration_psd')


@dataclass(frozen=True)
class FormSettings(Settings):
    """Of filters with two forms, which have the same estimates."""

    form: str = setting(
        'error', choices=('error', 'direct'),
        help='What the states are: errors of the motion of the model, zero after every '
             'correction, or that motion itself (Rodriguez et al. 2023, Sec. 7.4); the estimates '
             'are the same')
