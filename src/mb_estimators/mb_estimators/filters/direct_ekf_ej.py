"""direct_ekf_ej: error_ekf_ej with the states of the model itself, not their errors."""

from dataclasses import dataclass

from mb_estimators.filters.error_ekf_ej import ErrorEkfEj, ErrorEkfEjSettings


@dataclass(frozen=True)
class DirectEkfEjSettings(ErrorEkfEjSettings):
    """Direct form of error_ekf_ej, with the same estimates."""


class DirectEkfEj(ErrorEkfEj):
    """The direct form of error_ekf_ej (Rodriguez et al. 2023, Sec. 7.4); states: z, zd."""

    Settings = DirectEkfEjSettings
    _direct = True
