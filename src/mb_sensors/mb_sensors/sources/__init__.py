"""Where readings come from: kinds of real devices, a folder each, found by name.

A folder has everything on its devices: protocol, settings, driver and emulator.  A package
offers a source by an entry point of the group `mb_sensors.sources`, naming a Source class (see
mb_sensors.sources.source), which in turn names its emulator.
"""

from collections.abc import Mapping, Sequence
from importlib.metadata import EntryPoint
from typing import Any

from mb_model.kind_api import plugin_class, plugin_names
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sensor import Sensor

GROUP = 'mb_sensors.sources'


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
    place = getattr(source_class(name), 'emulator', '')
    if not place:
        raise SensorError(f'{name}: this source has no emulator')
    return EntryPoint(name, place, GROUP).load()


def make_sources(made: Any, sensors: Sequence[Sensor], settings: Any,
                 each: Mapping[str, Any]) -> list[tuple[Any, list[Sensor]]]:
    """Return as many (source, its Sensors) as it takes to reach the devices of all Sensors.

    made: class of the sources, or of emulators; settings, each: as it takes them.
    """
    reached: dict[Any, list[Sensor]] = {}
    for sensor in sensors:
        reached.setdefault(made.reach(settings, each[sensor.name]), []).append(sensor)
    return [(made(group, own, {sensor.name: each[sensor.name] for sensor in group}), group)
            for own, group in reached.items()]


def check_kinds(name: str, source: Any, sensors: Sequence[Sensor]) -> None:
    """Raise SensorError unless a source (its name and class) can read all of the Sensors."""
    for sensor in sensors:
        if sensor.kind not in source.kinds:
            raise SensorError(f'{sensor.name}: is of kind {sensor.kind}, source {name} reads '
                              f'{" or ".join(source.kinds)}')
