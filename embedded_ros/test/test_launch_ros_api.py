"""launch_ros as a library: nodes, parameters, transitions, components."""
import io

from launch import LaunchContext
from launch.actions import EmitEvent, RegisterEventHandler
from launch.frontend import Parser
from launch.substitutions import TextSubstitution
from launch_ros.actions import (
    LifecycleNode,
    LifecycleTransition,
    LoadComposableNodes,
    Node,
    PushROSNamespace,
    SetParameter,
    SetParametersFromFile,
    SetRemap,
    SetROSLogDir,
)
from launch_ros.actions.load_composable_nodes import get_composable_node_load_request
from launch_ros.descriptions import ComposableNode, ParameterValue
from launch_ros.event_handlers import OnStateTransition
from launch_ros.events.lifecycle import StateTransition
from launch_ros.utilities import evaluate_parameters, normalize_parameters, prefix_namespace
from lifecycle_msgs.msg import State, Transition, TransitionEvent
import pytest
import yaml


def text(value):
    return TextSubstitution(text=value)


def evaluated(value):
    (found,) = evaluate_parameters(LaunchContext(), normalize_parameters([{'a': value}]))
    return found['a']


# --- parameters

@pytest.mark.parametrize(('value', 'message'), [
    (text('{b: 3}'), 'Allowed value types .*dict'), (text(''), 'Allowed value types'),
    (text('[1, 2.0]'), 'Expected a non-empty sequence'),
    (text('[[1], [2]]'), 'Expected a non-empty sequence'),
    (text('[]'), 'Expected a non-empty sequence'),
    ([[text('[b]')], [text('[c]')]], 'Expected a non-empty sequence'),
    ([[text('true')], [text('2')]], 'Expected a non-empty sequence'),
    ([True, 1, text('b')], 'Expected a non-empty sequence'),
    (text('b : c : d'), 'Unable to parse')])
def test_values_that_are_no_parameters(value, message):
    with pytest.raises(TypeError, match=message):
        evaluated(value)


def test_values_of_a_given_type_remain_lists():
    assert evaluated([[text('1'), text('2')], text('3')]) == (12, 3)
    assert evaluated(ParameterValue(text('{b: 3}'), value_type=str)) == '{b: 3}'
    assert evaluated(ParameterValue([[text('[b]')], 'c'], value_type=list[str])) == ['[b]', 'c']


def test_parameters_of_a_node_are_written_to_a_file():
    context = LaunchContext()
    SetParameter('c', ['x', 'y']).execute(context)
    node = Node(executable='x', name='crane', namespace='hall', parameters=[{'a': [1.0, 2]}])
    node._perform_substitutions(context)
    ((path, is_file),) = node.expanded_parameter_arguments
    assert is_file
    with open(path) as file:
        assert yaml.full_load(file) == {'/hall/crane': {'ros__parameters': {'a': (1.0, 2.0)}}}


def test_a_parameter_set_for_all_keeps_its_substitutions():
    action = SetParameter(['a', text('b')], 'c')
    action.execute(LaunchContext())
    assert [part.text for part in (*action.name, *action.value)] == ['a', 'b', 'c']


# --- names

def test_rules_of_a_node_follow_its_own_arguments():
    node = Node(executable='x', name='crane', namespace='hall', arguments=['--fast'],
                ros_arguments=['--log-level', 'warn'])
    node._perform_substitutions(LaunchContext())
    node.prepare(LaunchContext())
    assert node.cmd == ['x', '--fast', '--ros-args', '--log-level', 'warn',
                        '-r', '__node:=crane', '-r', '__ns:=/hall']
    assert "LocalVar('node name')" in node.describe()


@pytest.mark.parametrize(('base', 'namespace', 'expected'), [
    (None, None, None), ('a', None, 'a'), (None, 'b', 'b'), ('a', 'b', 'a/b'), ('/a', 'b', '/a/b'),
    ('a', '/b', '/b'), ('/', 'b', '/b'), ('', 'b', 'b'), ('a', '', 'a'), ('a', 'b/', 'a/b'),
    ('a', '/', '/')])
def test_namespaces_in_namespaces(base, namespace, expected):
    assert prefix_namespace(base, namespace) == expected


def test_log_directories_in_log_directories(monkeypatch, tmp_path):
    monkeypatch.setenv('ROS_LOG_DIR', str(tmp_path))
    context = LaunchContext()
    root, parser = Parser.load(io.StringIO('<launch><set_ros_log_dir new_log_dir="a"/></launch>'))
    parser.parse_description(root).entities[0].execute(context)
    assert context.environment['ROS_LOG_DIR'] == str(tmp_path / 'a')
    SetROSLogDir(str(tmp_path / 'b')).execute(context)
    assert context.environment['ROS_LOG_DIR'] == str(tmp_path / 'b')


