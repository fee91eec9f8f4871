"""Arguments of launch files: what every run takes, and what is made of the values given."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
import math
from pathlib import Path
from typing import Any

from ament_index_python.packages import get_package_share_directory
from launch import LaunchContext
from launch.logging import get_logger
from launch.substitutions import LaunchConfiguration

from mb_bringup.described import is_launched_alone
from mb_bringup.priority import check_priority
from mb_bringup.real_time_check import check_real_time
from mb_bringup.sensor_nodes import SOURCES
from mb_bringup.viewers import VIEWS, check_viewer
from mb_evaluation.live.addresses import LOOPBACK
from mb_evaluation.nodes.monitor import MonitorSettings, check_states
from mb_model import Description
from mb_model.file_api import shown, text_objection, without_unit
from mb_simulation.prototypes import ENGINES

SHARE = Path(get_package_share_directory('mb_bringup'))


@dataclass(frozen=True)
class Argument:
    """An argument of a launch file: one of the choices if there are any, a number in a range.

    Nodes check their parameters, too, but only when everything runs.
    """

    default: str
    description: str
    choices: tuple[str, ...] = ()
    kind: type = str            # or float or int
    above: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    unit: str = ''

    @property
    def range(self):
        """The least and the largest number."""
        return self._accepted.range(self.kind)

    def check(self, name: str, text: str) -> None:
        """Raise ValueError unless a text can be taken: a number in the range, one of the choices.

        Where the default is empty, other texts may be, too.
        """
        if objection := text_objection(text):
            raise ValueError(f'{name}: {shown(text)} must be {objection}')
        if self.choices and text not in self.choices:
            raise ValueError(f'{name}: {shown(text)} must be one of {", ".join(self.choices)}')
        if self.kind is not str and not text == self.default == '':
            objection = self._accepted.objection(_finite(name, text, self.kind))
            if objection:
                raise ValueError(f'{name}: {shown(text)[1:-1]} must be {objection}')

    @property
    def _accepted(self):
        return Description(self.unit, '', self.above, self.at_least, self.at_most, ())


def argument_like(default: Any, description: str, settings_class: Any, name: str) -> Argument:
    """Return the Argument that becomes a setting of a node, with its range."""
    kind, accepted = next((kind, accepted) for one, kind, accepted in settings_class.describe()
                          if one == name)
    return Argument(default, description, kind=kind, above=accepted.above,
                    at_least=accepted.at_least, at_most=accepted.at_most, unit=accepted.unit)


SWITCH = ('true', 'false')
EVERY_RUN = {           # arguments of every launch file
    'sources': Argument(
        'simulated', 'Where readings come from; emulated: devices on a CAN bus and serial lines, '
        'each a process that takes the truth', SOURCES),
    'prototype': Argument('mujoco', 'Simulator that gives the truth', ENGINES),
    'composed': Argument('true', "Run drivers and estimators in one process, as on a machine's "
                         'own computer: it starts sooner; the machine, viewers and the monitor '
                         'keep theirs; two: drivers in one and estimators in another, to work at '
                         'the same time; false: a process for each node', (*SWITCH, 'two')),
    'priority': Argument('0', 'Real-time priority (SCHED_FIFO, 1 to 99) of drivers and '
                         'estimators, whose memory is locked then: they go before the simulated '
                         'machine, viewers and all else; 0: none', kind=int, at_least=0),
    'respawn': Argument('false', 'Drivers, estimators and viewers that crash come back at once '
                        'and the run goes on; otherwise a crash ends it', SWITCH),
    'realtime': Argument('false', 'The estimator in C++, without Python: its filter is exported to '
                         'C and compiled at the start, and runs in the component of mb_realtime',
                         SWITCH),
    'disturbed': Argument('0.0', 'Share of the readings that are dropped on the way to the '
                          'estimator; as many are doubled, reordered, corrupted; the estimator '
                          'leaves out incredible ones then', kind=float, at_least=0.0,
                          at_most=1.0),
    'real_time_factor': argument_like('1.0', 'Simulated over wall time', MonitorSettings,
                                      'real_time_factor'),
    'publish_rate': argument_like('200.0', 'States of the truth per simulated second [Hz]',
                                  MonitorSettings, 'publish_rate'),
    'seed': argument_like('0', 'Seed of the sensor noise', MonitorSettings, 'seed'),
    'config': Argument('', 'Parameters of nodes: files, or names of some in mb_bringup/config, '
                       'separated by commas; empty: <mechanism>, if there is one of that name'),
    'results': Argument('results', 'Folder in which the folder of this run is made'),
    'record': Argument('true', 'Record every topic into a bag beside the report', SWITCH),
    'strict': Argument('true', 'Whether `ros2 launch` is to end with another code than 0 when the '
                       'verdict is FAILED or a process dies; false: with 0, as ROS 2 does', SWITCH),
    'view': Argument('none', 'Where to watch the machine while it runs; web: in a browser',
                     VIEWS),
    'view_address': Argument(LOOPBACK, 'IP address of this machine on which view:=web is served; '
                             '127.0.0.1: to browsers on it, 0.0.0.0: to all networks, without a '
                             'password'),
}


def given_values(context: LaunchContext, arguments: Mapping[str, Argument]) -> dict[str, str]:
    """Return the text given for each argument.

    Raises ValueError for an unknown argument, a number out of range, a viewer that is not
    installed, an address that is not of this machine, a priority that is not to be had, and for an
    estimator in C++ without what that needs.
    """
    if is_launched_alone(context):
        check_names([word.partition(':=')[0] for word in context.argv], arguments)
    else:       # the launch file that includes this one may have arguments of its own
        warn_of_misspelled(context.launch_configurations, arguments)
    given = {name: LaunchConfiguration(name).perform(context) for name in arguments}
    for name, one in arguments.items():
        one.check(name, given[name])
    check_viewer(given['view'], given['view_address'])
    check_priority(number(given, 'priority', int) if 'priority' in given else 0)
    if given['realtime'] == 'true':
        check_real_time(respawn=given.get('respawn') == 'true')
    return given


def check_names(names: Iterable[str], arguments: Mapping[str, Argument]) -> None:
    """Raise ValueError for a name that is no argument: launch itself passes over it."""
    for name in names:
        if name not in arguments:
            raise ValueError(f'{name}: no such argument, ' + (
                f'is {like} meant?' if (like := _like(name, arguments)) else
                f'expected one of {", ".join(arguments)}'))


def warn_of_misspelled(names: Iterable[str], arguments: Mapping[str, Argument]) -> None:
    """Warn of names that are much like arguments."""
    for name in names:
        if name not in arguments and (like := _like(name, arguments)):
            get_logger('launch').warning(f'{name}: no such argument, is {like} meant?')


def _like(name: str, arguments: Mapping[str, Argument]) -> str:
    """Return the argument whose name is much like another name, '' if there is none."""
    return next(iter(get_close_matches(name, arguments, 1, 0.8)), '')


def number(given: Mapping[str, str], name: str, kind: type[Any] = float) -> Any:
    """Return the value of an argument as a number.  Raises ValueError."""
    return _finite(name, given[name], kind)


def _finite(name: str, text: str, kind: type[Any] = float) -> Any:
    """Return a text as a number.  Raises ValueError."""
    try:
        value = kind(text)
        if math.isfinite(value):
            return value
    except (ValueError, OverflowError):     # whole numbers may be too large for floating ones
        pass
    number = without_unit(text)
    wanted = f'a number without a unit: write {number}' if number else (
        'a whole number' if kind is int else 'a number')
    raise ValueError(f'{name}: {shown(text)} must be {wanted}')


def pace_of(given: Mapping[str, str], duration: float) -> dict[str, Any]:
    """Return the parameters that say how long [s], how fast and how often states come.

    Raises ValueError for more states than a monitor can remember.
    """
    check_states(duration, number(given, 'publish_rate'))
    return {'duration': duration, 'publish_rate': number(given, 'publish_rate'),
            'real_time_factor': number(given, 'real_time_factor')}


def config_files(mechanism: Any, given: str) -> list[str]:
    """Return the parameter files that are given, or the file of the mechanism if it has one.

    given: paths or names, separated by commas; later files count more.  An imported machine has
    none, even if it is called as one of ours.  Raises ValueError if there is no such file.
    """
    if not given.strip():
        own = SHARE / 'config' / f'{mechanism.name}.yaml'
        return [str(own)] if own.is_file() and 'origin' not in mechanism.raw else []
    return [_config_file(mechanism, one.strip()) for one in given.split(',')]


def _config_file(mechanism: Any, given: str) -> str:
    """Return the file of a path or name."""
    named = SHARE / 'config' / f'{given}.yaml'
    for path in (Path(given), named):
        if path.is_file():
            return str(path)
    names = sorted(file.stem for file in named.parent.glob(f'{mechanism.name}*.yaml'))
    raise ValueError(f'config: {given}: no such file, nor one of {", ".join(names)}')
