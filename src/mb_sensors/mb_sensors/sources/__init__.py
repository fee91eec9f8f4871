"""Where readings come from: kinds of real devices, a folder each, found by name.

A folder has everything on its devices: protocol, settings, driver and emulator.  A package
offers a source by an entry point of the group `mb_sensors.sources`, naming a Source class, which
in turn names its emulator.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import EntryPoint
from typing import Any, ClassVar, NamedTuple, Protocol

from mb_model.kind_api import plugin_class, plugin_names
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sensor import Sensor

GROUP = 'mb_sensors.sources'


class SourceError(Exception):
    """The connection to the devices is lost; the text says why.  It is opened again."""


class Sample(NamedTuple):
    """What a device measured, in SI units, before calibration.

    sensor: its name; arrival: when it reached this machine [ns, as time.time_ns()];
    values: one per channel; device_time: by the clock of the device [ns], None if it has none.
    """

    sensor: str
    arrival: int
    values: tuple[float, ...]
    device_time: int | None = None


@dataclass
class SourceHealth:
    """One look at a source: what is wrong now, in words, and named counts since the start."""

    faults: list[str] = field(default_factory=list)
    counts: dict[str, Any] = field(default_factory=dict)


class Source(Protocol):
    """A kind of device that drivers can read; a class with

    kinds: the kinds of sensors that it can read; Settings: settings of the source as a whole;
    SensorSettings: settings of every sensor; device_clock_period: after how long the clock of the
    devices begins anew [ns]; emulator: path of the class that emulates them, 'module:Class',
    left out for none.  Made from (sensors, Settings, {sensor name: SensorSettings}); wrong
    settings raise ValueError.  device: what it reads, as the user names it.  All but health() is
    called by one thread, the acquisition's.

    What SensorSettings say under a name of Settings, and is not empty, counts for that sensor:
    sensors with the same Settings then are read by one source, others each by its own.
    """

    def open(self) -> None:
        """Connect to the devices.  Raises SourceError or OSError."""

    def read(self, timeout: float) -> list[Sample]:
        """Return the Samples that came, oldest first; wait for some at most `timeout` [s].

        Samples known to be wrong are counted and left out.  Raises SourceError or OSError when the
        connection is cut; devices that fail alone are reported by health().
        """

    def close(self) -> None:
        """Let go of everything; also after a failed open, and twice."""

    def health(self) -> SourceHealth:
        """Return the present health; from any thread."""


class Emulator:
    """Emulated devices, for trials and tests: they use the real devices' protocol.

    `class Tape(Emulator, of=Source)` has kinds, Settings and SensorSettings of the Source that
    reads them, and is made like it.  One device of several sensors gives `measure` and `send`:
    an instant is over when all of them have measured, or the next has begun.
    """

    kinds: ClassVar[tuple[str, ...]]
    Settings: ClassVar[type]
    SensorSettings: ClassVar[type]

    def __init_subclass__(cls, of: Any) -> None:
        cls.kinds, cls.Settings, cls.SensorSettings = of.kinds, of.Settings, of.SensorSettings

    def __init__(self, sensors: Sequence[Sensor]) -> None:
        self._count = len(sensors)
        self._stamp = 0             # of the instant that is being measured [ns]
        self._taken: set[str] = set()

    def open(self) -> None:
        """Switch the devices on.  Raises SourceError or OSError."""
        raise NotImplementedError

    def take(self, sensor: Sensor, stamp: int, values: Sequence[float]) -> None:
        """Let the device of a Sensor measure values (channels) at a stamp [ns]."""
        if stamp != self._stamp:
            self.end_instant()
            self._stamp = stamp
        self.measure(sensor, values)
        self._taken.add(sensor.name)
        if len(self._taken) == self._count:
            self.end_instant()

    def end_instant(self) -> None:
        """Let the device send what it has measured, if anything."""
        if self._taken:
            self.send(self._stamp)
        self._taken.clear()

    def measure(self, sensor: Sensor, values: Sequence[float]) -> None:
        """Let the device measure values (channels) of a Sensor."""
        raise NotImplementedError

    def send(self, stamp: int) -> None:
        """Let the device send what its sensors have measured at a stamp [ns]."""
        raise NotImplementedError

    def close(self) -> None:
        """Switch the devices off."""
        raise NotImplementedError


def available_sources() -> list[str]:
    """Return the names of all installed sources, sorted."""
    return plugin_names(GROUP)


def source_class(name: str) -> type:
    """Return the class of a source.  Raises SensorError for an unknown or broken plugin."""
    return plugin_class(GROUP, name, 'source', SensorError)


def emulator_class(name: str) -> type:
    """Return the class of the emulator of a source's devices.

    It takes the settings of the source.  Raises SensorError for an unknown or broken source, and
    for one without an emulator.
    """
    path = getattr(source_class(name), 'emulator', '')
    if not path:
        raise SensorError(f'{name}: this source has no emulator')
    return EntryPoint(name, path, GROUP).load()


def make_sources(made: Any, sensors: Sequence[Sensor], settings: Any,
                 each: Mapping[str, Any]) -> list[tuple[Any, list[Sensor]]]:
    """Return as many (source, its Sensors) as it takes to reach the devices of all Sensors.

    made: class of the sources, or of emulators; settings, each: as it takes them.
    """
    reached: dict[Any, list[Sensor]] = {}
    for sensor in sensors:
        one = each[sensor.name]
        own = {name: value for name in (known.name for known in fields(settings))
               if (value := getattr(one, name, None))}
        reached.setdefault(replace(settings, **own), []).append(sensor)
    return [(made(group, own, {sensor.name: each[sensor.name] for sensor in group}), group)
            for own, group in reached.items()]


def check_kinds(name: str, source: Any, sensors: Sequence[Sensor]) -> None:
    """Raise SensorError unless a source (its name and class) can read all of the Sensors."""
    for sensor in sensors:
        if sensor.kind not in source.kinds:
            raise SensorError(f'{sensor.name}: is of kind {sensor.kind}, source {name} reads '
                              f'{" or ".join(source.kinds)}')
