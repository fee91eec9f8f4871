"""A shaping filter whose plant noise adapts, as Sec. 11.1 of Rodriguez et al. 2023 suggests.

The text holds that the shaping filter might help adaptive filters, which rely on white innovations.
Filters begin with a plant noise 40 times too large, gravity of the model is 1 m/s^2 and its cranks
are pi/16 wrong, 200 Hz, 10 s, no reading at t = 0; medians over noise seeds, in which lost ones
count as infinite errors.  The parts of both filters together adapt the
white noise of the accelerations beside the coloured one; `Adapted` adapts the white noise that
the coloured one comes from, by Eq. (91) of its states.  W begins as the true motion has it.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from benchmarks.cases import LOST, SEEDS, STEP, missing_forces, over_cases, wrong_gravity
from benchmarks.coloured_noise import (
    FIGURES,
    LASTING,
    PLAIN,
    PUBLISHED,
    SHAPING,
    run_figures,
    tuned,
)
from benchmarks.figures import Figure
from mb_estimators import DivergenceError, filter_class
from mb_estimators.kernel_api import (
    AdaptationSettings,
    ColouredNoise,
    ColouredNoiseSettings,
    ExactTransition,
    ForceFilter,
    ForceSettings,
    ModelFilterSettings,
    NoiseAdaptation,
)

SENSORS = {'four_bar': ('crank_encoder', 'coupler_gyro', 'crank_accelerometers'),
           'five_bar': ('coupler_gyros',)}
TOO_LARGE = 40.0
ADAPTIVE = 'adaptive_error_ekf_fe'
WINDOW = 50                             # readings, of Eq. (91)


@dataclass(frozen=True)
class TogetherSettings(AdaptationSettings, ColouredNoiseSettings, ForceSettings,
                       ModelFilterSettings):
    """Of both parts, which share `window`."""


class Together(NoiseAdaptation, ColouredNoise, ExactTransition, ForceFilter):
    """Both parts in one filter: the white noise that adapts is beside the coloured one."""

    Settings = TogetherSettings


class Adapted(filter_class(SHAPING)):
    """The shaping filter whose noise xi adapts by Eq. (91), as long as W is not 0."""

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g) with the variance of the settings."""
        super().reset(z, zd, covariance)
        variance = self._shapings['variance'][0, :self._g]
        if not hasattr(self, '_start_variance'):
            self._start_variance = variance.copy()
        variance[:] = self._start_variance
        self._shares, self._taken = np.tile(variance, (WINDOW, 1)), 0

    def _correct(self, readings):
        status, f, g = super()._correct(readings), self._filter, self._g
        count = int(f['count'])
        if count > 0:
            states = f['motion'] + self._shapings['first'][0] + np.arange(g)
            gain, S = f['gain'][states, :count], f['residual_covariance'][:count, :count]
            variance = self._shapings['variance'][0, :g]
            self._shares[self._taken % WINDOW] = variance + f['dx'][states] ** 2 - np.einsum(
                'ia,ab,ib->i', gain, S, gain)
            self._taken += 1
            variance[:] = np.maximum(abs(self._shares.mean(axis=0)), 1e-6 * self._start_variance)
        return status


VARIANTS = {
    'error_ekf_fe, tuned': (filter_class(PLAIN), 1.0), PLAIN: (filter_class(PLAIN), TOO_LARGE),
    ADAPTIVE: (filter_class(ADAPTIVE), TOO_LARGE),
    'shaping_error_ekf_fe, tuned': (filter_class(SHAPING), 1.0),
    SHAPING: (filter_class(SHAPING), TOO_LARGE),
    'both parts': (Together, TOO_LARGE), 'shaping, xi adapts': (Adapted, TOO_LARGE)}


def measure():
    """Return correlation and errors of every variant with every set of sensors."""
    cases = [(mechanism, sensors, variant) for mechanism, sets in SENSORS.items()
             for sensors, variant in product(sets, VARIANTS)]
    figures = []
    for case, found in over_cases(variant_case, cases).items():
        where = ', '.join(case)
        figures += [Figure(f'{where}: {text}', np.median(found[name]), unit)
                    for name, (text, unit) in FIGURES.items()]
        figures.append(Figure(f'{where}: seeds with which it is lost',
                              np.mean(~(found['position'] < LOST)), ''))
    return figures


def variant_case(mechanism, sensors, variant):
    """Return FIGURES (seeds) of a variant under wrong gravity, infinite where it diverges."""
    experiment, (kind, factor) = wrong_gravity(sensors, mechanism), VARIANTS[variant]
    missing, white = missing_forces(experiment), variant.startswith((PLAIN, ADAPTIVE))
    settings = dict(PUBLISHED[mechanism, PLAIN] if white
                    else tuned(experiment, SHAPING, LASTING))
    settings['acceleration_variance'] *= factor
    rows = []
    for seed in SEEDS:
        filter_ = kind(experiment.mechanism, experiment.sensors, STEP, kind.Settings(**settings))
        try:
            row = run_figures(experiment, filter_, seed, missing, False)
        except DivergenceError:
            row = dict.fromkeys(FIGURES, np.inf)
        rows.append([row[name] for name in FIGURES])
    return dict(zip(FIGURES, np.transpose(rows), strict=True))
