"""Find the settings of a filter that suit bags, or simulated experiments, best."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
import yaml

from mb_estimators.commands.node_parameters import (
    add_file_arguments,
    file_parameters,
    parameters_text,
)
from mb_estimators.commands.options import (
    add_filter_arguments,
    add_truth_argument,
    as_read,
    command_parser,
    fill_in,
    filter_settings,
    model_and_sensors,
    model_errors,
    reads_first,
    recorded_inputs,
    run_command,
)
from mb_estimators.experiment import Experiment
from mb_estimators.plugins import filter_class
from mb_estimators.recording.bag import read_recording
from mb_estimators.tuning.task import CRITERIA
from mb_estimators.tuning.tune import Tuned, tune
from mb_model import Mechanism, load_mechanism
from mb_model.command_api import (
    COUNT,
    FAILURE,
    INTERRUPTED,
    POSITIVE,
    POSITIVE_COUNT,
    ProgressLines,
    add_force_argument,
    laid_out,
    moving_console,
    require_file,
    require_owned,
    table,
)
from mb_model.file_api import read_parameters, write_whole
from mb_sensors import NoiseSettings, Sensor


def limits_of(texts):
    """Return {name: (low, high), a list of choices, or None} of NAME, NAME=LOW:HIGH, NAME=A,B.

    Raises ValueError.
    """
    limits = {}
    for text in texts:
        name, equals, rest = text.partition('=')
        if not name or (equals and not rest):
            raise ValueError(f'--vary {text}: must be NAME, NAME=LOW:HIGH or NAME=A,B,...')
        if ':' in rest:
            limits[name] = tuple(_number(text, part) for part in rest.split(':'))
        else:
            limits[name] = [yaml.safe_load(part) for part in rest.split(',')] if equals else None
    return limits


def _number(text: str, part: str) -> float:
    try:
        return float(part)
    except ValueError:
        raise ValueError(f'--vary {text}: {part!r} must be a number') from None


_EXAMPLES = """
examples, on a bag, and on experiments with a model that is wrong on purpose:
  ros2 run mb_estimators tune results/latest/bag --vary acceleration_psd
  ros2 run mb_estimators tune --sensors coupler_gyro --model-error gravity=-1 \\
      --criterion position_rmse --vary acceleration_variance=1e-4:1 coupler_gyro.sigma
