"""Where readings come from: kinds of real devices, one file each, found by name.

A package offers a source by an entry point of the group `mb_sensors.sources`, naming a Source class
(see mb_sensors.sources.source).
"""

from importlib.metadata import entry_points

from mb_sensors.errors import SensorError

GROUP = 'mb_sensors.sources'


def available_sources():
    """Return the names of all installed sources, sorted."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


def source_class(name):
    """Return the class of a source.  Raises SensorError for an unknown or broken plugin."""
    found = list(entry_points(group=GROUP, name=name))
    if not found:
        raise SensorError(
            f'{name}: unknown source, expected one of {", ".join(available_sources())}')
    try:
        return found[0].load()
    except (ImportError, AttributeError) as error:
        raise SensorError(f'{name}: plugin {found[0].value} cannot be loaded: {error}') from error


def check_kinds(name, source, sensors):
    """Raise SensorError unless a source (its name and class) can read all of the Sensors."""
    for sensor in sensors:
        if sensor.kind not in source.kinds:
            raise SensorError(f'{sensor.name}: is of kind {sensor.kind}, source {name} reads '
                              f'{" or ".join(source.kinds)}')
