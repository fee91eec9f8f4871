"""Common options of commands: the filter, and its readings."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
import sys
from typing import Any

import numpy as np

from mb_estimators.commands.node_parameters import add_file_arguments, file_parameters
from mb_estimators.estimator_setup import EstimatorSettings
from mb_estimators.filter import DivergenceError, NotConvergedError, needs_hydraulics
from mb_estimators.papers import settings_as_in
from mb_estimators.plugins import filter_class
from mb_estimators.recording.bag import read_recording
from mb_estimators.recording.input_topic import InputTopic, input_topic
from mb_estimators.recording.recording import Recording
from mb_estimators.stream import StreamSettings
from mb_model import (
    Mechanism,
    ModelErrors,
    SettingError,
    Settings,
    apply_model_errors,
    load_mechanism,
)
from mb_model.command_api import (
    FAILURE,
    POSITIVE,
    add_output_arguments,
    assigned,
    changes_of,
    run_command as run_model_command,
)
from mb_model.file_api import GivenParameters
from mb_sensors import NoiseSettings, Sensor, sensors_of


def run_command(command: Callable[[Namespace], Iterable[object]], parser: ArgumentParser,
                arguments: Sequence[str] | None, failed: str = 'the filter has diverged') -> int:
    """Run a command as mb_model's `run_command` does; a divergence is reported in one line, too.

    failed: printed before the text of a DivergenceError.
    """
    try:
        return run_model_command(command, parser, arguments)
    except NotConvergedError as error:
        print(error, file=sys.stderr)
        return FAILURE
    except DivergenceError as error:
        print(f'{failed}: {error}', file=sys.stderr)
        return FAILURE


def command_parser(command: str, description: str | None, epilog: str) -> ArgumentParser:
    """Return an argparse parser of a command of this package, whose texts stay as they are."""
    return ArgumentParser(prog=f'ros2 run mb_estimators {command}', description=description,
                          epilog=epilog, formatter_class=RawDescriptionHelpFormatter)


def graph_parser(command: str, description: str | None, kind: type[Settings], example: str,
                 duration: float, dt: float) -> ArgumentParser:
    """Return an argparse parser of a command that moves a mechanism by a graph.

    kind: of the settings of the graph; duration, dt [s]: defaults.
    """
    settings = '\n'.join(f'  {name}: {described.help} ({kind.defaults()[name]})'
                         for name, _, described in kind.describe())
    parser = command_parser(command, description, f'settings:\n{settings}\n\nexample:\n'
                            f'  ros2 run mb_estimators {command} {example}')
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    parser.add_argument('--duration', type=POSITIVE, default=duration, help='[s] (%(default)s)')
    parser.add_argument('--dt', type=POSITIVE, default=dt, help='step [s] (%(default)s)')
    parser.add_argument('--setting', action='append', default=[], metavar='NAME=VALUE',
                        dest='settings', help='of the graph, see below; repeatable')
    parser.add_argument('--set', action='append', default=[], metavar='KEY=VALUE', dest='changes',
                        help='change an entry of the mechanism file, such as '
                        'bodies.crank.mass=3; repeatable')
    add_output_arguments(parser)
    return parser


def changed_mechanism(given: Namespace) -> Mechanism:
    """Return the mechanism that parsed arguments name, with their changes; raises ValueError."""
    mechanism = load_mechanism(given.mechanism)
    return mechanism.replace(**changes_of(given.changes)) if given.changes else mechanism


OF_RUN = 'as in the recorded run, or else '       # before defaults in help


def recording_parser(command: str, description: str | None, example: str,
                     settings: str) -> ArgumentParser:
    """Return an argparse parser of a command that identifies something from the readings in a bag.

    settings: which --set has, said in help.
    """
    parser = command_parser(command, description, example)
    parser.add_argument('bag', metavar='BAG', help='folder of a bag with readings')
    add_model_arguments(parser)
    add_file_arguments(parser)
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VALUE', dest='settings',
                        help=f'{settings}; repeatable')
    return parser


def add_model_arguments(parser: ArgumentParser, mechanism: str = 'four_bar',
                        dt: float = 5e-3, of_run: str = OF_RUN) -> None:
    """Add mechanism, its errors and sensors to an argparse parser.

    mechanism, dt [s]: where neither options nor parameters say, see `fill_in`; of_run: said before
    these, '' for a command that takes no parameters of recorded runs.
    """
    parser.set_defaults(fallback={'mechanism': mechanism, 'dt': dt})
    parser.add_argument('--mechanism', metavar='NAME', help='name of a mechanism or path of its '
                        f'file (default: {of_run}{mechanism})')
    parser.add_argument('--sensors', nargs='+', metavar='NAME', help='sensors or sensor groups of '
                        'the mechanism that are read' + (
                            ' (default: as in the recorded run)' if of_run else ''))
    parser.add_argument('--dt', type=POSITIVE, help='longest step of the model [s] '
                        f'(default: {of_run}{dt:g})')
    parser.add_argument('--model-error', action='append', default=[], metavar='KEY=VALUE',
                        dest='model_errors', help='what is wrong with the model on purpose: '
                        'gravity=-1 (added to its magnitude), z0=pi/16 (added to the start), or '
                        'any entry of the mechanism file; repeatable')


def add_filter_arguments(parser: ArgumentParser, estimator: str = 'error_ekf_fe',
                         of_run: str = OF_RUN, **others: Any) -> None:
    """Add what add_model_arguments does, filter and its settings to an argparse parser."""
    add_model_arguments(parser, of_run=of_run, **others)
    parser.get_default('fallback')['estimator'] = estimator
    parser.add_argument('--estimator', metavar='NAME', help='name of a filter '
                        f'(default: {of_run}{estimator})')
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VALUE', dest='settings',
                        help='of the filter, such as acceleration_variance=1e-3; repeatable')


def fill_in(given: Namespace, values: Mapping[str, Any]) -> None:
    """Complete parsed arguments, of which options count most, then parameters of the node by name.

    Raises ValueError.
    """
    given.recorded = GivenParameters(values)
    for name, fallback in given.fallback.items():
        if getattr(given, name) is None:
            setattr(given, name, values.get(name, fallback))
    given.sensors = given.sensors or values.get('sensors')
    if not given.sensors:
        raise ValueError('--sensors: missing; there are none in parameters of a recorded run')


def add_truth_argument(parser: ArgumentParser) -> None:
    """Add the topic of the true motion."""
    parser.add_argument('--truth', metavar='TOPIC', help='topic of the true MechanismStates in a '
                        'bag (default: /prototype/state, where there is one)')


def model_errors(given: Namespace, mechanism: Mechanism) -> dict[str, Any]:
    """Return the errors of the model, as apply_model_errors takes them.  Raises ValueError."""
    recorded = asdict(given.recorded.settings_of(ModelErrors, 'model_errors.'))
    errors = {name: value for name, value in recorded.items() if value}
    errors |= changes_of(given.model_errors, '--model-error')
    return {key: mechanism.number(value) if key in ('gravity', 'z0') and isinstance(value, str)
            else value for key, value in errors.items()}


def filter_settings(given: Namespace) -> dict[str, Any]:
    """Return the given settings of the filter, and the recorded ones; raises ValueError.

    Settings of a paper count, too, where the recorded run has some.
    """
    settings_class = filter_class(given.estimator).Settings
    paper = settings_as_in(given.recorded.settings_of(EstimatorSettings).as_in, given.estimator)
    recorded = given.recorded.settings_of(settings_class, 'filter.')
    settings = assigned(given.settings, '--set')
    try:
        checked = settings_class.from_mapping(settings)
    except SettingError as error:
        raise SettingError(f'--set {error}') from None
    return paper.settings | {
        name: getattr(recorded, name) for name, _, _ in settings_class.describe()
        if f'filter.{name}' in given.recorded.values} | {
            name: getattr(checked, name) for name in settings}


def reads_first(given: Namespace) -> bool:
    """Return whether readings at the start correct the filter, as the run or its paper has it.

    See StreamSettings.  Raises ValueError.
    """
    paper = settings_as_in(given.recorded.settings_of(EstimatorSettings).as_in, given.estimator)
    return given.recorded.settings_of(StreamSettings, defaults=paper.stream).first_reading


def as_read(given: Namespace, recording: Recording) -> Recording:
    """Return a Recording as the filter reads it: without the first instant if it predicts first."""
    if reads_first(given):
        return recording
    readings = recording.readings.copy()
    readings[0] = np.nan
    return replace(recording, readings=readings)


def model_and_sensors(given: Namespace) -> tuple[Mechanism, list[Sensor]]:
    """Return the Mechanism as the filter has it, and the Sensors.  Raises ValueError."""
    mechanism = load_mechanism(given.mechanism)
    model = apply_model_errors(mechanism, model_errors(given, mechanism))
    pairs = zip(sensors_of(mechanism, given.sensors), sensors_of(model, given.sensors), strict=True)
    return model, [sensor.with_settings(given.recorded.settings_of(
        NoiseSettings, f'{sensor.name}.', asdict(believed.settings))) for sensor, believed in pairs]


def recorded_inputs(given: Namespace, mechanism: Mechanism) -> InputTopic | None:
    """Return where the inputs of the filter are by the parameters of the run, if it has some."""
    settings = given.recorded.settings_of(EstimatorSettings)
    estimator = getattr(given, 'estimator', None)
    return input_topic(mechanism, bool(estimator) and needs_hydraulics(filter_class(estimator)),
                       settings.known_forces, settings.torques_are, settings.command_joints)


def recorded_run(given: Namespace) -> tuple[Mechanism, list[Sensor], Recording]:
    """Return Mechanism, Sensors and readings of a bag with what its run was made with.

    Raises OSError, ValueError.
    """
    fill_in(given, file_parameters(given, given.bag))
    mechanism, sensors = model_and_sensors(given)
    return mechanism, sensors, read_recording(
        given.bag, sensors, getattr(given, 'truth', None), recorded_inputs(given, mechanism),
        mechanism)


def readings_text(recording: Recording) -> str:
    """Return in words how many readings a Recording has."""
    return (f'{np.count_nonzero(np.isfinite(recording.readings))} readings at '
            f'{len(recording.stamps)} instants, {recording.t[-1]:g} s')
