"""sckf: smoothly constrained Kalman filter in dependent coordinates."""

from dataclasses import dataclass

from mb_estimators.filters.dependent import DependentFilter, DependentSettings
from mb_estimators.kernels.sckf import correct_sckf
from mb_model.settings import setting


@dataclass(frozen=True)
class SckfSettings(DependentSettings):
    """Smoothly constrained filter: after the readings, constraints are taken for noisy ones."""

    weakening: float = setting(
        0.1, above=0.0,
        help='First noise of the constraints, as a share of what the covariance says of them')
    weakening_decay: float = setting(
        10.0, above=0.0, help='The noise of the constraints falls by e^-decay in every pass')


class Sckf(DependentFilter):
    """The smoothly constrained Kalman filter of Rodriguez et al. 2023, Sec. 6.1 (SCKF).

    By default it differs from the paper where that makes it wrong: see `as_published`.
    """

    Settings = SckfSettings
    _kernel = staticmethod(correct_sckf)

    def _set_up(self, record):
        super()._set_up(record)
        record['weakening'] = self.settings.weakening
        record['decay'] = self.settings.weakening_decay
