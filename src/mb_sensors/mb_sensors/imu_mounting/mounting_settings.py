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
    largest_place: float = setting(
        0.5, unit='m', above=0.0,
        help="Standard deviation of the place before the fit, about the origin of the body's frame")
    accelerometer_bias: float = setting(
        0.5, unit='m/s^2', above=0.0,
        help='Standard deviation of the biases of the accelerometer before the fit')
    gyroscope_bias: float = setting(
        0.05, unit='rad/s', above=0.0, help='The same of gyroscopes')
    scale_error: float = setting(
        0.1, above=0.0, help='The same of the scale of the accelerometer, about 1')
    estimate_delay: bool = setting(
        True, help="Whether the stamps of the IMU may be late against the motion's")
    longest_delay: float = setting(
        0.02, unit='s', above=0.0, help='How late they may be, or early')
