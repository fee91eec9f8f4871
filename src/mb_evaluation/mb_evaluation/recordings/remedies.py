"""Commands that mend an estimate whose claims do not hold: tune, look again, launch.

One rule says which settings are to be varied, for runs and for recordings: settings by which the
filter trusts its model less on this machine, and the noise of sensors that the verdict names.
"""

from argparse import Namespace
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil, lcm
import os
from pathlib import Path
from shlex import join
from typing import Any

from mb_estimators import Cause, StreamSettings, available_filters, filter_class
from mb_estimators.command_api import recorded_parameters
from mb_model import load_mechanism
from mb_model.file_api import GivenParameters
from mb_sensors import sensors_of

# Settings of filters that make them trust their model less
PLANT_NOISE = ('acceleration_psd', 'acceleration_variance', 'jerk_psd', 'angular_jerk_psd',
               'pressure_psd', 'noise_force')
LENGTHS, ANGLES = 'jerk_psd', 'angular_jerk_psd'    # of a filter that has one for each
MOST = 2                # settings of a filter that are searched together
LEAST_RATE = 200        # instants of simulated experiments per second [Hz]
TUNED, OF_FORCES, WITHOUT_MASSES = 'tuned.yaml', 'error_ekf_fe', 'kinematic_kf'
SHARE = 0.2             # of the step of a filter: so small is one that follows fast motion ...
LEAST_STEP = 1e-3       # ... unless it is as small already [s]
ACCELEROMETER = 'accelerometer'     # kind of sensors
_REPORT = 'ros2', 'run', 'mb_evaluation', 'report'
_OF_FILTER, _OF_MODEL = 'filter.', 'model_errors.'  # prefixes of parameters of the estimator


def settings_to_vary(estimator: str, units: Collection[str],
                     causes: Mapping[str, str]) -> list[str]:
    """Return the settings that `tune` is to vary, nothing for a filter that is not installed.

    estimator: its name; units: of the degrees of freedom of the machine; causes: the Cause of the
    innovations of every sensor, by name.  Without a setting of the filter, the noise of all
    sensors.
    """
    if estimator not in available_filters():
        return []
    declared = {name for name, _, _ in filter_class(estimator).Settings.describe()}
    if ANGLES in declared:
        declared -= {LENGTHS} if set(units) <= {'rad'} else set()
        declared -= set() if 'rad' in units else {ANGLES}
    varied = [name for name in PLANT_NOISE if name in declared][:MOST] + [
        f'{name}.sigma' for name, cause in causes.items() if cause == Cause.NOISE]
    return varied or [f'{name}.sigma' for name in causes]


def remedies_of_run(figures: Mapping[str, Any]) -> list[str]:
    """Return the command that tunes the filter of a run, and the launch with its result.

    figures: of an accuracy report, with `launched`.  On its bag; where it has none, on simulated
    experiments, whose sensors are as noisy as declared.
    """
    bag, arguments = (figures['launched'][key] for key in ('bag', 'arguments'))
    causes = dict.fromkeys(arguments['sensors'], Cause.NONE)
    if bag:
        causes |= {name: one['cause'] for name, one in figures['consistency']['sensors'].items()}
    varied = settings_to_vary(figures['estimator'], figures['units'], causes)
    if not varied:
        return []
    source = [_short(bag)] if bag else [
        '--mechanism', _short(arguments['mechanism']), '--estimator', arguments['estimator'],
        '--sensors', *arguments['sensors'],
        *_options('--model-error', (f'{name}={arguments[key]:.9g}' for name, key in (
            ('gravity', 'gravity_error'), ('z0', 'start_error')))),
        '--duration', f'{arguments["duration"]:g}',
        '--dt', f'{_step(figures["launched"]["rates"]):.9g}']
    return [join(_tune(source, varied)),
            join(_launch('three_simulation', {**arguments, 'config': TUNED}))]


def remedies_of_recording(given: Namespace, parameters: GivenParameters,
                          figures: Mapping[str, Any], units: Collection[str],
                          has_forces: bool) -> list[tuple[str, str]]:
    """Return (what for, command) of what mends an estimate of the readings in a bag, in turn.

    given: parsed options of the report; figures: of an estimate report; units: of the degrees of
    freedom; has_forces: whether it estimates unknown ones.
    """
    if is_tuned(given):
        return _after_tuning(given, parameters, figures)
    sensors = figures['consistency']
    varied = settings_to_vary(figures['estimator'], units,
                              {name: one['cause'] for name, one in sensors.items()})
    if not varied:
        return []
    bag, dt = str(given.bag), parameters.settings_of(StreamSettings).dt
    files = [str(file) for file in given.config or recorded_parameters(given.bag)]
    files = [*(file for file in files if file != TUNED), TUNED]
    errors = _given(given, _OF_MODEL)
    tune = _tune([bag, *_chosen(given, sensors), '--estimator', figures['estimator'],
                  '--dt', f'{dt:g}', *_options('--set', _given(given, _OF_FILTER)),
                  *_options('--model-error', errors)], varied)
    wrong = _options('--set', [_OF_MODEL + one for one in errors])
    again = [*_REPORT, bag, '--config', *files, *wrong, '--output', f'{_name(bag)}_tuned']
    commands = [('tune', tune), ('look again', again),
                ('launch', _launch('replay', {'bag': bag, 'config': ','.join(files)}))]
    if not has_forces and any(one['cause'] == Cause.LASTING for one in sensors.values()):
        commands.append(('estimate unknown forces', [
            *_REPORT, bag, *_chosen(given, sensors), '--estimator', OF_FORCES, *wrong, '--output',
            f'{_name(bag)}_{OF_FORCES}']))
    return [(what, join(words)) for what, words in commands]


