"""How the mounting of an IMU is fitted: the one home of these values."""

from dataclasses import dataclass

from mb_model import Settings, setting


@dataclass(frozen=True)
class MountingFitSettings(Settings):
    """The used part of a recording, and what is fitted beside the mounting."""

    settling_time: float = setting(
        0.5, unit='s', at_least=0.0, help='Time left out at the start of a recording')
    knot_spacing: float = setting(
        0.02, unit='s', above=0.0, help='Of the spline through the readings of encoders: the '
        'shorter, the faster motions are followed, and the more noise is in the accelerations')
    block_time: float = setting(
        0.25, unit='s', above=0.0,
        help='Errors farther apart than this are taken to be independent of each other')
    estimate_delay: bool = setting(
        True, help="Whether the stamps of the IMU may be late against the motion's")
    longest_delay: float = setting(
        0.02, unit='s', above=0.0, help='How late they may be, or early')
