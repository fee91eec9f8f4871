"""How a BMI160 is reached, set up, and tests itself before.

Source: its data sheet, BST-BMI160-DS000.
"""

from collections.abc import Sequence
from dataclasses import dataclass
import time

from mb_model import SettingError, Settings, setting
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sensor import Sensor
from mb_sensors.sources import SourceError
from mb_sensors.sources.bmi160 import bmi160_registers as chip
from mb_sensors.sources.bmi160.bmi160_registers import FORCE_RANGES, OUTPUT_RATES, RATE_RANGES
from mb_sensors.sources.bmi160.i2c import I2cDevice
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


def output_rate(sensors: Sequence[Sensor]):
    """Return the rate of all the Sensors [Hz].  Raises SensorError for an impossible one."""
    rates = {sensor.rate for sensor in sensors}
    if len(rates) > 1 or not rates <= OUTPUT_RATES.keys():
        given = ', '.join(f'{sensor.name}.rate: {sensor.rate:g}' for sensor in sensors)
        raise SensorError(f'{given} must be the same, one of '
                          f'{", ".join(map(str, OUTPUT_RATES))} Hz')
    return int(rates.pop())


_RESET_TIME, _POWER_TIME, _SELF_TEST_TIME = 0.015, 0.1, 0.05      # [s]


def check_identity(device: I2cDevice):
    """Raise SourceError unless an I2cDevice is a BMI160."""
    identity, = device.read(chip.CHIP_ID)
    if identity != chip.IDENTITY:
        raise SourceError(f'is no BMI160: register 00h reads {identity:02x}h, expected '
                          f'{chip.IDENTITY:02x}h')


def test_itself(device: I2cDevice):
    """Let gyroscope and accelerometer test themselves.  Raises SourceError if one fails.

    The gyroscope judges for itself.  The accelerometer moves its mass to one side and the other,
    and must see the difference.
    """
    _reset(device)
    device.write(chip.SELF_TEST, chip.RATE_SELF_TEST)
    time.sleep(_SELF_TEST_TIME)
    _expect(device, chip.STATUS, chip.RATE_SELF_TEST_OK, chip.RATE_SELF_TEST_OK,
            'the self-test of the gyroscope failed: ')
    device.write(chip.FORCE_CONF, chip.FORCE_SELF_TEST_CONF)
    device.write(chip.FORCE_RANGE, chip.FORCE_RANGES[chip.FORCE_SELF_TEST_RANGE])
    deflected = []
    for excitation in (chip.FORCE_SELF_TEST_PLUS, chip.FORCE_SELF_TEST_MINUS):
        device.write(chip.SELF_TEST, excitation)
        time.sleep(_SELF_TEST_TIME)
        deflected.append(chip.triple(device.read(chip.FORCE_DATA, 6)))
    for axis, plus, minus in zip('xyz', *deflected, strict=True):
        if abs(plus - minus) < chip.FORCE_SELF_TEST_LEAST:
            raise SourceError(f'the self-test of the accelerometer failed: {axis} moves by '
                              f'{abs(plus - minus)}, expected {chip.FORCE_SELF_TEST_LEAST}')


def set_up(device: I2cDevice, settings: Bmi160Settings, rate: int):
    """Reset the device, set it up for Bmi160Settings and a rate [Hz], and see that it obeyed."""
    _reset(device)
    offsets = chip.OFFSETS_ON if settings.chip_offsets else 0
    offsets_now, = device.read(chip.OFFSETS)
    configuration = {
        chip.FORCE_CONF: chip.NORMAL_FILTER | chip.OUTPUT_RATES[rate],
        chip.FORCE_RANGE: chip.FORCE_RANGES[settings.force_range],
        chip.RATE_CONF: chip.NORMAL_FILTER | chip.OUTPUT_RATES[rate],
        chip.RATE_RANGE: chip.RATE_RANGES[settings.rate_range],
        chip.OFFSETS: offsets_now & ~chip.OFFSETS_ON | offsets,
        chip.FIFO_CONFIG: chip.FIFO_TIME | chip.FIFO_HEADER | chip.FIFO_FORCE | chip.FIFO_RATE}
    for register, value in configuration.items():
        device.write(register, value)
    _expect(device, chip.ERROR, 0, 0xFF)
    _expect(device, chip.POWER, chip.FORCE_POWERED | chip.RATE_POWERED, 0x3C)
    for register, value in configuration.items():
        _expect(device, register, value, 0xFF)
    device.write(chip.COMMAND, chip.FIFO_FLUSH)


def _reset(device: I2cDevice):
    device.write(chip.COMMAND, chip.SOFT_RESET)
    time.sleep(_RESET_TIME)
    for command in (chip.FORCE_NORMAL, chip.RATE_NORMAL):
        device.write(chip.COMMAND, command)
        time.sleep(_POWER_TIME)


def _expect(device: I2cDevice, register: int, value: int, mask: int, problem: str = ''):
    """Raise SourceError unless the masked bits of a register have a value."""
    read, = device.read(register)
    if read & mask != value:
        raise SourceError(f'{problem}register {register:02x}h reads {read:02x}h, expected '
                          f'{value:02x}h')
