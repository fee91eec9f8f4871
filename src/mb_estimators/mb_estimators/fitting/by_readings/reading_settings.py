"""How numbers and noises are fitted to readings."""

from dataclasses import dataclass

from mb_model import SettingError, Settings, setting

_NEAREST = 3.0          # deviations: where nearer ones are left out, the rest seems too accurate


@dataclass(frozen=True)
class ReadingSettings(Settings):
    """Where the noises begin, and when passes end."""

    acceleration_psd: float = setting(
        9.162e-2, unit='rad^2/s^3', above=0.0, grows=1.0,
        help='Where the density of the noise of the plant begins. The default is larger for fast '
             'machines')
    initial_variance: float = setting(
        7.6e-3, unit='rad^2', above=0.0, help='Of position and velocity at the start')
    passes: int = setting(
        12, at_least=1, at_most=100, help='Of the filter over the bags, the most')
    outliers: float = setting(
        0.0, at_least=0.0, help='Readings farther off than so many deviations of the rest are left '
        'out, and counted by sensor (5 is usual, 3 the least); 0: all count, and wild ones are '
        'said')

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0.0 < self.outliers < _NEAREST:
            raise SettingError(
                f'outliers: {self.outliers:g} must be 0 or >= {_NEAREST:g}: within it are readings '
                'of an accurate sensor, and without them its noise seems too small')
