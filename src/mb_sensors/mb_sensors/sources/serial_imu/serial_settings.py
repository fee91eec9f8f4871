"""How a serial IMU is reached: the one home of these values, for driver and emulator."""

from dataclasses import dataclass

from mb_model import Settings, setting
from mb_sensors.sources.imu_axes import ImuSensorSettings


@dataclass(frozen=True)
class SerialSettings(Settings):
    """The serial line."""

    port: str = setting('/dev/ttyUSB0', help='Serial port')
    baud: int = setting(921600, unit='bit/s', above=0, at_most=10_000_000,
                        help='Bit rate of the line')
    largest_rate: float = setting(
        40.0, unit='rad/s', above=0.0, help='Range of the gyroscope; readings beyond are left out')
    largest_force: float = setting(
        160.0, unit='m/s^2', above=0.0,
        help='Range of the accelerometer; readings beyond are left out')


@dataclass(frozen=True)
class SerialSensorSettings(ImuSensorSettings):
    """A gyroscope or accelerometer, and which IMU it is in if a driver reads several."""

    port: str = setting('', help='Port of its IMU; empty: serial_imu.port')
