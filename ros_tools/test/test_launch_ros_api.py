"""launch_ros as a library: nodes and parameters."""
from launch import LaunchContext
from launch.substitutions import TextSubstitution
from launch_ros.actions import LifecycleNode, Node, SetParameter
from launch_ros.event_handlers import OnStateTransition
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.utilities import evaluate_parameters, normalize_parameters, prefix_namespace
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


# --- names

def test_rules_of_a_node_follow_its_own_arguments():
    node = Node(executable='x', name='crane', namespace='hall', arguments=['--fast'],
                ros_arguments=['--log-level', 'warn'])
    node._perform_substitutions(LaunchContext())
    node.prepare(LaunchContext())
    assert node.cmd == ['x', '--fast', '--ros-args', '--log-level', 'warn',
                        '-r', '__node:=crane', '-r', '__ns:=/hall']


@pytest.mark.parametrize(('base', 'namespace', 'expected'), [
    (None, None, None), ('a', None, 'a'), (None, 'b', 'b'), ('a', 'b', 'a/b'), ('/a', 'b', '/a/b'),
    ('a', '/b', '/b'), ('/', 'b', '/b'), ('', 'b', 'b'), ('a', '', 'a'), ('a', 'b/', 'a/b'),
    ('a', '/', '/')])
def test_namespaces_in_namespaces(base, namespace, expected):
    assert prefix_namespace(base, namespace) == expected


# --- managed nodes

def test_handlers_are_for_managed_nodes():
    with pytest.raises(RuntimeError, match='requires a "LifecycleNode"'):
        OnStateTransition(target_lifecycle_node=Node(executable='x'), entities=[])
    node = LifecycleNode(executable='x', name='a', namespace='')
    handler = OnStateTransition(target_lifecycle_node=node, entities=[])
    assert handler.matcher_description.startswith('event == StateTransition and')
