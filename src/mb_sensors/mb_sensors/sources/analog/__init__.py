"""Transmitters of 4 to 20 mA at an analog-digital converter of Linux's industrial I/O subsystem."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
import time

from mb_model import SettingError, Settings, setting
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor
from mb_sensors.sources import SourceError, SourceHealth
from mb_sensors.sources.analog.analog_buffer import BufferedChannels
from mb_sensors.sources.analog.transmitter import Transmitter


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

    def check(self, sensor: str):
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


class PolledChannel:
    """Reads one Transmitter at the rate of its sensor.

    name: of the sensor; late: readings that were not taken because the machine was
    busy.
    """

    def __init__(self, transmitter: Transmitter) -> None:
        self.name = transmitter.sensor.name
        self.late = 0
        self.due = 0                # when the next reading is to be taken [ns], monotonic
        self._transmitter = transmitter
        self._period = round(NANOSECONDS / transmitter.sensor.rate)

    def open(self, device: Path):
        """Find the channel and begin.  Raises OSError, ValueError."""
        self._file = device / f'in_{self._transmitter.channel}_raw'
        self._raw()
        self.due = time.monotonic_ns()

    def sample(self):
        """Take the reading that is due; return a Sample or None."""
        behind = (time.monotonic_ns() - self.due) // self._period
        self.late += behind
        self.due += (behind + 1) * self._period
        before = time.time_ns()
        raw = self._raw()
        # The conversion is within the read.
        return self._transmitter.sample(raw, (before + time.time_ns()) // 2)

    def _raw(self):
        return float(self._file.read_text())


class PolledChannels:
    """All Transmitters at one converter, each at its own rate."""

    def __init__(self, transmitters: Sequence[Transmitter], settings: AnalogSettings) -> None:
        self._channels = [PolledChannel(one) for one in transmitters]

    def open(self, device: Path):
        """Find all channels in the folder of the device.  Raises OSError, ValueError."""
        for channel in self._channels:
            channel.open(device)

    def read(self, timeout: float):
        """Wait for the next reading that is due, and take it.  Raises OSError, ValueError."""
        wait = min(channel.due for channel in self._channels) - time.monotonic_ns()
        if wait > 0:
            time.sleep(min(timeout, wait / NANOSECONDS))
        now = time.monotonic_ns()
        samples = [channel.sample() for channel in self._channels if channel.due <= now]
        return [sample for sample in samples if sample is not None]

    def close(self):
        """Nothing is held."""

    def counts(self):
        """Return what was missed, by name."""
        return {f'{channel.name} not taken in time': channel.late
                for channel in self._channels}


class Analog:
    """A Source: all transmitters of a driver at one converter."""

    kinds = ('pressure', 'distance', 'linear_encoder', 'angle_encoder')
    Settings = AnalogSettings
    SensorSettings = AnalogSensorSettings
    device_clock_period = NANOSECONDS       # it has none
    emulator = 'mb_sensors.sources.analog.converter:Converter'

    def __init__(self, sensors: Sequence[Sensor], settings: AnalogSettings,
                 each: Mapping[str, AnalogSensorSettings]) -> None:
        self._settings = settings
        self._transmitters = [Transmitter(sensor, each[sensor.name]) for sensor in sensors]
        channels = BufferedChannels if settings.buffered else PolledChannels
        self._channels = channels(self._transmitters, settings)

    def open(self):
        """Find the converter and its channels."""
        device = self._find()
        for transmitter in self._transmitters:
            try:
                transmitter.open(device)
            except (OSError, ValueError) as error:
                raise SourceError(f'{transmitter.sensor.name}: {error}') from error
        try:
            self._channels.open(device)
        except (OSError, ValueError) as error:
            raise self._cut(error) from error

    def read(self, timeout: float):
        """Wait for readings, and return them."""
        try:
            return self._channels.read(timeout)
        except (OSError, ValueError) as error:
            raise self._cut(error) from error

    def close(self):
        """Let go of the converter."""
        self._channels.close()

    @property
    def device(self):
        """The converter, as the user names it."""
        return self._settings.device

    def health(self):
        """Report broken wires, and count readings that were left out."""
        faults = [f'{t.sensor.name}: {t.failure}' for t in self._transmitters if t.failure]
        counts = {f'{t.sensor.name} beyond its limits': t.beyond for t in self._transmitters}
        return SourceHealth(faults, counts | self._channels.counts())

    def _cut(self, error: Exception):
        return SourceError(f'{self.device}: {error}')

    def _find(self):
        """Return the folder of the converter, by the name of the folder or of the device."""
        folder, wanted = Path(self._settings.folder), self._settings.device
        if (folder / wanted).is_dir():
            return folder / wanted
        names = {path.parent: path.read_text().strip()
                 for path in sorted(folder.glob('iio:device*/name'))}
        for device, name in names.items():
            if name == wanted:
                return device
        known = ', '.join(f'{device.name} ({name})' for device, name in names.items()) or 'none'
        raise SourceError(f'{folder}: no device {wanted}; there are: {known}')
