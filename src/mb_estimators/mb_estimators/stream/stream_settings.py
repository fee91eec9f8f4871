"""How a stream of readings is fed to a filter: the one home of these values."""

from dataclasses import dataclass

from mb_model import LATEST, SettingError, Settings, setting

_MOST_STEPS = 100_000       # of the model between two readings


@dataclass(frozen=True)
class StreamSettings(Settings):
    """How a stream of stamped readings drives a filter."""

    dt: float = setting(
        0.005, unit='s', at_least=1e-5, help='Longest step of the model between two readings')
    start_time: float = setting(
        0.0, unit='s', at_least=0.0, at_most=LATEST,
        help='Stamp at which the initial state holds; 0 for the stamp of the first reading')
    first_reading: bool = setting(
        True, help='Whether readings of the stamp at which the initial state holds correct it; '
                   'false: the filter predicts before its first correction, as in many papers, and '
                   'these readings are left out')
    reorder_window: float = setting(
        1.0, unit='s', at_least=0.0,
        help='How long, by stamps, an instant waits for a sensor that is behind or has died')
    history_length: float = setting(
        0.0, unit='s', at_least=0.0, at_most=60.0,
        help='How old, by stamps, a late reading may be to be still used: the '
             'filter goes back there and on again; older ones are counted and left out. A sensor '
             'that is later than reorder_window is then not waited for')
    late_estimates: str = setting(
        'newest', choices=('newest', 'corrected', 'both'),
        help='Output of a late reading: the newest instant again, now with that reading, the '
             'instant of the reading itself, or both')
    longest_gap: float = setting(
        10.0, unit='s', above=0.0, at_most=3600.0,
        help='Readings farther ahead than this are left out; ten in a row, or ten that are behind '
             'what can be of use, start the filter anew')
    sensor_timeout: float = setting(
        1.0, unit='s', at_least=0.0, at_most=60.0,
        help='How long after the last reading, by stamps, the present is still predicted')
    nis_bound: float = setting(
        100.0, above=0.0,
        help='The filter has diverged if its NIS per reading stays above this')
    nis_time: float = setting(
        1.0, unit='s', above=0.0, help='How long it must stay above the bound')
    restart: bool = setting(
        False, help='After divergence, or a while of readings that do not fit the estimate at all, '
                    'go on from the last good one')
    interpolate: bool = setting(
        False, help='Put readings on straight lines between their stamps at every step of the '
                    'model: estimates are late by one period of the sensors, and smoother')
    input_rate: float = setting(
        0.0, unit='Hz', at_least=0.0,
        help='Rate of periodic inputs, such as commands of valves, for which instants wait as they '
             'do for sensors; 0: nothing waits for inputs, they should come ahead of their stamps')
    stuck_after: int = setting(
        0, at_least=0,
        help='Repetitions of a value after which a sensor sticks if that cannot be true; 0: '
             'never')
    leave_out_repeats: bool = setting(
        True, help='Leave out messages that repeat all numbers of the one before, where the sensor '
                   'has shown noise that does not let it; they say nothing new')
    distrust_time: float = setting(
        0.2, unit='s', at_least=0.0,
        help='How long an estimate is not to be trusted after a reading that was left out')

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.longest_gap / self.dt > _MOST_STEPS:
            raise SettingError(f'longest_gap: {self.longest_gap:g} s are more than {_MOST_STEPS} '
                               f'steps of {self.dt:g} s (dt)')
