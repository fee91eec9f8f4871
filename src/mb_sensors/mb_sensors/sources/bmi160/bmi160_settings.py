"""How a BMI160 is reached and set up: the one home of these values, for driver and emulator."""

from dataclasses import dataclass

from mb_model import SettingError, Settings, setting
from mb_sensors.errors import SensorError
from mb_sensors.sources.bmi160.bmi160_registers import FORCE_RANGES, OUTPUT_RATES, RATE_RANGES
from mb_sensors.sources.imu_axes import ImuSensorSettings


@dataclass(frozen=True)
class Bmi160Settings(Settings):
    """The I2C bus, the ranges of the device, and how it is read."""

    bus: str = setting('/dev/i2c-1', help='I2C bus, or the socket of an emulated device')
    address: int = setting(0x68, at_least=0x08, at_most=0x77,
                           help='Address of the device; 0x69 with SDO high')
    rate_range: int = setting(500, unit='deg/s', above=0,
                              help='Range of the gyroscope: 125, 250, 500, 1000 or 2000')
    force_range: int = setting(4, unit='g', above=0,
                               help='Range of the accelerometer: 2, 4, 8 or 16')
    poll_period: float = setting(0.005, unit='s', at_least=1e-4, at_most=0.1,
                                 help='Time between two looks into the FIFO')
    self_test: bool = setting(True, help='Let the device test itself when it is connected')
    chip_offsets: bool = setting(
        False, help='Use the offsets that are stored in the device; else they are switched off, '
                    'and only the calibration file counts')

    def check(self):
        """Raise SettingError for a range that the device has not."""
        for name, known in (('rate_range', RATE_RANGES), ('force_range', FORCE_RANGES)):
            value = getattr(self, name)
            if value not in known:
                raise SettingError(f'bmi160.{name}: {value} must be one of '
                                   f'{", ".join(map(str, sorted(known)))}')


@dataclass(frozen=True)
class Bmi160SensorSettings(ImuSensorSettings):
    """A gyroscope or accelerometer, and which device it is in if a driver reads several."""

    bus: str = setting('', help='Bus of its device; empty: bmi160.bus')
    address: int = setting(0, at_least=0, at_most=0x77,
                           help='Address of its device; 0: bmi160.address')


def output_rate(sensors):
    """Return the rate of all the Sensors [Hz].  Raises SensorError for an impossible one."""
    rates = {sensor.rate for sensor in sensors}
    if len(rates) > 1 or not rates <= OUTPUT_RATES.keys():
        given = ', '.join(f'{sensor.name}.rate: {sensor.rate:g}' for sensor in sensors)
        raise SensorError(f'{given} must be the same, one of '
                          f'{", ".join(map(str, OUTPUT_RATES))} Hz')
    return int(rates.pop())
