"""Friction parameters from samples of velocity, pressures and friction force."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares, nnls

from mb_contact.friction.excitation import doubts
from mb_contact.friction.law import LINEAR, PARAMETERS, friction_force, term_slopes, terms
from mb_contact.friction.samples import FrictionSamples
from mb_contact.friction.settings import FrictionFitSettings
from mb_sensors.fit_covariance import fit_covariance

_TRANSITIONS = 30           # transition velocities that are tried first
_STARTS = 3                 # of these, from which the fit begins
_WEIGHINGS = 3              # passes in which weights follow the slope of the fitted curve
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(5)        # of a normal distribution


@dataclass(frozen=True)
class FrictionFit:
    """What was fitted.

    parameters and deviations (1 sigma): by the names of law.PARAMETERS; correlation (6, 6) in that
    order; samples: those used; residual (k) [N]; doubts: sentences about what they do not tell.
    """

    parameters: dict[str, float]
    deviations: dict[str, float]
    correlation: np.ndarray
    samples: FrictionSamples
    residual: np.ndarray
    doubts: tuple[str, ...]

    def force(self, velocity, piston_pressure, rod_pressure):
        """Return the fitted friction force (k) [N]."""
        return friction_force(self.parameters, velocity, piston_pressure, rod_pressure)


def fit_friction(samples, settings=None):
    """Fit the law of friction to FrictionSamples; return a FrictionFit.

    Weighted least squares with a robust loss.  An error of the velocity counts by the slope of the
    curve (effective variance), so that samples around its steep middle, which say little, count
    little; and the curve is smeared by it, as the samples are.  The transition velocity is scanned
    with the others solved for (non-negative least squares); from the best of the scan all are
    fitted together.  Raises ValueError.
    """
    settings = settings or FrictionFitSettings()
    moving = np.abs(samples.velocity) > settings.still_deviations * samples.velocity_deviation
    samples = samples[moving]
    if len(samples) < 10 * len(PARAMETERS):
        raise ValueError(f'{len(samples)} samples of a moving piston: at least '
                         f'{10 * len(PARAMETERS)} are needed')
    problem = _Problem(samples, settings)
    x = problem.solve()
    parameters = dict(zip(PARAMETERS, x.tolist(), strict=True))
    parameters['static'] += parameters['coulomb']
    public = np.eye(len(x))
    public[PARAMETERS.index('static'), PARAMETERS.index('coulomb')] = 1.0
    covariance = public @ problem.covariance(x) @ public.T
    spread = np.sqrt(np.diagonal(covariance))
    deviations = dict(zip(PARAMETERS, spread.tolist(), strict=True))
    return FrictionFit(parameters, deviations, covariance / np.outer(spread, spread), samples,
                       problem.residual(x), doubts(parameters, deviations, samples))


class _Problem:
    """The fit in x: the parameters, but the excess of static over Coulomb friction, all >= 0."""

    def __init__(self, samples, settings):
        self._samples, self._settings = samples, settings
        self._spread = samples.force_deviation
        self._shifts = _NODES[:, None] * samples.velocity_deviation
        lowest, highest = np.quantile(np.abs(samples.velocity), (0.001, 0.99))
        self._scan = [(v, self._columns(v)) for v in np.geomspace(lowest, highest, _TRANSITIONS)]

    def solve(self):
        """Return x (6)."""
        x = self._scanned()[0]
        self._weigh(x)
        x = min((self._polished(start) for start in self._scanned()[:_STARTS]), key=self._loss)
        for _ in range(_WEIGHINGS - 1):
            self._weigh(x)
            x = self._polished(x)
        return x

    def residual(self, x):
        """Return force minus curve (k) [N]."""
        return self._samples.force - self._columns(x[0]) @ x[1:]

    def covariance(self, x):
        """Return the covariance of x (6, 6)."""
        scaled = self.residual(x) / self._spread
        weight = 1.0 / np.sqrt(1.0 + (scaled / self._settings.robust_scale) ** 2)   # of soft_l1
        return fit_covariance(self._slopes(x) / self._spread[:, None], scaled, weight,
                              self._blocks())

    def _columns(self, transition):
        """Return what x[1:] multiply (k, 5), means over the velocities that a sample may be of."""
        return self._mean(terms, transition)

    def _mean(self, function, transition):
        """Return the mean of terms or their slopes over the velocities that a sample may be of."""
        s = self._samples
        columns = sum(
            weight * function(s.velocity + shift, s.piston_pressure, s.rod_pressure, transition)
            for weight, shift in zip(_WEIGHTS / _WEIGHTS.sum(), self._shifts, strict=True))
        columns[:, LINEAR.index('coulomb')] += columns[:, LINEAR.index('static')]
        return columns

    def _scanned(self):
        """Return x for every transition velocity of the scan, the best first."""
        return sorted((self._with(*scanned) for scanned in self._scan), key=self._loss)

    def _with(self, transition, columns):
        """Return the best x with a transition velocity, no robustness counted."""
        columns = columns / self._spread[:, None]
        size = np.linalg.norm(columns, axis=0) + 1e-300
        coefficients, _ = nnls(columns / size, self._samples.force / self._spread)
        return np.r_[transition, coefficients / size]

    def _polished(self, start):
        """Return the x that the robust loss is least at, near a start."""
        size = np.maximum(start, 1e-3 * self._sizes(start[0]))
        found = least_squares(
            lambda y: self.residual(size * y) / self._spread, start / size,
            jac=lambda y: self._slopes(size * y) * (size / self._spread[:, None]),
            bounds=(np.r_[1e-3, np.zeros(len(LINEAR))], np.inf), loss='soft_l1',
            f_scale=self._settings.robust_scale, xtol=1e-6)
        return size * found.x

    def _sizes(self, transition):
        """Return what each parameter would be if it made all of the friction alone (6)."""
        force = np.sqrt(np.mean(self._samples.force ** 2))
        columns = np.sqrt(np.mean(self._columns(transition) ** 2, axis=0)) + 1e-300
        return np.r_[transition, force / columns]

    def _loss(self, x):
        scale = self._settings.robust_scale
        squares = (self.residual(x) / (scale * self._spread)) ** 2
        return np.sum(2.0 * (np.sqrt(1.0 + squares) - 1.0))

    def _slopes(self, x):
        """Return the derivatives of the residual (k, 6)."""
        by_w = self._mean(term_slopes, x[0]) @ x[1:]
        by_transition = -by_w * self._samples.velocity / x[0] ** 2
        return -np.column_stack([by_transition, self._columns(x[0])])

    def _weigh(self, x):
        """Write how uncertain each sample is: force, velocity by the slope, and what is left."""
        s = self._samples
        slope = self._mean(term_slopes, x[0]) @ x[1:] / x[0] + x[1 + LINEAR.index('viscous')]
        known = np.hypot(s.force_deviation, slope * s.velocity_deviation)
        self._spread = known * 1.4826 * np.median(np.abs(self.residual(x)) / known)

    def _blocks(self):
        """Return the number of the block of time that each sample is in (k)."""
        s = self._samples
        number = np.floor(s.t / self._settings.block_time).astype(int)
        return np.unique(np.stack([s.recording, number]), axis=1, return_inverse=True)[1].ravel()
