"""Arguments of all launch files: described, and wrong ones told before anything is started."""

from importlib.util import module_from_spec, spec_from_file_location
import io
import logging
from pathlib import Path

from ament_index_python.packages import get_packages_with_prefixes
from launch import LaunchContext
from launch.logging import get_logger
from launch.utilities import perform_substitutions
from launch_ros.actions import Node
import pytest

FILES = sorted((Path(__file__).parents[1] / 'launch').glob('*.launch.py'))


def launch_file(path):
    """Return a launch file as a module."""
    spec = spec_from_file_location(path.name.replace('.', '_'), path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MODULES = {file.name.partition('.')[0]: launch_file(file) for file in FILES}
NUMBERS = [(file, name) for file, module in MODULES.items()
           for name, one in module.ARGUMENTS.items()
           if one.above is not None or one.at_least is not None]


def started(file, **given):
    """Ask a launch file for its processes, with all arguments at their defaults but some."""
    module, context = MODULES[file], LaunchContext()
    context.launch_configurations.update(
        {name: one.default for name, one in module.ARGUMENTS.items()} | given)
    return module.start_everything(context)


@pytest.mark.parametrize('file', MODULES)
def test_every_argument_is_described(file):
    declared = MODULES[file].generate_launch_description().get_launch_arguments()
    assert len(declared) == len(MODULES[file].ARGUMENTS)
    for one in declared:
        assert len(one.description) > 10, one.name
        value = ''.join(part.text for part in one.default_value)
        assert not one.choices or value in one.choices, one.name


@pytest.mark.parametrize(('file', 'name'), NUMBERS)
@pytest.mark.parametrize('wrong', ['many', '-1e3', 'nan'])
def test_wrong_numbers_are_told(file, name, wrong):
    with pytest.raises(ValueError, match=f"^{name}: '?{wrong}'? must be (a number|>)"):
        started(file, **{name: wrong})


@pytest.mark.parametrize(('file', 'given', 'told'), [
    ('three_simulation', {'mechanism': 'nope'}, 'nope: unknown mechanism, expected one of'),
    ('three_simulation', {'sensors': 'a'}, 'a: unknown sensor of four_bar, expected one of'),
    ('three_simulation', {'seed': '1.5'}, "seed: '1.5' must be a whole number"),
    ('three_simulation', {'gravity_error': 'inf'}, "gravity_error: 'inf' must be a number"),
    ('three_simulation', {'config': 'nope'}, 'config: nope: no such file, nor one of'),
    ('crane_payload', {'cycle': 'nope'}, 'cycle: nope: no such file, nor one of crane'),
    ('crane_payload', {'mechanism': 'four_bar'}, "load: four_bar has no parameter 'load'"),
    ('parallel_robot_contact', {'collisions': 'nope'}, 'collisions: nope: no such file'),
    ('parallel_robot_contact', {'reaction_delay': '0.004'}, 'must be 0 or >= 0.009: with imu:=la'),
    ('parallel_robot_contact', {'publish_rate': '50'},
     r'reaction_delay: 0.015 must be 0 or >= 0.028: .* publish_rate:=50 .*0.02 s from state to'),
    ('parallel_robot_contact', {'results': '/dev/null/x'}, 'results: /dev/null'),
    ('parallel_robot_contact', {'priority': '1000'}, 'priority: 1000: not to be had .*1 to 99'),
])
def test_other_wrong_values_are_told(file, given, told, tmp_path):
    with pytest.raises(ValueError, match=told):
        started(file, **{'results': str(tmp_path), **given})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize('given', [
    {'reaction_delay': '0.009'}, {'reaction_delay': '0.005', 'imu': 'ideal'},
    {'reaction_delay': '0.028', 'publish_rate': '50'},
    {'reaction': 'none', 'publish_rate': '10'}])
def test_delays_that_are_just_long_enough_are_taken(given, tmp_path):
    assert started('parallel_robot_contact', results=str(tmp_path), **given)


@pytest.mark.parametrize('file', MODULES)
@pytest.mark.parametrize(('view', 'told'), [
    pytest.param('rviz', 'view: rviz2 is not installed here', marks=pytest.mark.skipif(
        'rviz2' in get_packages_with_prefixes(), reason='rviz2 is installed')),
    ('web', 'view: .*pip install rerun-sdk==')])
def test_viewers_that_are_not_there_are_told(file, view, told, tmp_path, monkeypatch):
    monkeypatch.setattr('mb_bringup.live.server.find_spec', lambda _: None)     # where Rerun is
    with pytest.raises(ValueError, match=told):
        started(file, results=str(tmp_path), view=view)
    assert list(tmp_path.iterdir()) == []


def test_misspelled_arguments_are_told():
    """Launch passes over them in silence."""
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    logger = get_logger('launch')
    logger.addHandler(handler)
    try:
        with pytest.raises(ValueError, match='duration'):
            started('three_simulation', estimater='ukf', somebodys='own', duration='0')
    finally:
        logger.removeHandler(handler)
    assert lines.getvalue() == 'estimater: no such argument, is estimator meant?\n'


@pytest.mark.parametrize(('composed', 'processes'), [
    ('true', ['compose']), ('two', ['compose', 'compose']),
    ('false', ['contact_detector', 'estimator', 'sensor_driver'])])
def test_what_is_composed_shares_a_process(composed, processes, tmp_path):
    actions = started('parallel_robot_contact', composed=composed, results=str(tmp_path))
    found = sorted(action.node_executable for action in actions if isinstance(action, Node))
    assert found == sorted(['prototype', 'contact_monitor', *processes])


@pytest.mark.parametrize('composed', ['true', 'false'])
def test_a_priority_goes_to_nodes_of_the_machine_and_not_to_those_that_look_on(
        composed, tmp_path, monkeypatch):
    monkeypatch.setattr('mb_bringup.launched.arguments.check_priority', int)
    actions = started('parallel_robot_contact', composed=composed, priority='40',
                      results=str(tmp_path))
    prefixes = {action.node_executable: perform_substitutions(
        LaunchContext(), action.process_description.prefix)
        for action in actions if isinstance(action, Node)}
    first = ['compose'] if composed == 'true' else ['sensor_driver', 'estimator',
                                                    'contact_detector']
    assert prefixes.pop('contact_monitor').endswith('nice -n 10')
    assert prefixes == {'prototype': '', **dict.fromkeys(first, 'chrt --fifo 40')}


def test_a_priority_needs_a_program(tmp_path, monkeypatch):
    monkeypatch.setenv('PATH', str(tmp_path))
    with pytest.raises(ValueError, match=r'^priority: 40: not to be had .*chrt'):
        started('three_simulation', priority='40', results=str(tmp_path))
