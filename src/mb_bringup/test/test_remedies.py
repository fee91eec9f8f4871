"""Commands that mend an estimate: real command lines take them, for every machine and filter."""

from argparse import Namespace
from pathlib import Path
import shlex

import message_bags
import pytest
from test_launch_arguments import MODULES, started

from mb_bringup.arguments import check_names
from mb_estimators import Cause, available_filters
from mb_estimators.command_api import given_parameters
from mb_estimators.commands import tune
from mb_estimators.tuning.task import Task
from mb_estimators.tuning.tune import Tuned
from mb_evaluation.nodes import report
from mb_evaluation.recordings.remedies import (
    remedies_of_recording,
    remedies_of_run,
    settings_to_vary,
)
from mb_model import load_mechanism
from mb_model.file_api import GivenParameters
from mb_ros.states import joint_state
from mb_sensors import by_topic, sensors_of

MACHINES = 'four_bar', 'slider_crank', 'spatial_four_bar', 'six_axis_arm'      # two in space


def encoders(name):
    """Return the names of the angle encoders of a machine."""
    mechanism = load_mechanism(name)
    return [one.name for one in sensors_of(mechanism, list(mechanism.sensors))
            if one.kind == 'angle_encoder']


def units_of(name):
    machine = load_mechanism(name)
    return [machine.unit(one) for one in machine.independent]


def unlike(machine):
    """Return filters for a machine, one for each choice of settings to vary."""
    names = available_filters(load_mechanism(machine))
    chosen = {tuple(settings_to_vary(name, units_of(machine), {})): name for name in names}
    assert len(chosen) > 3
    return chosen.values()


def dry(name, mechanism, sensors, recordings, vary, dt, criterion, trials, seed, processes,
        scheduler, progress, **settings):
    """Stand for the search: settings as they are, if they can be varied."""
    task = Task(name, mechanism, tuple(sensors), dt, tuple(recordings), criterion, settings)
    assert [one.name for one in task.dimensions(vary)] == list(vary)
    values = {one: task.value(one) for one in vary}
    return Tuned(values, values, 1.0, 1.0, 1, True, False, ())


@pytest.fixture(autouse=True)
def in_a_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tune, 'tune', dry)


def bag_of(machine, folder):
    """Write a bag with two readings of the encoders of a machine; return its path."""
    topics = by_topic(sensors_of(load_mechanism(machine), encoders(machine)))
    message_bags.write_messages(folder, [
        (f'/{topic}', joint_state(stamp, encoders(machine), [0.1] * len(encoders(machine))))
        for stamp in (10 ** 9, 10 ** 9 + 5_000_000) for topic in topics])
    return str(folder)


def launch(command, tmp_path):
    """Ask the launch file of a command for what it starts."""
    words = shlex.split(command)
    assert words[:3] == ['ros2', 'launch', 'mb_bringup']
    file = words[3].removesuffix('.launch.py')
    given = dict(word.split(':=', 1) for word in words[4:])
    check_names(given, MODULES[file].ARGUMENTS)
    assert started(file, **given, results=str(tmp_path / 'results'))


def arguments_of(command, package, name):
    """Return the arguments of a command of a package."""
    words = shlex.split(command)
    assert words[:4] == ['ros2', 'run', package, name]
    return words[4:]


@pytest.mark.parametrize('has_bag', [True, False])
@pytest.mark.parametrize('machine', MACHINES)
def test_the_commands_after_a_failed_run_are_taken(machine, has_bag, tmp_path):
    sensors = encoders(machine)
    rates = [one.settings.rate for one in sensors_of(load_mechanism(machine), sensors)]
    bag = bag_of(machine, tmp_path / 'bag') if has_bag else ''
    for name in unlike(machine):
        figures = {
            'estimator': name, 'units': units_of(machine),
            'consistency': {'sensors': {one: {'cause': Cause.NOISE} for one in sensors}},
            'launched': {'bag': bag, 'rates': rates, 'arguments': {
                'mechanism': machine, 'estimator': name, 'sensors': sensors, 'duration': 0.05,
                'gravity_error': -1.0, 'start_error': 0.02}}}
        search, again = remedies_of_run(figures)
        words = arguments_of(search, 'mb_estimators', 'tune')
        assert (f'{sensors[0]}.sigma' in words) >= has_bag
        chosen = ['--mechanism', machine, '--estimator', name, '--sensors', *sensors]
        assert tune.main([*words, *(chosen if has_bag else []), '--force']) == 0, search
        launch(again, tmp_path)
        (tmp_path / 'tuned.yaml').unlink()


