"""direct_ekf: error_ekf with the states of the model itself, not their errors."""

from dataclasses import dataclass

from mb_estimators.filters.error_ekf import ErrorEkf, ErrorEkfSettings


@dataclass(frozen=True)
class DirectEkfSettings(ErrorEkfSettings):
    """Direct form of error_ekf, with the same estimates."""


class DirectEkf(ErrorEkf):
    """The direct form of error_ekf (Rodriguez et al. 2023, Sec. 7.4); states: z, zd."""

    Settings = DirectEkfSettings
    _direct = True
