"""Options of commands that estimate as the node does: its parameters, by file and by name."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from mb_estimators.consistency.window import ConsistencySettings
from mb_estimators.estimator_setup import EstimatorSettings
from mb_estimators.plugins import available_filters, filter_class
from mb_estimators.stream import StreamSettings
from mb_estimators.watches.gating import GateSettings
from mb_model import Mechanism, ModelErrors, SettingError, load_mechanism
from mb_model.command_api import assigned
from mb_model.file_api import RECORDED, GivenParameters, read_parameters, sections_text
from mb_sensors import FaultSettings, NoiseSettings

_OF_NODES = 'autostart', 'use_sim_time', 'start_time', 'stamps'      # every node has them
_OF_ROS = 'qos_overrides.'


def check_names(names: Iterable[str], mechanism: Mechanism, estimator: str, source: str) -> None:
    """Raise SettingError for a name that no estimator of a Mechanism has a setting of.

    A file may be for several filters and choices of sensors: settings of every filter and of every
    sensor of the mechanism are known, also the faults that a driver simulates: recorded runs have
    what was given to all nodes.  estimator: name of the filter that is to run.  Others are looked
    at for what it does not have alone: to import a filter loads its compiled kernels.  source: of
    the names, for errors.
    """
    known = _names_of(_of_all(mechanism)) | set(_OF_NODES)
    unknown = [name for name in names if not name.startswith(_OF_ROS)]
    for filter_ in (estimator, *available_filters()):
        unknown = [name for name in unknown if name not in known]
        if not unknown:
            return
        known |= _names_of([('filter.', filter_class(filter_).Settings)])
    for name in unknown:
        if name not in known:
            raise SettingError(f'{source}: {name}: no such setting of an estimator'
                               f'{_meant(name, known)}')


def _of_all(mechanism: Mechanism) -> list[tuple[str, Any]]:
    """Return [(prefix, Settings class)] of what estimators have whatever their filter."""
    return [('', EstimatorSettings), ('', StreamSettings), ('model_errors.', ModelErrors),
            ('consistency.', ConsistencySettings), *(
                (f'{sensor}.{prefix}', settings) for sensor in mechanism.sensors
                for prefix, settings in (('', NoiseSettings), ('', GateSettings),
                                         ('fault.', FaultSettings)))]


def _names_of(classes):
    """Return all names of settings by [(prefix, Settings class)]."""
    return {prefix + name for prefix, settings in classes for name, _, _ in settings.describe()}


def _meant(name, known):
    """Return in words which known name may be meant."""
    ends = [one for one in sorted(known) if one.rpartition('.')[2] == name.rpartition('.')[2]]
    close = [one for one in ends if one.startswith('filter.')] or get_close_matches(
        name, sorted(known), 1, 0.6) or ends
    return f', is {close[0]} meant?' if close else ''


def add_node_arguments(parser: ArgumentParser, several: bool = False) -> None:
    """Add where parameters come from to an argparse parser whose argument `bag` is a folder.

    several: of filters.
    """
    parser.add_argument('--mechanism', metavar='NAME', help='name of a mechanism or path of its '
                        'file')
    if several:
        parser.add_argument('--estimators', nargs='+', required=True, metavar='NAME',
                            help='names of filters')
    else:
        parser.add_argument('--estimator', metavar='NAME', help='name of a filter')
    parser.add_argument('--sensors', nargs='+', metavar='NAME',
                        help='sensors or sensor groups of the mechanism that are read')
    add_file_arguments(parser)
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VALUE', dest='settings',
                        help='parameters of the node, such as filter.acceleration_psd=0.1 or '
                        'reorder_window=0.1; repeatable')


def add_file_arguments(parser: ArgumentParser) -> None:
    """Add which files of parameters count, and which section of them, to an argparse parser."""
    parser.add_argument('--config', nargs='+', metavar='FILE',
                        help=f'parameter files of the node, later ones count more (default: '
                        f'{RECORDED} beside the bag, as recorded runs have it)')
    parser.add_argument('--name', default='estimator', metavar='NODE',
                        help='whose section of the files counts, and whose topics are written '
                        '(%(default)s)')


def file_parameters(given: Namespace, bag: str | Path) -> dict[str, Any]:
    """Return the values by name of the files that count for a bag.

    Raises OSError, ValueError; FileNotFoundError if there is no such bag.
    """
    if not Path(bag).exists():
        raise FileNotFoundError(f'{bag}: no such bag')
    return read_parameters(given.config or recorded_parameters(bag), given.name)


def given_parameters(given: Namespace, **others: Any) -> GivenParameters:
    """Return the GivenParameters of the options; others: values by name with precedence.

    Raises OSError, ValueError; FileNotFoundError if there is no such bag.
    """
    values = file_parameters(given, given.bag)
    for option in ('mechanism', 'estimator', 'sensors'):
        if getattr(given, option, None) is not None:
            values[option] = getattr(given, option)
    settings = assigned(given.settings, '--set')
    values |= settings | others
    if settings:
        mechanism = values.get('mechanism', EstimatorSettings.mechanism)
        estimator = values.get('estimator', EstimatorSettings.estimator)
        check_names(settings, load_mechanism(mechanism), estimator, '--set')
    return GivenParameters(values, ', '.join(given.config or ['parameters']))


def recorded_parameters(bag: str | Path) -> list[str]:
    """Return the file of parameters beside a bag, in a list; none where there is none."""
    file = Path(bag).resolve().parent / RECORDED
    return [str(file)] if file.is_file() else []


def parameters_text(mechanism: str, filter: str, sensors: Iterable[str], dt: float,
                    values: Mapping[str, Any], comments: Iterable[str] = (),
                    first_reading: bool = True) -> str:
    """Return a file for `ros2 run mb_estimators estimator --ros-args --params-file FILE`.

    mechanism: name or path; filter: name; sensors: names; values: of settings, by name, noise that
    is expected of a sensor by `<sensor>.<setting>`; comments: lines at the top; first_reading: see
    StreamSettings.
    """
    parameters: dict[str, Any] = {
        'mechanism': str(mechanism), 'estimator': filter, 'sensors': list(sensors),
        'dt': float(dt), 'filter': {}}
    if not first_reading:
        parameters['first_reading'] = False
    for name, value in values.items():
        sensor, _, quantity = name.rpartition('.')
        parameters.setdefault(sensor or 'filter', {})[quantity] = value
    if not parameters['filter']:
        del parameters['filter']
    text = sections_text({'estimator': parameters})
    return ''.join(f'# {line}\n' for line in comments) + text
