"""Arguments of launch files: what every run can be told, and what is made of the values given."""

from dataclasses import dataclass
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration

from mb_bringup.prototypes import ENGINES
from mb_bringup.sensor_nodes import SOURCES

SHARE = Path(get_package_share_directory('mb_bringup'))


@dataclass(frozen=True)
class Argument:
    """An argument of a launch file; one of the choices if there are any."""

    default: str
    description: str
    choices: tuple[str, ...] = ()


SWITCH = ('true', 'false')
EVERY_RUN = {           # arguments of every launch file
    'sources': Argument(
        'simulated', 'Where readings come from; emulated: devices on a CAN bus and serial lines, '
        'each a process that takes the truth', SOURCES),
    'prototype': Argument('mujoco', 'Simulator that gives the truth', ENGINES),
    'composed': Argument('false', 'Run drivers, estimators and viewers in one process, as on a '
                         "machine's own computer; the machine and the monitor keep theirs",
                         SWITCH),
    'real_time_factor': Argument('1.0', 'Simulated over wall time'),
    'publish_rate': Argument('200.0', 'States of the truth per simulated second [Hz]'),
    'seed': Argument('0', 'Seed of the sensor noise'),
    'config': Argument('', 'Parameters of nodes: files, or names of some in mb_bringup/config, '
                       'separated by commas; empty: <mechanism>, if there is one of that name'),
    'results': Argument('results', 'Folder in which the folder of this run is made'),
    'record': Argument('true', 'Record every topic into a bag beside the report', SWITCH),
    'rviz': Argument('false', 'Show the mechanisms in rviz', SWITCH),
}


def declared(arguments):
    """Return the launch actions that declare Arguments by name."""
    return [DeclareLaunchArgument(name, default_value=one.default, description=one.description,
                                  choices=list(one.choices) or None)
            for name, one in arguments.items()]


def given_values(context, arguments):
    """Return the text given for each argument."""
    return {name: LaunchConfiguration(name).perform(context) for name in arguments}


def number(given, name, kind=float):
    """Return the value of an argument as a number."""
    try:
        return kind(given[name])
    except ValueError:
        wanted = 'a whole number' if kind is int else 'a number'
        raise ValueError(f'{name}: {given[name]!r} must be {wanted}') from None


def pace_of(given, duration):
    """Return the parameters that say how long [s], how fast and how often states come."""
    return {'duration': duration, 'publish_rate': number(given, 'publish_rate'),
            'real_time_factor': number(given, 'real_time_factor')}


def config_files(mechanism, given):
    """Return the parameter files that are given, or that of the mechanism if it has one.

    given: paths or names, separated by commas; later files count more.  Raises ValueError if there
    is no such file.
    """
    if not given.strip():
        own = SHARE / 'config' / f'{mechanism.name}.yaml'
        return [str(own)] if own.is_file() else []
    return [_config_file(mechanism, one.strip()) for one in given.split(',')]


def _config_file(mechanism, given):
    """Return the file of a path or name."""
    named = SHARE / 'config' / f'{given}.yaml'
    for path in (Path(given), named):
        if path.is_file():
            return str(path)
    names = sorted(file.stem for file in named.parent.glob(f'{mechanism.name}*.yaml'))
    raise ValueError(f'config: {given}: no such file, nor one of {", ".join(names)}')
