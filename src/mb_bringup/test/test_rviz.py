"""Configurations of rviz: what they display is published, and the camera sees the mechanism."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from launch import LaunchContext
from launch_ros.actions import Node
import numpy as np
import pytest
import rclpy
import yaml

from mb_bringup import viewers
from mb_bringup.onlookers import configuration_of, view_of
from mb_evaluation.nodes.markers import MarkersNode
from mb_evaluation.nodes.robot_description import RobotDescriptionNode
from mb_model import load_mechanism, point_positions

PACKAGE = Path(__file__).parents[1]
SHARED = {'ros2_control': 'three_simulation'}
SHIPPED = sorted(path.stem for path in (PACKAGE / 'rviz').glob('*.rviz'))
RUNS = ['three_simulation', 'crane_payload', 'excavator_weighing',
        'parallel_robot_contact', *SHARED]
# Classes of rviz_default_plugins/plugins_description.xml and rviz_common, ROS 2 Jazzy; displays
# with the type of message that they take.
DISPLAYS = {'rviz_default_plugins/Grid': None, 'rviz_default_plugins/TF': None,
            'rviz_default_plugins/MarkerArray': 'MarkerArray',
            'rviz_default_plugins/RobotModel': 'String'}
OTHERS = {'rviz_common/Displays', 'rviz_common/Time', 'rviz_default_plugins/MoveCamera',
          'rviz_default_plugins/FocusCamera', 'rviz_default_plugins/Measure',
          'rviz_default_plugins/Orbit', 'rviz_default_plugins/TF', ''}


def configuration(name):
    """Return a shipped configuration."""
    return yaml.safe_load((PACKAGE / 'rviz' / f'{name}.rviz').read_text())


def classes(tree):
    """Yield all classes that a configuration names."""
    if isinstance(tree, dict):
        if 'Class' in tree:
            yield tree['Class']
        tree = list(tree.values())
    for branch in tree if isinstance(tree, list) else ():
        yield from classes(branch)


@pytest.fixture(scope='module')
def published():
    """Return topic -> name of the type of message of what viewers' nodes publish."""
    rclpy.init()
    try:
        nodes = MarkersNode(), RobotDescriptionNode()
        return {publisher.topic_name: publisher.msg_type.__name__
                for node in nodes for publisher in node.publishers}
    finally:
        rclpy.shutdown()


def test_every_launch_file_has_one():
    """Its own, or where it has the same topics, of another one."""
    names = {path.name.partition('.')[0] for path in (PACKAGE / 'launch').glob('*.launch.py')}
    assert {SHARED.get(name, name) for name in names} <= {*SHIPPED}


@pytest.mark.parametrize('name', SHIPPED)
def test_every_display_has_its_topic_and_class(name, published):
    shown = configuration(name)
    displays = shown['Visualization Manager']['Displays']
    for display in displays:
        wanted = DISPLAYS[display['Class']]
        topic = display.get('Topic') or display.get('Description Topic')
        assert (wanted is None) == (topic is None)
        if topic:
            assert published[topic['Value']] == wanted
    assert set(classes(shown)) <= {*DISPLAYS, *OTHERS}
    assert shown['Visualization Manager']['Global Options']['Fixed Frame'] == 'world'


@pytest.mark.parametrize('name', RUNS)
def test_the_launch_file_starts_what_is_displayed(name, tmp_path, monkeypatch):
    monkeypatch.setattr(viewers, 'get_package_prefix', lambda package: '/')
    monkeypatch.setenv('XDG_STATE_HOME', str(tmp_path / 'state'))
    spec = spec_from_file_location(name, PACKAGE / 'launch' / f'{name}.launch.py')
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    context = LaunchContext()
    context.launch_configurations.update(
        {key: one.default for key, one in module.ARGUMENTS.items()}
        | {'results': str(tmp_path / 'results'), 'view': 'rviz'})
    started = {action.node_executable for action in module.start_everything(context)
               if isinstance(action, Node)}
    assert {'rviz2', 'markers', 'robot_description'} <= started
    written, = tmp_path.glob('state/**/*.rviz')
    assert yaml.safe_load(written.read_text()) == configuration(SHARED.get(name, name))


@pytest.mark.parametrize('mechanism', ['four_bar', 'andrews_squeezer', 'crane', 'three_rrr'])
def test_the_camera_looks_at_the_mechanism_from_near_enough(mechanism):
    mechanism = load_mechanism(mechanism)
    view = yaml.safe_load(configuration_of('three_simulation', mechanism))[
        'Visualization Manager']['Views']['Current']
    assert view | view_of(mechanism) == view
    places = point_positions(mechanism, mechanism.q0)[0]
    level = not mechanism.gravity.any()
    focus = [view['Focal Point'][axis] for axis in ('XY' if level else 'XZ')]
    farthest = np.linalg.norm(places - focus, axis=1).max()
    assert 1.2 * farthest < view['Distance'] < 8.0 * farthest
