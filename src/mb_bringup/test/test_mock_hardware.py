"""ros2_control with mock hardware: what is described, and what a launch starts with it."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from xml.etree import ElementTree

from ament_index_python.packages import PackageNotFoundError
from launch import LaunchContext
from launched_nodes import LAUNCH_FILES
import pytest
import yaml

from mb_bringup import mock_hardware
from mb_bringup.arguments import SHARE
from mb_bringup.launched_run import LaunchedRun
from mb_bringup.mock_hardware import description
from mb_model import load_mechanism

WHOLE_IMU = {f'{vector}.{axis}' for vector, axes in (
    ('orientation', 'xyzw'), ('angular_velocity', 'xyz'), ('linear_acceleration', 'xyz'))
    for axis in axes}
MACHINES = {        # joints, commanded; sensors by their names
    'four_bar': (['crank_joint'], {'coupler_imu': WHOLE_IMU}),
    'quadruped_leg': (['abduction_joint', 'hip_joint', 'lever_joint'], {
        'foot_imu': WHOLE_IMU, 'ankle_wrench': {
            f'{vector}.{axis}' for vector in ('force', 'torque') for axis in 'xyz'}})}


def shipped(name):
    """Return (Mechanism, its parameter files)."""
    return (load_mechanism(str(SHARE / 'ros2_control' / f'{name}.yaml')),
            [str(SHARE / 'config' / f'ros2_control_{name}.yaml')])


def interfaces(element, what='state'):
    """Return {name: initial value or None} of the interfaces of an element."""
    return {one.get('name'): next((float(value.text) for value in one.iter('param')), None)
            for one in element.iter(f'{what}_interface')}


@pytest.mark.parametrize('name', MACHINES)
def test_the_hardware_has_what_broadcasters_ask_for(name):
    mechanism, config = shipped(name)
    joints, devices = MACHINES[name]
    robot = ElementTree.fromstring(description(mechanism, config))
    assert [one.get('name') for one in robot.findall('joint')] == joints
    system = robot.find('ros2_control')
    assert system.find('hardware/plugin').text == 'mock_components/GenericSystem'
    for element in system.findall('joint'):
        assert set(interfaces(element)) == {'position', 'velocity', 'effort'}
        assert interfaces(element, 'command') == {'effort': None}
    assert {one.get('name'): set(interfaces(one)) for one in system.findall('sensor')} == devices
    start = dict(zip(mechanism.independent, mechanism.z0, strict=True))
    positions = [interfaces(element)['position'] for element in system.findall('joint')]
    assert positions == pytest.approx([start[name] for name in mechanism.drives])
    imu = interfaces(system.find('sensor'))
    assert sum(imu[f'linear_acceleration.{axis}'] ** 2 for axis in 'xyz') == pytest.approx(
        9.81 ** 2)
    assert [imu[f'orientation.{axis}'] for axis in 'xyzw'] == [0.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize('name', MACHINES)
def test_parameter_files_name_what_there_is(name):
    """Joints, sensors, controllers and topics of one file fit each other and the mechanism."""
    mechanism, (file,) = shipped(name)
    sections = {node: section['ros__parameters'] for node, section in yaml.safe_load(
        Path(file).read_text()).items()}
    joints, devices = MACHINES[name]
    manager = dict(sections['controller_manager'])
    rate = manager.pop('update_rate')
    assert {entry.get('rate') for entry in mechanism.sensors.values()} == {float(rate)}
    assert sections['joint_state_broadcaster']['joints'] == joints
    assert sections['effort_controller']['joints'] == joints
    assert {sections[one]['sensor_name'] for one in manager if 'sensor_name' in sections[one]
            } == set(devices)
    frames = dict(text.split(': ') for text in sections['broadcasters']['frame_ids'])
    assert frames == {entry['topic']: sections[entry['topic'].partition('/')[0]]['frame_id']
                      for entry in mechanism.sensors.values() if '/' in entry['topic']}
    assert {'joint_state_broadcaster', *(topic.partition('/')[0] for topic in (
        sections['broadcasters']['commands'], *frames))} == set(manager)


@pytest.fixture(params=[True, False], ids=['with', 'without'])
def launch_file(request, monkeypatch):
    """Return (the module of the launch file, whether ros2_control is installed for it)."""
    spec = spec_from_file_location('ros2_control', LAUNCH_FILES['ros2_control'])
    module = module_from_spec(spec)
    spec.loader.exec_module(module)

    def prefix(name):
        if not request.param:
            raise PackageNotFoundError(name)
        return '/opt/ros/somewhere'
    monkeypatch.setattr(module, 'get_package_prefix', prefix)
    return module, request.param


def test_the_hardware_is_what_is_there_and_is_said(launch_file):
    module, there = launch_file
    mock = 'mock', 'hardware: mock: controller_manager of /opt/ros/somewhere with mock hardware'
    words = 'hardware: stand_in: a simulated machine in place of ros2_control, '
    assert module.chosen_hardware('stand_in') == ('stand_in', f'{words}as asked for')
    if there:
        assert module.chosen_hardware('') == module.chosen_hardware('mock') == mock
        return
    assert module.chosen_hardware('') == (
        'stand_in', f'{words}since the package controller_manager is not installed')
    with pytest.raises(ValueError, match='hardware: mock: the package controller_manager is not '
                                         'installed, expected ros2_control, or hardware:=stand_in'):
        module.chosen_hardware('mock')


def test_with_ros2_control_its_own_nodes_start(launch_file, monkeypatch, tmp_path):
    """And nothing that is simulated; without it none of these."""
    module, there = launch_file
    own, ours = {}, {}
    node = LaunchedRun.node

    def noted(run, package, executable, parameters, **options):
        ours[executable] = parameters
        return node(run, package, executable, parameters, **options)
    monkeypatch.setattr(mock_hardware, 'Node', lambda **options: own.update(
        {f'{options["package"]}/{options["executable"]}': options}))
    monkeypatch.setattr(LaunchedRun, 'node', noted)
    context = LaunchContext()
    context.launch_configurations.update({
        **{name: one.default for name, one in module.ARGUMENTS.items()}, 'results': str(tmp_path)})
    module.start_everything(context)
    if not there:
        assert not own
        assert 'prototype' in ours
        return
    assert list(own) == ['robot_state_publisher/robot_state_publisher',
                         'controller_manager/ros2_control_node', 'controller_manager/spawner']
    (described,) = own['robot_state_publisher/robot_state_publisher']['parameters']
    assert ElementTree.fromstring(described['robot_description']).get('name') == 'four_bar'
    _, (file,) = shipped('four_bar')
    assert own['controller_manager/ros2_control_node']['parameters'] == [file]
    assert own['controller_manager/spawner']['arguments'] == [
        'joint_state_broadcaster', 'imu_sensor_broadcaster', 'effort_controller', '--param-file',
        file]
    assert ours == {'estimator': {'estimator': 'error_ekf'}}
    assert not list(tmp_path.iterdir())
