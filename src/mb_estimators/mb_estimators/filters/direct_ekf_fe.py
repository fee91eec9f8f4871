"""direct_ekf_fe: error_ekf_fe with the states of the model itself, not their errors."""

from dataclasses import dataclass

from mb_estimators.filters.error_ekf_fe import ErrorEkfFe, ErrorEkfFeSettings


@dataclass(frozen=True)
class DirectEkfFeSettings(ErrorEkfFeSettings):
    """Direct form of error_ekf_fe, with the same estimates."""


class DirectEkfFe(ErrorEkfFe):
    """The direct form of error_ekf_fe (Rodriguez et al. 2023, Sec. 7.4); states: z, zd, zdd."""

    Settings = DirectEkfFeSettings
    _direct = True
