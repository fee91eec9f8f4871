"""Error-state EKFs that estimate the unknown forces too: error_ekf_fe, and more parts.

A ForceFilter with its transition, and parts that any of them takes: NoiseAdaptation, ColouredNoise.
"""

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from mb_estimators.filters.coloured_noise import ColouredNoise, ColouredNoiseSettings
from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings
from mb_estimators.filters.force_sources import check_sources, explain_forces
from mb_estimators.filters.noise_adaptation import AdaptationSettings, NoiseAdaptation
from mb_estimators.filters.parts import ExactTransition
from mb_estimators.filters.shared_settings import FormSettings, ModelFilterSettings
from mb_estimators.kernels.iterated_correction import ITERATED, correct_iterated
from mb_model import setting
from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class ErrorEkfFeSettings(FormSettings, ForceSettings, ModelFilterSettings):
    """Error-state EKF with force estimation: acceleration errors are states, a random walk."""

    force_sources: tuple[str, ...] = setting(
        (),
        help='Where the unknown forces are likely to act: numbers of forces in the mechanism file, '
             'such as forces.push.force.x of a load, or degrees of freedom.  The estimate says '
             'which forces there explain the estimated ones best, and whether they do')


class ErrorEkfFe(ExactTransition, ForceFilter):
    """The error-state EKF of Rodriguez et al. 2023, Sec. 7.3 (errorEKF_FE).

    States: errors of z, zd, zdd, zero after every correction: what the acceleration was wrong by
    becomes a force on the degree of freedom, which the model keeps.
    """

    Settings = ErrorEkfFeSettings

    def _prepare(self) -> None:
        super()._prepare()
        check_sources(self.mechanism, 'force_sources', self.settings.force_sources)

    def _further_estimates(self) -> dict[str, Any]:
        names, estimates = self.settings.force_sources, super()._further_estimates()
        if not names:
            return estimates
        z, zd, _, q, *_ = self._motion
        sources = explain_forces(
            self.mechanism, z, zd, self._force, self._force_covariance(), names, q)
        return estimates | {'parameters': dict(zip(names, sources.values.tolist(), strict=True)),
                        'parameter_covariance': sources.covariance,
                        'force_probability': sources.probability}


@dataclass(frozen=True)
class AdaptiveErrorEkfFeSettings(AdaptationSettings, ForceSettings, ModelFilterSettings):
    """Error-state EKF with force estimation that starts with these noises and finds better ones."""


class AdaptiveErrorEkfFe(NoiseAdaptation, ExactTransition, ForceFilter):
    """The adaptive errorEKF of Rodriguez et al. 2023, Sec. 10.1 (AerrorEKF_FE)."""

    Settings = AdaptiveErrorEkfFeSettings


@dataclass(frozen=True)
class ShapingErrorEkfFeSettings(ColouredNoiseSettings, ForceSettings, ModelFilterSettings):
    """Error-state EKF with force estimation whose accelerations are disturbed by coloured noise."""


class ShapingErrorEkfFe(ColouredNoise, ExactTransition, ForceFilter):
    """The errorEKF with a shaping filter of Rodriguez et al. 2023, Sec. 11.1 (errorEKF_FE_SH)."""

    Settings = ShapingErrorEkfFeSettings


@dataclass(frozen=True)
class IteratedEkfSettings(ForceSettings, ModelFilterSettings):
    """Iterated EKF with force estimation: for readings far better than the prediction."""

    iterations: int = setting(
        10, at_least=1, at_most=1000,
        help='Linearisations of a correction, the most; with 1 it is error_ekf_fe, and where so '
             'many do not settle, too')
    settled: float = setting(
        1e-3, above=0.0, at_most=1.0,
        help='Change of the correction, in standard deviations of the prediction, below which it '
             'has settled')


class IteratedEkf(ExactTransition, ForceFilter):
    """The iterated extended Kalman filter (Bell and Cathey 1993), around error_ekf_fe.

    A correction ends at the state that is likeliest by prediction and readings together, where an
    EKF goes by the first of these steps.  Where accelerometers are linearised, the force found so
    far counts as constant, not the error of the accelerations: the end differs by as much as the
    inertia changes along the step.
    """

    Settings = IteratedEkfSettings

    def _prepare(self) -> None:
        super()._prepare()
        self._iterated = ITERATED.of(self._sizes)
        self._own_records['iterated'] = self._iterated
        self._iterated['most'] = self.settings.iterations
        self._iterated['settled'] = self.settings.settled

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g); see ForceFilter.reset."""
        super().reset(z, zd, covariance)
        self._iterated['linearisations'] = self._iterated['unsettled'] = 0

    @property
    def linearisations(self):
        """How many linearisations the last correction took."""
        return self._iterated['linearisations'].item()

    @property
    def unsettled(self):
        """How many corrections have not settled, and are an EKF's, since the start."""
        return self._iterated['unsettled'].item()

    def _correct(self, readings: FloatArray) -> int:
        return correct_iterated(self._models, self._works, self._channels, self._filters,
                                self._iterated, readings)
