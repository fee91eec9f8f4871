"""How devices of all kinds are read: the one home of these values."""

from dataclasses import dataclass

from mb_model import Settings, setting

CLOCKS = ('arrival', 'device', 'synchronised')


@dataclass(frozen=True)
class AcquisitionSettings(Settings):
    """Stamps, calibration, and reconnection of devices that do not answer."""

    clock: str = setting(
        'arrival', choices=CLOCKS,
        help='Stamp of a reading; arrival: when it came, less the delay of the sensor; device: '
             "its device's own clock, related to ours by the fastest readings, less the delay; "
             'synchronised: that clock, which shows ROS time')
    calibration: str = setting('', help='File of scale and bias of each channel; empty: none')
    first_retry: float = setting(
        0.1, unit='s', above=0.0, help='Pause before a lost connection is opened again')
    longest_retry: float = setting(
        5.0, unit='s', above=0.0, help='Longest pause, to which it grows while nothing comes')
    hand_over: float = setting(
        0.002, unit='s', at_least=0.0, at_most=0.1,
        help='Least time between two wakes of the node; readings between come together')
    silence: float = setting(
        0.5, unit='s', above=0.0, help='Time without readings until a sensor counts as silent')
    largest_offset: float = setting(
        10.0, unit='s', above=0.0, help='Difference from our time from which on a synchronised '
                                        'clock is not believed')
    queue: int = setting(
        10000, at_least=1, at_most=1_000_000,
        help='Readings that wait for the node at most; the oldest are lost')