def is_tuned(given: Namespace) -> bool:
    """Return whether an estimate is made with the settings that `tune` found."""
    return any(Path(file).name == TUNED for file in given.config or ())


def _after_tuning(given: Namespace, parameters: GivenParameters,
                  figures: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (what for, command) of what else there is where tuned settings do not help.

    A filter without masses comes first, where accelerometers measure the accelerations; it does not
    get what was found for another filter.
    """
    name, names = figures['estimator'], list(figures['consistency'])
    step = parameters.settings_of(StreamSettings).dt
    is_long = step > LEAST_STEP
    new_step = f'dt={SHARE * step if is_long else step:g}'
    mechanism = load_mechanism(given.mechanism)
    others = [file for file in given.config if Path(file).name != TUNED]
    causes: list[tuple[str, str, Namespace, list[str]]] = []
    if name != WITHOUT_MASSES and WITHOUT_MASSES in available_filters(mechanism) and any(
            sensor.kind == ACCELEROMETER for sensor in sensors_of(mechanism, names)):
        causes.append(('masses or forces are not known', WITHOUT_MASSES, Namespace(
            mechanism=given.mechanism, config=others), [new_step]))
    if is_long:
        causes.append(('motion is fast between readings', name, given, [new_step]))
    if parameters.values.get('filter.gate') != 0.0 and any(
            setting == 'gate' for setting, _, _ in filter_class(name).Settings.describe()):
        causes.append(('the machine is pushed', name, given, [new_step, 'filter.gate=0.0']))
    kept = [one for one in given.settings if one.startswith((_OF_FILTER, _OF_MODEL))]
    return [(why, join([
        *_REPORT, str(given.bag), *_chosen(of, names), '--estimator', estimator,
        *_options('--set', [*(one for one in kept if estimator == name
                              or one.startswith(_OF_MODEL)), *changes]),
        '--output', '_'.join([_name(given.bag), estimator, *changes])]))
        for why, estimator, of, changes in causes]


def against_truth(given: Namespace, estimator: str, sensors: Sequence[str]) -> str:
    """Return the command that compares a filter, by its name, with the truth in the bag."""
    return join(['ros2', 'run', 'mb_evaluation', 'compare', str(given.bag),
                 *_chosen(given, sensors), '--estimators', estimator])


def _step(rates: Iterable[float]) -> float:
    """Return the longest step [s] of at least LEAST_RATE on which readings of all rates fall.

    rates: of sensors [Hz], whole numbers where there is such a step; 0: one at every instant.
    """
    common = lcm(*(max(1, round(rate)) for rate in rates))
    return 1.0 / (common * ceil(LEAST_RATE / common))


def _tune(options: Sequence[str], varied: Sequence[str]) -> list[str]:
    """Return the words of the command that varies settings of a filter and writes TUNED."""
    return ['ros2', 'run', 'mb_estimators', 'tune', *options, '--vary', *varied, '--output', TUNED]


def _launch(name: str, arguments: Mapping[str, Any]) -> list[str]:
    """Return `ros2 launch` of a launch file of mb_bringup, by its name, with its arguments."""
    return ['ros2', 'launch', 'mb_bringup', f'{name}.launch.py',
            *(f'{key}:={_text(value)}' for key, value in arguments.items())]


def _text(value: Any) -> str:
    """Return the value of a launch argument as text."""
    if isinstance(value, (list, tuple)):
        return ', '.join(value)
    return f'{value:.9g}' if isinstance(value, float) else str(value)


def _short(path: str) -> str:
    """Return a path relative to the present folder, if it is inside; a name stays."""
    relative = os.path.relpath(path)
    return relative if Path(path).is_absolute() and not relative.startswith('..') else path


def _name(bag: str) -> str:
    """Return a name for what is made of a bag."""
    path = Path(bag).resolve()
    return path.parent.name if path.name == 'bag' else path.stem


def _given(given: Namespace, prefix: str) -> list[str]:
    """Return the NAME=VALUE of --set whose names have a prefix, without it."""
    return [one.removeprefix(prefix) for one in given.settings if one.startswith(prefix)]


def _options(option: str, values: Iterable[str]) -> list[str]:
    """Return the words of an option that is given once for each of the values."""
    return [word for value in values for word in (option, value)]


def _chosen(given: Namespace, sensors: Iterable[str]) -> list[str]:
    """Return options that say which machine, sensors and parameters count."""
    files = ['--config', *map(str, given.config)] if given.config else []
    return ['--mechanism', given.mechanism, '--sensors', *sensors, *files]
