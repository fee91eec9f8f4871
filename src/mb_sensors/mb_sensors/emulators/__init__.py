"""Devices for those who have none, and for tests: they speak as the real ones do.

An emulator is found by the name of the source that reads it (entry-point group
`mb_sensors.emulators`), and takes the settings of that source.
"""

from importlib.metadata import entry_points

from mb_sensors.errors import SensorError

GROUP = 'mb_sensors.emulators'


def available_emulators():
    """Return the names of all installed emulators, sorted."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


def emulator_class(name):
    """Return the class of an emulator.  Raises SensorError for an unknown one."""
    found = list(entry_points(group=GROUP, name=name))
    if not found:
        raise SensorError(
            f'{name}: unknown emulator, expected one of {", ".join(available_emulators())}')
    return found[0].load()
