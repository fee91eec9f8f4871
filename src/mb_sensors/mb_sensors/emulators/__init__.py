"""Devices for those who have none, and for tests: they speak as the real ones do.

An emulator is found by the name of the source that reads it (entry-point group
`mb_sensors.emulators`), and takes the settings of that source.
"""

from mb_model.plugins import plugin_class, plugin_names
from mb_sensors.errors import SensorError

GROUP = 'mb_sensors.emulators'


def available_emulators():
    """Return the names of all installed emulators, sorted."""
    return plugin_names(GROUP)


def emulator_class(name):
    """Return the class of an emulator.  Raises SensorError for an unknown or broken one."""
    return plugin_class(GROUP, name, 'emulator', SensorError)