@pytest.mark.parametrize('machine', MACHINES)
def test_the_commands_in_the_report_of_a_recording_are_taken(machine, tmp_path):
    sensors = encoders(machine)
    bag = bag_of(machine, tmp_path / 'my bag')
    for name in unlike(machine):
        given = Namespace(bag=bag, config=None, mechanism=machine, settings=[
            'filter.initial_variance=0.01', 'model_errors.gravity=0.5', 'reorder_window=0.1'])
        figures = {'estimator': name, 'consistency': {
            one: {'cause': Cause.LASTING} for one in sensors}}
        commands = dict(remedies_of_recording(given, GivenParameters({}), figures,
                                              units_of(machine), has_forces=False))
        assert list(commands) == ['tune', 'look again', 'launch', 'estimate unknown forces']
        words = arguments_of(commands['tune'], 'mb_estimators', 'tune')
        assert words[words.index('--model-error') + 1] == 'gravity=0.5'
        assert tune.main(words) == 0, commands['tune']
        for what in ('look again', 'estimate unknown forces'):
            parsed = report._parser().parse_args(
                arguments_of(commands[what], 'mb_evaluation', 'report'))
            values = given_parameters(parsed).values
            assert values['model_errors.gravity'] == 0.5
            assert values['sensors'] == sensors
        launch(commands['launch'], tmp_path)
        (tmp_path / 'tuned.yaml').unlink()


BOTH = ['crank_encoder', 'crank_accelerometers']


@pytest.mark.parametrize(('sensors', 'estimator', 'given_too', 'expected'), [
    (BOTH, 'error_ekf_fe', [], [('kinematic_kf', 0.001, 20.0), ('error_ekf_fe', 0.001, 20.0),
                                ('error_ekf_fe', 0.001, 0.0)]),
    (BOTH[:1], 'error_ekf_fe', [], [('error_ekf_fe', 0.001, 20.0), ('error_ekf_fe', 0.001, 0.0)]),
    (BOTH, 'kinematic_kf', [], [('kinematic_kf', 0.001, 20.0), ('kinematic_kf', 0.001, 0.0)]),
    (BOTH, 'error_ekf_fe', ['dt=0.001'], [('kinematic_kf', 0.001, 20.0),
                                          ('error_ekf_fe', 0.001, 0.0)]),
    (BOTH, 'error_ekf_fe', ['filter.gate=0.0'], [('kinematic_kf', 0.001, 20.0),
                                                 ('error_ekf_fe', 0.001, 0.0)])])
def test_what_was_tuned_in_vain_is_not_tuned_again(sensors, estimator, given_too, expected,
                                                   tmp_path):
    """Its remedies are other reports; what was found for a filter is not given to another one."""
    bag = bag_of('four_bar', tmp_path / 'my bag')
    Path('tuned.yaml').write_text(
        'estimator: {ros__parameters: {dt: 0.005, filter: {acceleration_variance: 1.5}}}')
    Path('mine.yaml').write_text(
        'estimator: {ros__parameters: {longest_gap: 0.5, filter: {gate: 20.0}}}')
    given = report._parser().parse_args(
        [bag, '--mechanism', 'four_bar', '--config', 'mine.yaml', 'tuned.yaml', '--sensors',
         *sensors, '--estimator', estimator,
         *(word for one in given_too for word in ('--set', one))])
    remedies = remedies_of_recording(
        given, given_parameters(given), {'estimator': estimator, 'consistency': {
            one: {'cause': Cause.LASTING} for one in sensors}}, units_of('four_bar'), True)
    found, outputs = [], set()
    for _, command in remedies:
        parsed = report._parser().parse_args(arguments_of(command, 'mb_evaluation', 'report'))
        values = given_parameters(parsed).values
        assert (values['sensors'], values['longest_gap']) == (sensors, 0.5)
        assert ('filter.acceleration_variance' in values) == (values['estimator'] == estimator)
        found.append((values['estimator'], values['dt'], values['filter.gate']))
        outputs.add(parsed.output)
    assert found == expected
    assert len(outputs) == len(found)


@pytest.mark.parametrize(('estimator', 'units', 'causes', 'varied'), [
    ('error_ekf', ['rad'], {'a': Cause.NONE}, ['acceleration_psd']),
    ('error_ekf_fe', ['rad'], {'a': Cause.NOISE, 'b': Cause.LASTING, 'c': Cause.NOISE},
     ['acceleration_variance', 'a.sigma', 'c.sigma']),
    ('platform_ekf', ['rad', 'rad'], {}, ['angular_jerk_psd']),
    ('platform_ekf', ['m'], {}, ['jerk_psd']),
    ('platform_ekf', ['m', 'rad'], {}, ['jerk_psd', 'angular_jerk_psd']),
    ('hydraulic_ekf', ['rad'], {}, ['acceleration_psd', 'pressure_psd']),
    ('of_another_machine', ['rad'], {'a': Cause.NOISE}, [])])
def test_filter_machine_and_verdict_say_what_is_varied(estimator, units, causes, varied):
    assert settings_to_vary(estimator, units, causes) == varied
