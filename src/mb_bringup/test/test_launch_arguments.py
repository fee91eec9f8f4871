"""Arguments of all launch files: described, and wrong ones reported before anything starts."""

from importlib.util import module_from_spec, spec_from_file_location
import io
import logging
from pathlib import Path
import subprocess
import sys

from ament_index_python.packages import get_packages_with_prefixes
from hypothesis import HealthCheck, given, settings, strategies as st
from launch import LaunchContext
from launch.logging import get_logger
from launch.utilities import perform_substitutions
from launch_ros.actions import Node
import pytest
import yaml

from mb_bringup import launched_run
from mb_bringup.arguments import check_names, config_files
from mb_bringup.chosen_filter import check_settings
from mb_bringup.interrupted import before_node
from mb_estimators.estimator_setup import EstimatorSettings
from mb_estimators.stream import StreamSettings
from mb_evaluation.nodes.contact_monitor import ContactMonitorSettings
from mb_evaluation.nodes.monitor import MonitorSettings
from mb_evaluation.nodes.payload_monitor import PayloadMonitorSettings
from mb_evaluation.nodes.weighing_monitor import WeighingBounds
from mb_model import ModelErrors, load_mechanism, mechanism_names
from mb_model.nodes.model_simulation import SimulationSettings as ModelSettings
from mb_sensors.nodes.simulated_readings import SimulationSettings
from mb_simulation.control.control_loop import ControlSettings
from mb_simulation.control.planning import TrajectorySettings
from mb_simulation.disturbance import DisturbanceSettings
from mb_simulation.nodes.prototype_settings import PrototypeSettings
from mb_simulation.prototypes.unmodelled import UnmodelledSettings

SETTINGS = {        # executable -> settings that it makes of its parameters, and their prefixes
    'prototype': [(PrototypeSettings, ''), (TrajectorySettings, 'trajectory.'),
                  (ControlSettings, 'control.'), (UnmodelledSettings, 'unmodelled.')],
    'estimator': [(EstimatorSettings, ''), (StreamSettings, ''), (ModelErrors, 'model_errors.')],
    'model_simulation': [(ModelSettings, ''), (ModelErrors, 'model_errors.')],
    'sensor_driver': [(SimulationSettings, '')], 'disturber': [(DisturbanceSettings, '')],
    'accuracy_monitor': [(MonitorSettings, ''), (ModelErrors, 'model_errors.')],
    'contact_monitor': [(ContactMonitorSettings, '')],
    'payload_monitor': [(PayloadMonitorSettings, '')],
    'weighing_monitor': [(WeighingBounds, '')]}
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
           if one.kind is not str]


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
@pytest.mark.parametrize('wrong', ['many', '-1e30', 'nan'])
def test_wrong_numbers_are_reported(file, name, wrong):
    with pytest.raises(ValueError, match=f"^{name}: '?{wrong}'? must be (a (whole )?number|>)"):
        started(file, **{name: wrong})


