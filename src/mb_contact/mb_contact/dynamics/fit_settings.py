"""How dynamics are fitted: the one home of these values."""

from dataclasses import dataclass

from mb_model import Settings, setting


@dataclass(frozen=True)
class DynamicsFitSettings(Settings):
    """Selection of the samples of a motion, and their weights."""

    settling_time: float = setting(
        0.5, unit='s', at_least=0.0, help='Time left out at the start of a recording')
    knot_spacing: float = setting(
        0.02, unit='s', above=0.0, help='Of the spline through the readings of encoders: the '
        'shorter, the faster motions are followed, and the more noise is in the accelerations')
    averaging_time: float = setting(
        0.01, unit='s', above=0.0,
        help='Forces, needed and known, are averaged over this time')
    torque_deviation: float = setting(
        0.02, unit='N m or N', above=0.0, help='Standard deviation of the known force of a drive')
    block_time: float = setting(
        0.25, unit='s', above=0.0,
        help='Errors farther apart than this are taken to be independent of each other')
