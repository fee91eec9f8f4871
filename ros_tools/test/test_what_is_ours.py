"""What a bare machine runs is ROS 2's own, but for launch, the command ros2, bags and tf2."""
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
import sysconfig

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = {
    'launch', 'launch_pytest', 'launch_pytest_plugin', 'launch_ros', 'launch_testing',
    'launch_testing_pytest_entrypoint', 'launch_testing_ros',
    'launch_testing_ros_pytest_entrypoint', 'launch_xml', 'launch_yaml', 'ros2cli', 'ros2launch',
    'ros_tools', 'rosbag2_py', 'rosidl_runtime_py', 'tf2_py', 'tf2_ros'}
FROM_WHEELS = (
    'rclpy', 'rpyutils', 'ament_index_python', 'rosidl_parser', 'rosidl_generator_py',
    'action_msgs', 'builtin_interfaces', 'diagnostic_msgs', 'geometry_msgs', 'lifecycle_msgs',
    'nav_msgs', 'rcl_interfaces', 'rosgraph_msgs', 'sensor_msgs', 'service_msgs', 'std_msgs',
    'std_srvs', 'trajectory_msgs', 'type_description_interfaces', 'unique_identifier_msgs',
    'visualization_msgs')


def test_nothing_else_is_ours():
    folder = ROOT / 'ros_tools'
    modules = {path.stem for path in folder.glob('*.py')} - {'setup'}
    packages = {path.parent.name for path in folder.glob('*/__init__.py')}
    assert modules | packages == OURS


@pytest.mark.parametrize('name', FROM_WHEELS)
def test_it_comes_from_a_wheel_of_ros(name):
    origin = Path(find_spec(name).origin)
    assert origin.is_relative_to(sysconfig.get_path('purelib'))
    installed = {file.parts[0] for distribution in metadata.distributions()
                 if distribution.name.startswith('ros-') for file in distribution.files or ()}
    assert name in installed


def test_no_file_of_ours_is_called_rclpy():
    assert not [path for path in ROOT.rglob('*rclpy*')
                if not any(part.startswith('.') or part in ('build', 'install', 'results')
                           for part in path.relative_to(ROOT).parts)
                and path.name in ('rclpy', 'rclpy.py', '_rclpy.py')]


def test_packages_do_not_know_of_it():
    """Nodes and launch files are for any ROS 2."""
    found = [path for path in ROOT.glob('src/*/mb_*/**/*.py')
             if 'ros_tools' in path.read_text(encoding='utf-8')]
    found += [path for path in ROOT.glob('src/*/launch/*.launch.*')
              if 'ros_tools' in path.read_text(encoding='utf-8')]
    assert found == []
