"""Parameter files of the user count more than what launch files choose without an argument."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
import re

from launch import LaunchContext
from launch.actions import LogInfo
from launch.utilities import perform_substitutions
from launch_ros.actions import Node
import pytest
import yaml

from mb_model.file_api import RECORDED, read_parameters

LAUNCH = Path(__file__).parents[1] / 'launch'
WINDOW = {'estimator': {'reorder_window': 0.25}}


def recorded(file, folder, given, **arguments):
    """Return (file of all parameters, words of composed nodes) of a run that is not started.

    given: {node: parameters} of a file.
    """
    spec = spec_from_file_location(file, LAUNCH / f'{file}.launch.py')
    module, context = module_from_spec(spec), LaunchContext()
    spec.loader.exec_module(module)
    config = folder / 'given.yaml'
    config.write_text(yaml.safe_dump({
        node: {'ros__parameters': values} for node, values in given.items()}))
    context.launch_configurations.update(
        {name: one.default for name, one in module.ARGUMENTS.items()}
        | {'config': str(config), 'results': str(folder)} | arguments)
    actions = module.start_everything(context)
    words = [perform_substitutions(context, word) for action in actions
             if isinstance(action, Node) for word in action.cmd]
    for action in actions:
        if isinstance(action, LogInfo):
            action.execute(context)
    return folder / 'latest' / RECORDED, words


@pytest.mark.parametrize('file', ['three_simulation', 'crane_payload', 'excavator_weighing',
                                  'parallel_robot_contact'])
def test_the_window_of_a_file_counts(file, tmp_path):
    parameters, words = recorded(file, tmp_path, WINDOW)
    assert read_parameters([parameters], 'estimator')['reorder_window'] == 0.25
    assert not any(word.startswith('reorder_window:=') for word in words)


def test_without_one_the_launch_file_chooses(tmp_path):
    parameters, words = recorded('three_simulation', tmp_path, {'estimator': {'dt': 0.005}})
    assert read_parameters([parameters], 'estimator')['reorder_window'] == 2.0
    assert 'reorder_window:=2.0' in words


def test_gates_of_a_file_count_on_a_bad_line(tmp_path):
    parameters, words = recorded('three_simulation', tmp_path, {
        'estimator': {'crank_encoder': {'gate': 'inflate'}}}, disturbed='0.01')
    assert read_parameters([parameters], 'estimator')['crank_encoder.gate'] == 'inflate'
    assert 'crank_encoder.gate:=reject' not in words


def test_an_argument_counts_more_than_a_file_and_a_line_says_so(tmp_path, said):
    parameters, _ = recorded('three_simulation', tmp_path, {
        'estimator': {'model_errors': {'gravity': -3.0}}, 'prototype': {'duration': 5.0},
        'accuracy_monitor': {'seed': 0, 'patience': 9.0}}, gravity_error='-2.0')
    assert read_parameters([parameters], 'estimator')['model_errors.gravity'] == -2.0
    assert sorted(set(re.findall('config: .*', said()))) == [
        f'config: {name} is not used, but {value} as the arguments of this launch say'
        for name, value in (('estimator: model_errors.gravity: -3.0', -2.0),
                            ('prototype: duration: 5.0', 10.0))]
