"""iterated_ekf: error_ekf_fe whose readings are linearised where they lead to."""

from dataclasses import dataclass

from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.kernels.iterated_correction import ITERATED, correct_iterated
from mb_model import setting


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

    def _prepare(self):
        super()._prepare()
        self._iterated = ITERATED.of(self._sizes)
        self._iterated['most'] = self.settings.iterations
        self._iterated['settled'] = self.settings.settled

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g); see ForceFilter.reset."""
        super().reset(z, zd, covariance)
        self._iterated['linearisations'] = self._iterated['unsettled'] = 0

    @property
    def state(self):
        """See ModelFilter.state; also how the corrections have settled."""
        return super().state | {'iterated': self._iterated}

    @property
    def linearisations(self):
        """How many linearisations the last correction took."""
        return self._iterated['linearisations'].item()

    @property
    def unsettled(self):
        """How many corrections have not settled, and are an EKF's, since the start."""
        return self._iterated['unsettled'].item()

    def _correct(self, readings):
        return correct_iterated(self._models, self._works, self._channels, self._filters,
                                self._iterated, readings)