# --- managed nodes

def transition(goal):
    node = LifecycleNode(executable='x', name='crane', namespace='')
    node._perform_substitutions(LaunchContext())
    return StateTransition(action=node, msg=TransitionEvent(goal_state=State(label=goal)))


def test_transitions_follow_each_other():
    context = LaunchContext()
    actions = LifecycleTransition(
        lifecycle_node_names=['crane'],
        transition_ids=[Transition.TRANSITION_CONFIGURE, '2', 1]).execute(context)
    assert [type(action) for action in actions] == [RegisterEventHandler] * 3 + [EmitEvent]
    for action in actions[:3]:
        action.execute(context)
    asked = [actions[3].event.transition_id]
    for goal in ('inactive', 'unconfigured', 'inactive'):
        event = transition(goal)
        for handler in [one for one in context._event_handlers if one.matches(event)]:
            for entity in handler.handle(event, context):
                asked += [entity.event.transition_id] if isinstance(entity, EmitEvent) else []
                entity.visit(context)
    assert asked == [1, 2, 1]


def test_an_error_ends_the_transitions():
    context = LaunchContext()
    for action in LifecycleTransition(
            lifecycle_node_names=['/crane'], transition_ids=[1, 3]).execute(context)[:2]:
        action.execute(context)
    event = transition('errorprocessing')
    handler, = [one for one in context._event_handlers if one.matches(event)]
    for entity in handler.handle(event, context):
        entity.visit(context)
    assert not context._event_handlers


@pytest.mark.parametrize(('names', 'ids'), [([], [1]), (['a'], []), (['a'], ['b']), (['a'], [99])])
def test_transitions_that_are_none(names, ids):
    with pytest.raises(ValueError, match=r'No .* provided|expected integer'):
        LifecycleTransition(lifecycle_node_names=names, transition_ids=ids).execute(
            LaunchContext())


def test_handlers_are_for_managed_nodes():
    with pytest.raises(RuntimeError, match='requires a "LifecycleNode"'):
        OnStateTransition(target_lifecycle_node=Node(executable='x'), entities=[])
    node = LifecycleNode(executable='x', name='a', namespace='')
    handler = OnStateTransition(target_lifecycle_node=node, entities=[], matcher=lambda event: True)
    assert handler.matches(None)
    assert handler.matcher_description.startswith('event == StateTransition and')


# --- components

COMPONENT = """
<launch><load_composable_node target="box">
  <composable_node pkg="crane" plugin="crane::Pump" name="pump" namespace="hall" if="$(var on)">
    <remap from="a" to="b"/><param name="flow" value="2"/><extra_arg name="fast" value="true"/>
  </composable_node>
</load_composable_node></launch>
"""


def test_the_request_for_a_component(tmp_path):
    root, parser = Parser.load(io.StringIO(COMPONENT))
    action, = parser.parse_description(root).entities
    component, = action._LoadComposableNodes__composable_node_descriptions
    context = LaunchContext()
    context.launch_configurations['on'] = 'false'
    assert get_composable_node_load_request(component, context) is None
    context.launch_configurations['on'] = 'true'
    path = tmp_path / 'all.yaml'
    path.write_text('/**: {ros__parameters: {first: true}}')
    for common in (PushROSNamespace('site'), SetRemap('c', 'd'), SetParameter('flow', 1),
                   SetParametersFromFile(str(path))):
        common.execute(context)
    request = get_composable_node_load_request(component, context)
    assert (request.package_name, request.plugin_name) == ('crane', 'crane::Pump')
    assert (request.node_name, request.node_namespace) == ('pump', '/site/hall')
    assert request.remap_rules == ['c:=d', 'a:=b']
    assert [(one.name, one.value.integer_value) for one in request.parameters] == [
        ('flow', 1), ('first', 0), ('flow', 2)]
    assert [one.name for one in request.extra_arguments] == ['fast']


def test_components_are_not_run():
    component = ComposableNode(package='crane', plugin='crane::Pump')
    with pytest.raises(NotImplementedError, match='LoadComposableNodes'):
        LoadComposableNodes(composable_node_descriptions=[component],
                            target_container='box').execute(LaunchContext())
    with pytest.raises(TypeError):
        LoadComposableNodes(composable_node_descriptions=[component], target_container=3)
