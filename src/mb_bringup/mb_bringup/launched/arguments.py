"""Arguments of launch files: what every run can be told, and what is made of the values given."""

from dataclasses import dataclass
from difflib import get_close_matches
import math
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch.actions import DeclareLaunchArgument
from launch.logging import get_logger
from launch.substitutions import LaunchConfiguration

from mb_bringup.launched.priority import check_priority
from mb_bringup.launched.viewers import VIEWS, check_viewer
from mb_bringup.prototypes import ENGINES
from mb_bringup.sensor_nodes import SOURCES
from mb_model.settings import Description

SHARE = Path(get_package_share_directory('mb_bringup'))


@dataclass(frozen=True)
class Argument:
    """An argument of a launch file: one of the choices if there are any, a number in a range.

    Nodes check their parameters, too, but only when everything runs.
    """

    default: str
    description: str
    choices: tuple[str, ...] = ()
    above: float | None = None
    at_least: float | None = None

    def check(self, name, text):
        """Raise ValueError unless a text is a number in the range, or empty as the default is."""
        if (self.above is None and self.at_least is None) or text == self.default == '':
            return
        accepted = Description('', '', self.above, self.at_least, None, ())
        if not accepted.accepts(_finite(name, text)):
            raise ValueError(f'{name}: {text} must be {accepted.expectation()}')


SWITCH = ('true', 'false')
EVERY_RUN = {           # arguments of every launch file
    'sources': Argument(
        'simulated', 'Where readings come from; emulated: devices on a CAN bus and serial lines, '
        'each a process that takes the truth', SOURCES),
    'prototype': Argument('mujoco', 'Simulator that gives the truth', ENGINES),
    'composed': Argument('false', "Run drivers and estimators in one process, as on a machine's "
                         'own computer; the machine, viewers and the monitor keep theirs; two: '
                         'drivers in one and estimators in another, to work at the same time',
                         (*SWITCH, 'two')),
    'priority': Argument('0', 'Real-time priority (SCHED_FIFO, 1 to 99) of drivers and '
                         'estimators: they go before the simulated machine, viewers and all '
                         'else; 0: none', at_least=0),
    'respawn': Argument('false', 'Drivers, estimators and viewers that crash come back at once '
                        'and the run goes on; otherwise a crash ends it', SWITCH),
    'disturbed': Argument('0.0', 'Share of the readings that are dropped on the way to the '
                          'estimator; as many are doubled, reordered, corrupted; the estimator '
                          'leaves out incredible ones then', at_least=0.0),
    'real_time_factor': Argument('1.0', 'Simulated over wall time', above=0.0),
    'publish_rate': Argument('200.0', 'States of the truth per simulated second [Hz]', above=0.0),
    'seed': Argument('0', 'Seed of the sensor noise', at_least=0),
    'config': Argument('', 'Parameters of nodes: files, or names of some in mb_bringup/config, '
                       'separated by commas; empty: <mechanism>, if there is one of that name'),
    'results': Argument('results', 'Folder in which the folder of this run is made'),
    'record': Argument('true', 'Record every topic into a bag beside the report', SWITCH),
    'strict': Argument('true', 'Whether `ros2 launch` is to end with another code than 0 when the '
                       'verdict is FAILED or a process dies; false: with 0, as ROS 2 does', SWITCH),
    'view': Argument('none', 'Where to watch the machine while it runs; web: in a browser',
                     VIEWS),
}


def declared(arguments):
    """Return the launch actions that declare Arguments by name."""
    return [DeclareLaunchArgument(name, default_value=one.default, description=one.description,
                                  choices=list(one.choices) or None)
            for name, one in arguments.items()]


def given_values(context, arguments):
    """Return the text given for each argument.

    Raises ValueError for a number out of range, a viewer that is not installed and a priority that
    is not to be had.
    """
    warn_of_misspelled(context.launch_configurations, arguments)
    given = {name: LaunchConfiguration(name).perform(context) for name in arguments}
    for name, one in arguments.items():
        one.check(name, given[name])
    check_viewer(given['view'])
    check_priority(number(given, 'priority', int) if 'priority' in given else 0)
    return given


def warn_of_misspelled(names, arguments):
    """Warn of names that are much like arguments: launch passes over what nobody has declared."""
    for name in names:
        like = [] if name in arguments else get_close_matches(name, arguments, 1, 0.8)
        if like:
            get_logger('launch').warning(f'{name}: no such argument, is {like[0]} meant?')


def number(given, name, kind=float):
    """Return the value of an argument as a number.  Raises ValueError."""
    return _finite(name, given[name], kind)


def _finite(name, text, kind=float):
    """Return a text as a number.  Raises ValueError."""
    try:
        value = kind(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        wanted = 'a whole number' if kind is int else 'a number'
        raise ValueError(f'{name}: {text!r} must be {wanted}')
    return value


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
