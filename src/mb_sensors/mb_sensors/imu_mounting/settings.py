"""What of recordings an IMU's mounting is fitted to, and what is believed before."""

from dataclasses import dataclass

from mb_model import Settings, setting


@dataclass(frozen=True)
class MountingFitSettings(Settings):
    """The used part of recordings, and standard deviations before the fit."""

    block_time: float = setting(
        0.25, unit='s', above=0.0,
        help='Errors farther apart than this are taken to be independent of each other')
    longest_delay: float = setting(
        0.1, unit='s', above=0.0,
        help="How late the stamps of an IMU may be against the motion's, or early")
    largest_offset: float = setting(
        0.5, unit='m', above=0.0, help="Standard deviation of the file's position of an IMU")
    largest_turn: float = setting(
        2.0, unit='rad', above=0.0, help="The same of the file's orientation, about each axis")
    accelerometer_bias: float = setting(
        0.5, unit='m/s^2', above=0.0, help='The same of the biases of accelerometers, about 0')
    gyroscope_bias: float = setting(
        0.05, unit='rad/s', above=0.0, help='The same of gyroscopes')
    scale_error: float = setting(
        0.1, above=0.0, help='The same of relative errors of the scale')
