"""How transmitters at an analog-digital converter are read: the one home of these values."""

from dataclasses import dataclass

from mb_model import SettingError, Settings, setting


@dataclass(frozen=True)
class AnalogSettings(Settings):
    """The converter, a device of Linux's industrial I/O subsystem."""

    folder: str = setting('/sys/bus/iio/devices', help='Folder of such devices')
    device: str = setting('iio:device0', help='Folder of the converter there, or its name')
    buffered: bool = setting(
        False, help='The system takes readings at the pace of a trigger, and they are fetched in '
                    'batches; else the driver asks for each of them')
    trigger: str = setting('', help='Name of that trigger; empty: the one that is set')
    batch: float = setting(0.005, unit='s', at_least=0.0, at_most=0.5,
                           help='Period at which buffered readings are fetched')
    device_files: str = setting('/dev', help='Folder of the device file of the buffer')


@dataclass(frozen=True)
class AnalogSensorSettings(Settings):
    """One transmitter of 4 to 20 mA."""

    at_20_ma: float = setting(help="Value at 20 mA, in the sensor's unit")
    channel: str = setting('voltage0', help='Channel of the converter: voltage<n> across a shunt, '
                           'or current<n>')
    shunt: float = setting(250.0, unit='ohm', above=0.0, help='Resistor across which voltages are '
                           'measured')
    at_4_ma: float = setting(0.0, help="Value at 4 mA, in the sensor's unit")

    def check(self, sensor):
        """Raise SettingError for values that cannot be read."""
        if self.at_4_ma == self.at_20_ma:
            raise SettingError(f'{sensor}.analog.at_20_ma: {self.at_20_ma:g} must differ from '
                               'at_4_ma')
        if not self.channel.startswith(('voltage', 'current')):
            raise SettingError(f'{sensor}.analog.channel: {self.channel!r} must be voltage<n> or '
                               'current<n>')

    @property
    def milliamperes(self):
        """Current in the loop for one unit (mV, mA) of the channel [mA]."""
        return 1.0 / self.shunt if self.channel.startswith('voltage') else 1.0