"""
_SHARED = ('mechanism', 'estimator', 'sensors')      # what runs must have in common


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    ended = []
    code = run_command(lambda given: _tune(given, ended), _parser(), arguments)
    return INTERRUPTED if ended and code in (0, FAILURE) else code


def _parser() -> ArgumentParser:
    parser = command_parser('tune', __doc__, _EXAMPLES)
    parser.add_argument('bags', nargs='*', metavar='BAG', help='folders of bags with readings; '
                        'without one, experiments are simulated')
    add_filter_arguments(parser)
    add_file_arguments(parser)
    add_truth_argument(parser)
    parser.add_argument('--vary', nargs='+', required=True, metavar='NAME[=LOW:HIGH]',
                        help='settings of the filter to tune, or SENSOR.NAME for the noise that it '
                        'expects of a sensor; a list as one number for all; texts as NAME or '
                        'NAME=A,B,...; without a range: as '
                        'declared, or a factor of 1000 to both sides of the default')
    parser.add_argument('--criterion', default='likelihood', choices=CRITERIA, metavar='NAME',
                        help='likelihood of the readings (the default), or, where the truth is '
                        f'known, {", ".join(CRITERIA[1:])}')
    parser.add_argument('--output', default='tuned.yaml', metavar='FILE',
                        help='of parameters for the estimator node (%(default)s)')
    add_force_argument(parser)
    parser.add_argument('--trials', type=POSITIVE_COUNT, default=300,
                        help='settings that are tried, at most (about %(default)s)')
    parser.add_argument('--search-seed', type=COUNT, default=0, metavar='SEED',
                        help='of the search (%(default)s)')
    parser.add_argument('--processes', type=POSITIVE_COUNT, metavar='N',
                        help='default: one for each core')
    parser.add_argument('--scheduler', metavar='ADDRESS',
                        help='of dask.distributed, to search with the cores of many machines')
    simulated = parser.add_argument_group('experiments, without a bag')
    simulated.add_argument('--duration', type=POSITIVE, default=10.0, help='[s] (%(default)s)')
    simulated.add_argument('--seeds', type=COUNT, nargs='+', default=[0, 1, 2, 3], metavar='SEED',
                           help='of the noise, one experiment each (0 1 2 3)')
    return parser


def _tune(given: Namespace, ended: list[bool]) -> Iterator[str]:
    """Yield lines of text about the progress; append to `ended` if the user ended the search."""
    _check(given)
    fill_in(given, _parameters(given))
    mechanism, sensors = model_and_sensors(given)
    vary, settings = limits_of(given.vary), filter_settings(given)
    inputs = recorded_inputs(given, mechanism)
    recordings = [as_read(given, one) for one in [
        read_recording(bag, sensors, given.truth, inputs, mechanism)
        for bag in given.bags] or _simulated(given)]
    columns = (TextColumn('{task.description}'), BarColumn(), MofNCompleteColumn(),
               TimeElapsedColumn())
    yield (f'tries up to {given.trials} settings of {given.estimator}, each on '
           f'{sum(one.t[-1] for one in recordings):.4g} s of recordings')
    # Refreshed by hand, as a thread that does it must not be there when processes fork.
    console = moving_console()
    with Progress(*columns, console=console, transient=True, auto_refresh=False,
                  disable=not console.is_terminal) as bar:
        tuned = tune(
            given.estimator, mechanism, sensors, recordings, vary, given.dt,
            criterion=given.criterion, trials=given.trials, seed=given.search_seed,
            processes=given.processes, scheduler=given.scheduler,
            progress=_progress(bar, given.trials), **settings)
    yield laid_out(tuned_table(tuned, given.criterion, given.estimator, mechanism,
                              sensors))
    yield f'{tuned.trials} trials, {"converged" if tuned.converged else "not converged"}'
    notes = [f'{name}: at an end of its range; try a wider one' for name in tuned.at_ends]
    yield from notes
    if tuned.interrupted:
        ended.append(True)
    disowned = require_owned(_objections(given, tuned), given.force)
    write_whole(given.output, parameters_text(
        given.mechanism, given.estimator, [s.name for s in sensors], given.dt,
        {**settings, **tuned.values}, [*_comments(given, tuned), *notes, *disowned],
        reads_first(given)))
    yield from disowned
    yield f'ros2 run mb_estimators estimator --ros-args --params-file {given.output}'


def _progress(bar: Progress, trials: int) -> Callable[[int, dict[str, Any], float], None]:
    """Return what shows each trial of so many: by a bar on a terminal, by lines elsewhere."""
    shown, lines = bar.add_task('', total=trials), ProgressLines(trials, 'trials')

    def show(tried: int, values: dict[str, Any], _: float) -> None:
        if bar.console.is_terminal:
            bar.update(shown, completed=tried, description=in_words(values), refresh=True)
        else:
            lines.reach(tried, f'best so far: {in_words(values)}')
    return show


def _objections(given: Namespace, tuned: Tuned) -> list[str]:
    """Return why the values of a Tuned are not to be used, in words."""
    if tuned.converged:
        return []
    if tuned.interrupted:
        return [f'interrupted after {tuned.trials} trials: there may be better values near by']
    return [f'not converged after {tuned.trials} trials (--trials {given.trials}): there may be '
            'better values near by']


def _check(given: Namespace) -> None:
    """Raise ValueError or OSError for impossible options, before the work starts."""
    require_file('--output', given.output)
    if given.scheduler is not None and given.processes is not None:
        raise ValueError('--processes: not together with --scheduler')


def _parameters(given: Namespace):
    """Return values by name for all bags; raises ValueError where recorded runs differ in them."""
    if not given.bags:
        return read_parameters(given.config or [], given.name)
    first, *others = (file_parameters(given, bag) for bag in given.bags)
    for bag, other in zip(given.bags[1:], others, strict=True):
        differing = [name for name in _SHARED if first.get(name) != other.get(name)
                     and getattr(given, name) is None]
        if differing:
            raise ValueError(f'{bag}: {differing[0]} of its run differs from the one of '
                             f'{given.bags[0]}; --{differing[0]} says which counts')
    return first


def _simulated(given: Namespace):
    """Return the Recordings of experiments."""
    mechanism = load_mechanism(given.mechanism)
    experiment = Experiment(mechanism, given.sensors, model_errors(given, mechanism),
                            given.duration, given.dt)
    return [experiment.recording(seed) for seed in given.seeds]


def _comments(given: Namespace, tuned: Tuned) -> list[str]:
    """Return the comments of the file on the origin of its values."""
    source = (', '.join(given.bags) or f'simulated experiments of {given.duration:g} s, seeds '
              f'{", ".join(map(str, given.seeds))}')
    errors = f'; model errors: {", ".join(given.model_errors)}' if given.model_errors else ''
    sign = -1.0 if given.criterion == 'likelihood' else 1.0
    return [f'Tuned on {source}{errors}.',
            f'{given.criterion}: {sign * tuned.loss_before:.5g} before, {sign * tuned.loss:.5g} '
            f'now, {tuned.trials} trials.']


_PER_TIME = {'velocity_rmse': '/s', 'acceleration_rmse': '/s²'}     # of criteria
_LIKE_READINGS = ('sigma', 'bias_sigma')        # settings of noise with the unit of the readings


def tuned_table(tuned: Tuned, criterion: str, name: str, mechanism: Mechanism,
                sensors: Sequence[Sensor]):
    """Return the table of a Tuned filter, by its name, beside the values before."""
    own = {sensor.name: sensor.unit for sensor in sensors}
    likely = criterion == 'likelihood'
    sign = -1.0 if likely else 1.0
    units = dict.fromkeys(mechanism.unit(one) for one in mechanism.independent)
    error = ' or '.join(f'{unit}{_PER_TIME.get(criterion, "")}' for unit in units)
    judged = ('log-likelihood per reading' if likely else f'{criterion} [{error}]',
              f'{sign * tuned.loss_before:.5g}', f'{sign * tuned.loss:.5g}')
    rows = [(_with_unit(setting, filter_class(name).Settings, own), _text(tuned.before[setting]),
             _text(value)) for setting, value in tuned.values.items()]
    return table(('', 'before', 'tuned'), [[judged], rows])


def in_words(values: Any) -> str:
    """Return settings in one line."""
    return ', '.join(f'{name} = {_text(value)}' for name, value in values.items())


def _with_unit(setting, settings_class, own):
    """Return the name of a setting, of a filter or of the noise of a sensor, with its unit.

    own: units of the readings of sensors, by name.
    """
    sensor, _, name = setting.rpartition('.')
    described = (NoiseSettings if sensor else settings_class).describe()
    unit = next((one.unit for key, _, one in described if key == name), '')
    if name in _LIKE_READINGS:
        unit = own.get(sensor, unit)
    return f'{setting} [{unit}]' if unit else setting


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return f'[{", ".join(map(_text, value))}]'
    return f'{value:.4g}' if isinstance(value, float) else str(value)
