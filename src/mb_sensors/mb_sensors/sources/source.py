"""What a source is: the way to one or more devices, which an acquisition thread reads."""

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol


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

    faults: list = field(default_factory=list)
    counts: dict = field(default_factory=dict)


class Source(Protocol):
    """A kind of device that drivers can read; a class with

    kinds: the kinds of sensors that it can read; Settings: settings of the source as a whole;
    SensorSettings: settings of every sensor; device_clock_period: after how long the clock of the
    devices begins anew [ns]; emulator: place of the class that emulates them, 'module:Class',
    left out for none.  Made from (sensors, Settings, {sensor name: SensorSettings}); wrong
    settings raise ValueError.  place: what it reads, as the user names it.  All but health() is
    called by one thread, the acquisition's.
    """

    @staticmethod
    def reach(settings, one):
        """Return the Settings of the source that reads the sensor of the SensorSettings `one`.

        Sensors for which they are the same are read by one source, others each by its own.
        """

    def open(self):
        """Connect to the devices.  Raises SourceError or OSError."""

    def read(self, timeout):
        """Return the Samples that came, oldest first; wait for some at most `timeout` [s].

        Samples known to be wrong are counted and left out.  Raises SourceError or OSError when the
        way is cut; devices that fail alone are reported by health().
        """

    def close(self):
        """Let go of everything; also after a failed open, and twice."""

    def health(self) -> SourceHealth:
        """Return the present health; from any thread."""


class Emulator(Protocol):
    """Emulated devices, for trials and tests: they use the real devices' protocol.

    kinds, Settings, SensorSettings and reach are the source's; made like it.
    """

    def open(self):
        """Switch the devices on.  Raises SourceError or OSError."""

    def take(self, sensor, stamp, values):
        """Let the device of a Sensor measure values (channels) at a stamp [ns]."""

    def close(self):
        """Switch the devices off."""