@pytest.mark.parametrize(('file', 'given', 'message'), [
    ('three_simulation', {'mechanism': 'nope'}, 'nope: unknown mechanism, expected one of'),
    ('three_simulation', {'sensors': 'a'}, 'a: unknown sensor of four_bar, expected one of'),
    ('three_simulation', {'estimator': 'nope'},
     "estimator: 'nope' must be one of adaptive_error_ekf_fe, "),
    ('three_simulation', {'seed': '1.5'}, "seed: '1.5' must be a whole number"),
    ('three_simulation', {'start_error': '11 deg'},
     "start_error: '11 deg' must be a number without a unit: write 0.19198"),
    ('three_simulation', {'gravity_error': 'inf'}, "gravity_error: 'inf' must be a number"),
    ('three_simulation', {'estimator': 'hydraulic_kinematic_ekf'},
     'hydraulic_kinematic_ekf: four_bar: needs a mechanism with hydraulics, .* are .*error_ekf,'),
    ('three_simulation', {'config': 'nope'}, 'config: nope: no such file, nor one of'),
    ('crane_payload', {'estimator': 'error_ekf'},
     'error_ekf: pressure1: a pressure sensor says nothing about the motion'),
    ('crane_payload', {'cycle': 'nope'}, 'cycle: nope: no such file, nor one of crane'),
    ('crane_payload', {'mechanism': 'four_bar'}, "load: four_bar has no parameter 'load'"),
    ('crane_payload', {'arm_bending_stiffness': '1e6', 'prototype': 'multibody'},
     'prototype: multibody has the physics of the model alone, expected mujoco'),
    ('three_simulation', {'joint_clearance': '1e-4'},
     'four_bar.yaml: unmodelled.joint_clearance: 0.0001 must be 0 without a joint_stiffness'),
    ('parallel_robot_contact', {'mechanism': 'delta', 'collisions': 'delta', 'imu': 'ideal',
                                'joint_stiffness': '1e5'},
     'joint_stiffness: 100000 must be 0: only for mechanisms in the plane'),
    ('parallel_robot_contact', {'collisions': 'nope'}, 'collisions: nope: no such file'),
    ('parallel_robot_contact', {'reaction_delay': '0.004'}, 'must be 0 or >= 0.009: with imu:=la'),
    ('parallel_robot_contact', {'publish_rate': '50'},
     r'reaction_delay: 0.015 must be 0 or >= 0.028: .* publish_rate:=50 .*0.02 s from state to'),
    ('parallel_robot_contact', {'results': '/dev/null/x'}, 'results: /dev/null'),
    ('parallel_robot_contact', {'priority': '1000'}, 'priority: 1000: not to be had .*1 to 99'),
])
def test_other_wrong_values_are_reported(file, given, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        started(file, **{'results': str(tmp_path), **given})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(('given', 'meant'), [
    ({'parameters': ['gravity.y']}, ', is filter.parameters meant[?]'),
    ({'filter': {'acceleration_pds': 0.1}}, ', is filter.acceleration_psd meant[?]'),
    ({'crank_encodr': {'sigma': 0.1}}, ', is crank_encoder.sigma meant[?]'),
    ({'zzz': 1.0}, '$')])
def test_settings_in_a_config_that_no_estimator_has_are_reported(given, meant, tmp_path):
    config, name = tmp_path / 'config.yaml', '.*'.join(given)
    config.write_text(yaml.safe_dump({'estimator': {'ros__parameters': given}}))
    with pytest.raises(ValueError, match=f'^config: estimator: {name}.*: no such setting of an '
                       f'estimator{meant}'):
        started('three_simulation', config=str(config), results=str(tmp_path / 'results'))
    # for other nodes, too
    config.write_text(yaml.safe_dump({'/**': {'ros__parameters': given}}))
    assert started('three_simulation', config=str(config), results=str(tmp_path / 'results'))


def test_no_filter_is_imported_for_settings_that_the_chosen_one_has(tmp_path):
    """To import one loads, or compiles, its kernels before anything starts."""
    config = tmp_path / 'config.yaml'
    config.write_text(yaml.safe_dump(
        {'estimator': {'ros__parameters': {'dt': 0.001, 'filter': {'acceleration_psd': 0.1}}}}))
    program = (
        'import sys; from mb_bringup.chosen_filter import check_settings; '
        'from mb_model import load_mechanism; '
        "check_settings(sys.argv[1:], load_mechanism('four_bar'), 'error_ekf'); "
        "print(*(name for name in sys.modules if name.startswith('mb_estimators.filters.')))")
    imported = subprocess.run([sys.executable, '-c', program, str(config)], text=True, check=True,
                              stdout=subprocess.PIPE).stdout.split()
    assert 'mb_estimators.filters.error_ekf' in imported
    assert 'mb_estimators.filters.unscented' not in imported


@pytest.mark.parametrize('file', sorted((Path(__file__).parents[1] / 'config').glob('*.yaml')),
                         ids=lambda file: file.stem)
def test_estimators_have_all_settings_of_the_configs_that_come_with_us(file):
    mechanism = max((name for name in mechanism_names() if name in file.stem), key=len)
    check_settings([str(file)], load_mechanism(mechanism), 'error_ekf')


@pytest.mark.parametrize(('file', 'sensor', 'given'), [
    ('three_simulation', 'crank_encoder', {}), ('crane_payload', 'pressure2', {}),
    ('parallel_robot_contact', 'drive_encoder1', {'imu': 'ideal'})])
def test_sensors_that_a_config_leaves_without_noise_are_reported(file, sensor, given, tmp_path):
    config = tmp_path / 'config.yaml'
    for value, message in (
            (0.0, f'^{sensor}.sigma: must be > 0'), (-1.0, rf'^config: {sensor}\.sigma: -1')):
        config.write_text(yaml.safe_dump(
            {'estimator': {'ros__parameters': {sensor: {'sigma': value, 'resolution': 0.0}}}}))
        with pytest.raises(ValueError, match=message):
            started(file, config=str(config), results=str(tmp_path), **given)
    assert list(tmp_path.iterdir()) == [config]


@pytest.mark.parametrize('given', [
    {'reaction_delay': '0.009'}, {'reaction_delay': '0.005', 'imu': 'ideal'},
    {'reaction_delay': '0.028', 'publish_rate': '50'},
    {'reaction': 'none', 'publish_rate': '10'},
    {'mechanism': 'delta', 'collisions': 'delta', 'imu': 'ideal'},
    {'mechanism': 'stewart_legs', 'collisions': 'stewart_legs', 'trajectory': 'random',
     'imu': 'ideal'}])
def test_delays_that_are_just_long_enough_are_taken(given, tmp_path):
    assert started('parallel_robot_contact', results=str(tmp_path), **given)


def refusal(file, **given):
    """Return why arguments are refused, '' if they are not."""
    try:
        started(file, **given)
    except (ValueError, OSError) as error:
        return str(error) or 'no words'
    return ''


@pytest.fixture(scope='module')
def results(tmp_path_factory):
    return str(tmp_path_factory.mktemp('results'))


@pytest.mark.fuzz
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_argument_does_worse_than_a_refusal(results, data):
    file = data.draw(st.sampled_from(sorted(MODULES)))
    arguments = MODULES[file].ARGUMENTS
    texts = st.one_of(
        st.sampled_from(['1e308', '-1e308', '9' * 20, '9' * 400, '9' * 5000, '5e-324', 'inf', '0x7',
                         '1_0', ' 1 ', '~nosuchuser', 'a\0b', '../..', '/dev/null', '', 'x' * 5000,
                         'off', 'null', 'True', '[', '{}', '$(env HOME)', ',', ',,', '.', '/']),
        st.floats().map(repr), st.integers().map(str), st.text(max_size=8))
    names = data.draw(st.lists(st.sampled_from(sorted(set(arguments) - {'results', 'view'})),
                               min_size=1, max_size=2, unique=True))
    words = refusal(file, results=results, **{name: data.draw(texts) for name in names})
    assert words != 'no words'


@pytest.mark.parametrize(('file', 'name'), NUMBERS)
def test_the_ends_of_ranges_are_taken_by_the_nodes(file, name, results, monkeypatch):
    """Unless two of them together are refused, which is said before a node begins."""
    given_to = []

    def noting(made, place):
        def note(*arguments, **options):
            values = arguments[-2 if made is launched_run.part else -1]
            given_to.append((arguments[place], values))
            return made(*arguments, **options)
        return note

    monkeypatch.setattr('mb_bringup.arguments.check_priority', int)
    monkeypatch.setattr(launched_run, 'part', noting(launched_run.part, 1))
    monkeypatch.setattr(launched_run.LaunchedRun, 'node',
                        noting(launched_run.LaunchedRun.node, 2))
    for end in MODULES[file].ARGUMENTS[name].range:
        others = {'duration': '1000.0'} if name in ('publish_rate', 'estimate_rate') else {}
        refused = refusal(file, **{**others, 'results': results, name: str(end)})
        assert refused == '' or file == 'replay' or any(
            one in refused for one in ('states', 'reaction_delay', 'without a joint_stiffness'))
    for executable, parameters in given_to:
        for settings_class, prefix in SETTINGS.get(executable, ()):
            settings_class(**{one: parameters[prefix + one]
                              for one, _, _ in settings_class.describe()
                              if prefix + one in parameters})


@pytest.mark.parametrize('file', MODULES)
@pytest.mark.parametrize(('view', 'message'), [
    pytest.param('rviz', 'view: rviz2 is not installed here', marks=pytest.mark.skipif(
        'rviz2' in get_packages_with_prefixes(), reason='rviz2 is installed')),
    ('web', 'view: .*pip install rerun-sdk==')])
def test_viewers_that_are_not_there_are_reported(file, view, message, tmp_path, monkeypatch):
    monkeypatch.setattr('mb_evaluation.live.server.find_spec', lambda _: None)     # where Rerun is
    with pytest.raises(ValueError, match=message):
        started(file, results=str(tmp_path), view=view)
    assert list(tmp_path.iterdir()) == []


def refused(name):
    """Return why a name is no argument of three_simulation, '' if it is one."""
    try:
        check_names([name], MODULES['three_simulation'].ARGUMENTS)
    except ValueError as error:
        return str(error)
    return ''


def test_unknown_arguments_are_refused():
    assert refused('estimator') == ''
    assert refused('estimater') == 'estimater: no such argument, is estimator meant?'
    assert refused('filter').startswith('filter: no such argument, expected one of mechanism, est')


def test_misspelled_arguments_of_an_including_launch_file_are_reported():
    """It may have arguments of its own, which launch passes on to all that it includes."""
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


@pytest.mark.parametrize(('disturbed', 'limit'), [('0.0', None), ('0.01', 80.0), ('0.01', 20.0)])
def test_torques_of_motors_come_over_the_bad_line_too(disturbed, limit, tmp_path):
    """Beyond twice what the controller commands, they are left out."""
    config = tmp_path / 'config.yaml'
    config.write_text(yaml.safe_dump({'prototype': {'ros__parameters': {
        'control': {'torque_limit': 10.0}} if limit == 20.0 else {}}}))
    composed, = (action for action in started(
        'parallel_robot_contact', torques='measured', disturbed=disturbed, config=str(config),
        results=str(tmp_path)) if isinstance(action, Node) and action.node_executable == 'compose')
    words = [perform_substitutions(LaunchContext(), word) for word in composed.cmd]
    detector = words[words.index('mb_contact/contact_detector'):]
    assert ('motor_torques:=disturbed/motor_torques' in detector) == (limit is not None)
    assert [word for word in detector if word.startswith('torque_limit')] == (
        [] if limit is None else [f'torque_limit:={limit}'])


@pytest.mark.parametrize('composed', ['true', 'false'])
def test_a_priority_goes_to_nodes_of_the_machine_and_not_to_those_that_look_on(
        composed, tmp_path, monkeypatch):
    monkeypatch.setattr('mb_bringup.arguments.check_priority', int)
    actions = started('parallel_robot_contact', composed=composed, priority='40',
                      results=str(tmp_path))
    prefixes = {action.node_executable: perform_substitutions(
        LaunchContext(), action.process_description.prefix).removeprefix(
            ' '.join(before_node())).strip()
        for action in actions if isinstance(action, Node)}
    first = ['compose'] if composed == 'true' else ['sensor_driver', 'estimator',
                                                    'contact_detector']
    assert prefixes.pop('contact_monitor').endswith('nice -n 10')
    command = 'env MB_LOCK_MEMORY=1 chrt --fifo 40'
    assert prefixes == {'prototype': '', **dict.fromkeys(first, command)}


def test_a_priority_needs_a_program(tmp_path, monkeypatch):
    monkeypatch.setenv('PATH', str(tmp_path))
    with pytest.raises(ValueError, match=r'^priority: 40: not to be had .*chrt'):
        started('three_simulation', priority='40', results=str(tmp_path))


def test_an_imported_machine_takes_no_file_of_ours_by_its_name():
    """A URDF of a delta without drives is not to follow the trajectory of our delta."""
    other = load_mechanism(
        Path(__file__).parents[2] / 'mb_import' / 'test' / 'descriptions' / 'delta.urdf')
    assert other.name == 'delta'
    assert config_files(other, '') == []
    assert [Path(file).name for file in config_files(load_mechanism('delta'), '')] == ['delta.yaml']


@pytest.mark.parametrize('name', ['four_bar', 'six_axis_arm'])
def test_a_machine_without_sensors_is_answered_with_what_to_write(name):
    """In the plane and in space: what the message proposes is read, and is chosen then."""
    choose, whole = MODULES['three_simulation'].chosen_sensors, load_mechanism(name)
    bare = whole.replace(sensors=dict.fromkeys(whole.sensors), sensor_groups=None)
    with pytest.raises(ValueError, match='has none; expected some in its file') as caught:
        choose(bare, '')
    entries = yaml.safe_load(str(caught.value).partition('such as sensors: ')[2])
    given = bare.replace(sensors=entries)
    assert [sensor.name for sensor in choose(given, ', '.join(entries))] == list(entries)
