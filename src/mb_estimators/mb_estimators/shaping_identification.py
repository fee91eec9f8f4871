"""Coloured noise of a model, offline, by a true motion: settings of shaping_error_ekf_fe."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from scipy.special import chdtrc, chdtri

from mb_estimators.consistency.normalized import NORMAL_95
from mb_estimators.filter import FilterError
from mb_estimators.recording.recording import Track
from mb_model import Mechanism
from mb_model.arrays import FloatArray

_ENOUGH = 30             # noises
_EVEN = 0.01             # of a step, that instants may be off
_LAGS = 20               # over which what is left must be white
_LEVEL = 0.95            # of intervals
_WHITE = 0.01            # chance of white noise as correlated as this


@dataclass(frozen=True)
class ShapedNoise:
    """Gauss-Markov noise of the accelerations per step, and how certain it is.

    weight: W, what is left of a noise after a step; variance [rad^2/s^4]: of the white noise that a
    step brings in; intervals: of both, with 95 %, by these names; whiteness: chance that white
    noise is as correlated as what is left (p-value of Ljung and Box 1978); dt [s]: the step.
    """

    weight: float
    variance: float
    intervals: dict[str, tuple[float, float]]
    whiteness: float
    dt: float

    @property
    def settings(self) -> dict[str, float]:
        """The settings of shaping_error_ekf_fe that this noise means."""
        return {'acceleration_variance': self.variance,
                'correlation_time': -self.dt / log(self.weight) if self.weight > 0.0 else 0.0}

    @property
    def reservation(self) -> str:
        """Why a Gauss-Markov model does not describe the noise, in words; empty if it does."""
        if self.whiteness >= _WHITE:
            return ''
        return (f'what is left of the noise is not white (p = {self.whiteness:.2g}): no single '
                'correlation time describes it')


def identify_shaping(mechanism: Mechanism, truth: Track, t: FloatArray,
                     forces: Callable[[int], FloatArray] | None = None) -> ShapedNoise:
    """Return the ShapedNoise of a wrong Mechanism by the true motion at instants t (k) [s].

    The model accelerates from each true state; what the truth does beyond changes by the noise of a
    step: omega_k = W omega_k-1 + xi, fitted by least squares over all degrees of freedom.
    forces(k): known ones (g) at instant k.  Missing instants, and rows of the truth that are not
    finite, are gaps.  Source: Rodriguez et al. 2023, Sec. 11.1.  Raises FilterError for instants
    that are not even or too few, MechanismError where the model cannot be.
    """
    dt, apart = _steps(t)
    noise = np.diff(_unexplained(mechanism, truth, forces), axis=0)
    noise[apart > 1] = np.nan
    before, after = noise[:-1], noise[1:]
    known = np.isfinite(before) & np.isfinite(after)
    count = int(known.sum())
    if count < _ENOUGH:
        raise FilterError(f'the true motion is known at {count} pairs of neighbouring steps, '
                          f'expected at least {_ENOUGH}')
    power = float(np.sum(before[known] ** 2))
    weight = float(np.sum(before[known] * after[known])) / power if power > 0.0 else 0.0
    left = np.where(known, after - weight * before, np.nan)
    weight = min(max(weight, 0.0), 1.0 - 1e-9)
    total = float(np.nansum((after - weight * before) ** 2))
    reach = NORMAL_95 * sqrt(max(1.0 - weight ** 2, 1.0 / count) / count)
    most, least = chdtri(count, [0.5 - _LEVEL / 2.0, 0.5 + _LEVEL / 2.0])
    return ShapedNoise(
        weight, total / count,
        {'weight': (max(weight - reach, 0.0), min(weight + reach, 1.0)),
         'variance': (total / float(most), total / float(least))},
        _whiteness(left), dt)


def _steps(t: FloatArray) -> tuple[float, FloatArray]:
    """Return the step dt [s] of instants (k), and how many lie between neighbours (k - 1)."""
    between = np.diff(t)
    dt = float(np.median(between)) if len(between) > _ENOUGH else np.nan
    apart = np.maximum(np.round(between / dt), 1.0)
    if not (np.abs(between - apart * dt) <= _EVEN * dt).all():
        raise FilterError(f'the true motion has {len(t)} instants, '
                          f'{between.min(initial=np.inf):g} to {between.max(initial=0.0):g} s '
                          f'apart: expected more than {_ENOUGH}, evenly spaced but for gaps')
    return dt, apart


def _unexplained(mechanism, truth, forces):
    """Return the true accelerations less the model's at the true states (k, g), NaN in gaps."""
    errors, near = np.full(truth.zdd.shape, np.nan), mechanism.q0
    for k, (z, zd, zdd) in enumerate(zip(truth.z, truth.zd, truth.zdd, strict=True)):
        if np.isfinite([z, zd, zdd]).all():
            near = mechanism.assemble(z, near)
            errors[k] = zdd - mechanism.forward_dynamics(
                z, zd, None if forces is None else forces(k), near)
    return errors


def _whiteness(left: FloatArray) -> float:
    """Return the p-value of the test of Ljung and Box for columns (k, g) with gaps."""
    square, freedom, total = np.nanmean(left ** 2), 0, 0.0
    if not square > 0.0:
        return 1.0
    for column in left.T:
        count = int(np.isfinite(column).sum())
        for lag in range(1, _LAGS + 1):
            products = column[lag:] * column[:-lag]
            seen = products[np.isfinite(products)]
            if len(seen):
                rho = seen.sum() / np.nansum(column ** 2)
                total += count * (count + 2.0) * rho ** 2 / (count - lag)
                freedom += 1
    return float(chdtrc(freedom - 1, total))
