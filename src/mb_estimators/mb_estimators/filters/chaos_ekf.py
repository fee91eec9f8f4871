"""chaos_ekf: an EKF with parameters in its state, whose covariances are of polynomial chaos."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import FilterError
from mb_estimators.filters.augmented_ekf import Augmented
from mb_estimators.filters.hermite import gauss_nodes, polynomials, powers_up_to
from mb_estimators.filters.parameters import ParameterSettings
from mb_estimators.filters.parts import Corrected
from mb_estimators.filters.shared_settings import (
    ModelFilterSettings,
    WhiteNoiseSettings,
    machine_noise,
)
from mb_estimators.filters.sigma_points import CubatureSettings, cubature_points, new_sigmas
from mb_estimators.kernels.chaos_steps import correct_chaos, predict_chaos
from mb_model import setting
from mb_model.arrays import FloatArray

_MOST = 2000             # points
_CUBATURE = {1: 'third', 2: 'fifth'}    # rules that integrate products of two polynomials


@dataclass(frozen=True)
class ChaosEkfSettings(ParameterSettings, WhiteNoiseSettings, ModelFilterSettings):
    """EKF of motion and parameters by covariances of polynomial chaos, not of derivatives."""

    acceleration_psd: float = machine_noise(
        1e-6, unit='rad^2/s^3', grows=1.0,
        help='Power spectral density of the noise of the independent accelerations: what the '
             'parameters do not explain.  The larger, the less is learnt of them')
    polynomial_degree: int = setting(
        2, at_least=1, at_most=5,
        help='Total degree of the polynomials. The model goes to 2 l + 1 points for l states with '
             'degree 1, to 2 l^2 + 1 with 2, beyond to (degree + 1)^l, 2000 at the most')


class ChaosEkf(Corrected, Augmented):
    """The augmented EKF by polynomial chaos, Rodriguez et al. 2023, Sec. 9 [5].

    States: z, zd, biases of sensors, and parameters, which walk randomly.  What a step makes of
    them, and what sensors read, is a polynomial of standard normal numbers; mean, covariance and
    gain follow from its coefficients.  No derivative is taken.  Covariances are sums of squares:
    they stay positive where weights of points do not.  Each step and each correction begins with a
    normal distribution, where Blanchard, Sandu and Sandu 2010 [5] go on with the coefficients.
    """

    Settings = ChaosEkfSettings

    def _prepare(self) -> None:
        super()._prepare()
        unit, self._projection = chaos_points(self.layout.size, self.settings.polynomial_degree)
        terms = len(self._projection)
        unused = np.zeros(len(unit))
        self._sigmas = new_sigmas(self._sizes, unit, unused, unused)
        self._terms = new_sigmas(self._sizes, np.zeros((terms, self.layout.size)),
                                 np.zeros(terms), np.ones(terms))
        self._own_records |= {'sigma': self._sigmas, 'terms': self._terms}

    def _step(self, dt: float) -> bool:
        p = self._parameters
        return predict_chaos(self._models, self._works, self._filters, p.records, p.estimated,
                             self._sigmas, self._terms, self._projection, dt)

    def _correct(self, readings: FloatArray) -> int:
        p = self._parameters
        return correct_chaos(
            self._models, self._works, self._channels, self._filters, p.records, p.estimated,
            self._sigmas, self._terms, self._projection, readings)

    def cross_covariance(self, before: ArrayLike, dt: float) -> FloatArray:
        """Return the covariance of the states before and after the last step; see Smoothable.

        Before it they are linear in the numbers, whose coefficients follow the constant.
        """
        factor = np.linalg.cholesky(before)
        size = len(factor)
        return self._carried(factor @ self._terms[0]['points'][1:1 + size, :size])


def chaos_points(size: int, degree: int) -> tuple[FloatArray, FloatArray]:
    """Return points (k, size), the first at the origin, and a projection (terms, k).

    projection @ values (k) at the points: coefficients of the polynomials of hermite.powers_up_to,
    exact for what is such a polynomial itself.  Raises FilterError for too many points.
    """
    if degree in _CUBATURE:
        points, weights, _ = cubature_points(size, CubatureSettings(degree=_CUBATURE[degree]))
    elif (degree + 1) ** size > _MOST:
        raise FilterError(f'polynomial_degree: {degree} needs {(degree + 1) ** size} points for '
                          f'{size} states, expected at most {_MOST}: take 2')
    else:
        points, weights = gauss_nodes(size, degree)
        points, weights = np.vstack([np.zeros(size), points]), np.append(0.0, weights)
    return points, np.ascontiguousarray(weights * polynomials(powers_up_to(size, degree), points))
