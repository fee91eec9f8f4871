"""Friction parameters from samples of velocity, pressures and friction force."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import least_squares, nnls

from mb_contact.friction.law import CYLINDER, FrictionLaw, friction_force
from mb_contact.friction.samples import Doubt, FrictionSamples, doubts
from mb_model import Settings, setting
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import fit_covariance

_TRANSITIONS = 30           # transition velocities that are tried first
_STARTS = 3                 # of these, from which the fit begins
_WEIGHINGS = 3              # passes in which weights follow the slope of the fitted curve
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(5)        # of a normal distribution


@dataclass(frozen=True)
class FrictionFitSettings(Settings):
    """Selection of the samples of friction, and their weights."""

    settling_time: float = setting(
        1.0, unit='s', at_least=0.0, help='Time left out at the start, while the observer '
        'finds the state')
    averaging_time: float = setting(
        0.1, unit='s', at_least=0.0,
        help='Each sample is the mean over this time: about one oscillation of machine and oil')
    largest_acceleration: float = setting(
        0.02, unit='m/s^2', above=0.0,
        help='Samples during which a piston accelerates more are left out: the estimated velocity '
        'lags then')
    block_time: float = setting(
        0.5, unit='s', above=0.0,
        help='Errors farther apart than this are taken to be independent of each other')
    robust_scale: float = setting(
        2.0, above=0.0, help='Residuals beyond so many of their deviations count less')
    still_deviations: float = setting(
        3.0, at_least=0.0, help='A velocity within so many deviations of zero may be of either '
        'sign, and of a piston that sticks: such samples are left out')


@dataclass(frozen=True)
class FrictionFit:
    """Fitted parameters of friction.

    parameters: by the names of its law; deviations (1 sigma): of the fitted ones, by name,
    if the kept ones are right; kept: the others, which keep their known values (of static friction
    its excess over Coulomb friction); samples: used for the fit; residual (k) [N]; doubts: Doubts
    about undetermined parameters; notes: what else the samples say about the law, in sentences.
    """

    parameters: dict[str, float]
    deviations: dict[str, float]
    kept: tuple[str, ...]
    samples: FrictionSamples
    residual: np.ndarray
    doubts: tuple[Doubt, ...]
    law: FrictionLaw = CYLINDER
    notes: tuple[str, ...] = ()

    @property
    def disowned(self) -> tuple[str, ...]:
        """Why the curve as a whole is not to be used, in sentences."""
        reasons = tuple(doubt.text for doubt in self.doubts if doubt.parameter is None)
        if not self.deviations:
            reasons += ('no parameter is determined',)
        return reasons

    def force(self, velocity: FloatArray, piston_pressure: FloatArray,
              rod_pressure: FloatArray) -> FloatArray:
        """Return the fitted friction force (k) [N]."""
        return friction_force(self.parameters, velocity, piston_pressure, rod_pressure,
                              self.law)


def fit_friction(samples: FrictionSamples, settings: FrictionFitSettings | None = None,
                 known: Mapping[str, float] | None = None,
                 law: FrictionLaw = CYLINDER) -> FrictionFit:
    """Fit the law of friction to FrictionSamples; return a FrictionFit.

    Weighted least squares with a robust loss.  An error of the velocity counts by the slope of the
    curve (effective variance), so that samples around its steep middle, which say little, count
    little; and the curve is smeared like the samples.  The transition velocity is scanned
    with the others solved for (non-negative least squares); from the best of the scan all are
    fitted together.

    known: expected parameters by name.  One that the samples hardly determine keeps its expected
    value, the worst first, and the others are fitted again.  Without, all have their best fit.
    Raises ValueError.
    """
    settings = settings or FrictionFitSettings()
    moving = np.abs(samples.velocity) > settings.still_deviations * samples.velocity_deviation
    samples = samples[moving]
    if len(samples) < 10 * len(law.parameters):
        raise ValueError(f'{len(samples)} samples of a moving {law.what}: at least '
                         f'{10 * len(law.parameters)} are needed')
    kept: dict[str, Doubt] = {}
    fit = _fit(samples, settings, kept, known, law)
    doubtful = list(fit.doubts)
    while known is not None and fit.deviations and any(doubt.parameter for doubt in fit.doubts):
        worst: Any = next(doubt for doubt in fit.doubts if doubt.parameter)
        kept[worst.parameter] = worst._replace(
            text=f'{worst.text}; keeps {known[worst.parameter]:.3g}')
        fit = _fit(samples, settings, kept, known, law)
        doubtful = [*kept.values(), *fit.doubts]
    return replace(fit, doubts=tuple(doubtful))


def _fit(samples: FrictionSamples, settings: FrictionFitSettings, kept: Mapping[str, Doubt],
         known: Any, law: FrictionLaw) -> FrictionFit:
    """Return the FrictionFit in which parameters `kept` have their known values."""
    problem = _Problem(samples, settings, {
        name: known[name] - (known[law.excess[name]] if name in law.excess else 0.0)
        for name in kept}, law)
    x, names = problem.solve(), law.parameters
    parameters, public = dict(zip(names, x.tolist(), strict=True)), np.eye(len(x))
    for static, coulomb in law.excess.items():
        parameters[static] += parameters[coulomb]
        public[names.index(static), names.index(coulomb)] = 1.0
    spread = np.sqrt(np.diagonal(public @ problem.covariance(x) @ public.T))
    deviations = {name: float(deviation) for name, deviation in
                  zip(names, spread, strict=True) if name not in kept}
    return FrictionFit(parameters, deviations, tuple(kept), samples, problem.residual(x),
                       doubts(parameters, deviations, samples, law, known), law)


class _Problem:
    """The fit in x: the parameters, but the excess of static over Coulomb friction, all >= 0.

    kept: parameters that are not fitted, by name.
    """

    def __init__(self, samples: FrictionSamples, settings: FrictionFitSettings,
                 kept: Mapping[str, float], law: FrictionLaw) -> None:
        self._samples, self._settings, self._law = samples, settings, law
        self._kept = np.array([kept.get(name, np.nan) for name in law.parameters])
        self._free = np.isnan(self._kept)
        self._spread = samples.force_deviation
        self._shifts = _NODES[:, None] * samples.velocity_deviation
        lowest, highest = np.quantile(np.abs(samples.velocity), (0.001, 0.99))
        transitions = (np.geomspace(lowest, highest, _TRANSITIONS) if self._free[0]
                       else self._kept[:1])
        self._scan = [(v, self._columns(v)) for v in transitions]

    def solve(self) -> FloatArray:
        """Return x (p)."""
        if not self._free.any():
            return self._kept.copy()
        x = self._scanned()[0]
        self._weigh(x)
        x = min((self._polished(start) for start in self._scanned()[:_STARTS]), key=self._loss)
        for _ in range(_WEIGHINGS - 1):
            self._weigh(x)
            x = self._polished(x)
        return x

    def residual(self, x: FloatArray) -> FloatArray:
        """Return force minus curve (k) [N]."""
        return self._samples.force - self._columns(x[0]) @ x[1:]

    def covariance(self, x: FloatArray) -> FloatArray:
        """Return the covariance of x (p, p), zero where it is not fitted."""
        free, covariance = self._free, np.zeros((len(x), len(x)))
        if not free.any():
            return covariance
        scaled = self.residual(x) / self._spread
        weight = 1.0 / np.sqrt(1.0 + (scaled / self._settings.robust_scale) ** 2)   # of soft_l1
        covariance[np.ix_(free, free)] = fit_covariance(
            self._slopes(x)[:, free] / self._spread[:, None], scaled, weight, self._blocks())
        return covariance

    def _columns(self, transition: float) -> FloatArray:
        """Return the factors of x[1:] (k, c), means over the possible velocities of a sample."""
        return self._mean(self._law.terms, transition)

    def _mean(self, function: Callable[..., FloatArray], transition: float) -> FloatArray:
        """Return the mean of terms or their slopes over the possible velocities of a sample."""
        s, linear = self._samples, self._law.linear
        columns = sum(
            weight * function(s.velocity + shift, (s.velocity + shift) / transition,
                              s.piston_pressure, s.rod_pressure)
            for weight, shift in zip(_WEIGHTS / _WEIGHTS.sum(), self._shifts, strict=True))
        for static, coulomb in self._law.excess.items():
            columns[:, linear.index(coulomb)] += columns[:, linear.index(static)]
        return columns

    def _scanned(self) -> list[FloatArray]:
        """Return x for every transition velocity of the scan, the best first."""
        return sorted((self._with(*scanned) for scanned in self._scan), key=self._loss)

    def _with(self, transition: float, columns: FloatArray) -> FloatArray:
        """Return the best x with a transition velocity, no robustness counted."""
        x, free = np.r_[transition, self._kept[1:]], self._free[1:]
        force = self._samples.force - columns[:, ~free] @ x[1:][~free]
        columns = columns[:, free] / self._spread[:, None]
        size = np.linalg.norm(columns, axis=0) + 1e-300
        if free.any():
            x[1:][free] = nnls(columns / size, force / self._spread)[0] / size
        return x

    def _polished(self, start: FloatArray) -> FloatArray:
        """Return the x of least robust loss, near a start."""
        free = self._free
        size = np.maximum(start, 1e-3 * self._sizes(start[0]))[free]

        def whole(y: FloatArray) -> FloatArray:
            x = start.copy()
            x[free] = size * y
            return x
        solution = least_squares(
            lambda y: self.residual(whole(y)) / self._spread, start[free] / size,
            jac=lambda y: self._slopes(whole(y))[:, free] * (size / self._spread[:, None]),
            bounds=(np.r_[1e-3, np.zeros(len(start) - 1)][free], np.inf), loss='soft_l1',
            f_scale=self._settings.robust_scale, xtol=1e-6)
        return whole(solution.x)

    def _sizes(self, transition: float) -> FloatArray:
        """Return the value of each parameter that explains all friction alone (p)."""
        force = np.sqrt(np.mean(self._samples.force ** 2))
        columns = np.sqrt(np.mean(self._columns(transition) ** 2, axis=0)) + 1e-300
        return np.r_[transition, force / columns]

    def _loss(self, x: FloatArray) -> float:
        scale = self._settings.robust_scale
        squares = (self.residual(x) / (scale * self._spread)) ** 2
        return np.sum(2.0 * (np.sqrt(1.0 + squares) - 1.0))

    def _slopes(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of the residual (k, p)."""
        by_w = self._mean(self._law.slopes, x[0]) @ x[1:]
        by_transition = -by_w * self._samples.velocity / x[0] ** 2
        return -np.column_stack([by_transition, self._columns(x[0])])

    def _weigh(self, x: FloatArray) -> None:
        """Write the deviation of each sample: force, velocity times slope, and residual."""
        s = self._samples
        slope = self._mean(self._law.slopes, x[0]) @ x[1:] / x[0]
        for name, factor in self._law.slide.items():
            slope += x[1 + self._law.linear.index(name)] * factor(s.velocity, s.velocity / x[0])
        known = np.hypot(s.force_deviation, slope * s.velocity_deviation)
        self._spread = known * 1.4826 * np.median(np.abs(self.residual(x)) / known)

    def _blocks(self) -> IntArray:
        """Return the number of the block of time that each sample is in (k)."""
        s = self._samples
        number = np.floor(s.t / self._settings.block_time).astype(int)
        return np.unique(np.stack([s.recording, number]), axis=1, return_inverse=True)[1].ravel()
