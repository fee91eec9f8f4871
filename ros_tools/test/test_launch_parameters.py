"""Parameters, names and remappings of nodes, as launch_ros gives them to the command line."""
import io
from pathlib import Path
import sys

from launch import LaunchContext
from launch.actions import GroupAction
from launch.frontend import Parser
from launch.substitutions import LaunchConfiguration, TextSubstitution
from launch.utilities import visit_all_entities_and_collect_futures
from launch_ros.actions import Node, PushROSNamespace, SetParameter, SetRemap
from launch_ros.parameter_descriptions import ParameterFile, ParameterValue
from launch_ros.utilities import evaluate_parameters, normalize_parameters
import numpy as np
import pytest
import yaml


def text(value):
    return TextSubstitution(text=value)


def evaluated(*parameters):
    return evaluate_parameters(LaunchContext(), normalize_parameters(list(parameters)))


@pytest.mark.parametrize(('given', 'expected'), [
    ('3', '3'),
    (text('3'), 3),
    ([text('1'), '.5'], 1.5),
    ([1, 2.5], (1.0, 2.5)),
    (['1', 'true'], ('1', 'true')),
    ([[text('1')], [text('2')]], (1, 2)),
    ([[text('a')], 'b'], ('a', 'b')),
    (text('[true, false]'), (True, False)),
    (np.array([1.0, 2.0]), (1.0, 2.0)),
    (np.float64(2.5), 2.5),
    (b'\xff', b'\xff'),
    (ParameterValue(text('3'), value_type=str), '3'),
    (ParameterValue(text('3'), value_type=float), 3.0),
    (ParameterValue(text('[1, 2]'), value_type=list[int]), [1, 2]),
])
def test_value(given, expected):
    (found,) = evaluated({'a': given})
    assert found == {'a': expected}
    assert type(found['a']) is type(expected)


@pytest.mark.parametrize('given', [
    [True, 2.0, 3], [1, [2, 3]], {1, 2}, None, object(), [], text('[]'), text('{a: 1}'),
    text('[1, 2.0]'), [[text('1')], [text('word')]],
    ParameterValue(text('word'), value_type=int), ParameterValue(1.5, value_type=int),
])
def test_value_that_is_no_parameter(given):
    with pytest.raises((TypeError, ValueError), match=r"Parameter 'a\.b'"):
        evaluated({'a': {'b': given}})


def test_files_and_dicts_keep_their_order():
    found = evaluated('/x.yaml', {'a': {'b': 1}}, Path('/y.yaml'), ParameterFile('/z.yaml'))
    assert found == (Path('/x.yaml'), {'a.b': 1}, Path('/y.yaml'), Path('/z.yaml'))


def command_of(node, *before):
    """The command line of a node which is visited, but not started, after some actions."""
    context = LaunchContext()
    for action in before:
        visit_all_entities_and_collect_futures(action, context)
    node._perform_substitutions(context)
    node.prepare(context)
    return node.process_description.final_cmd


def test_command_line():
    node = Node(executable=sys.executable, name='eye', namespace='left', arguments=['--x'],
                ros_arguments=['--log-level', 'warn'], parameters=[{'a': '1'}, {}],
                remappings=[('in', LaunchConfiguration('nothing', default='far'))])
    command = command_of(node, PushROSNamespace('arm'), SetParameter('b', '2'),
                         SetRemap('out', '/out'))
    path = command.pop(command.index('--params-file') + 1)
    assert command[1:] == [
        '--x', '--ros-args', '--log-level', 'warn', '-r', '__node:=eye', '-r', '__ns:=/arm/left',
        '-p', "b:='2'", '--params-file', '-r', 'out:=/out',
        '-r', 'in:=far']
    assert yaml.safe_load(Path(path).read_text()) == {
        '/arm/left/eye': {'ros__parameters': {'a': '1'}}}
    assert node.node_name == '/arm/left/eye'


def test_settings_of_a_group_end_with_it():
    node = Node(executable='x')
    group = GroupAction([PushROSNamespace('a'), SetParameter('b', 1), SetRemap('c', 'd')])
    assert command_of(node, group) == ['x', '--ros-args']


@pytest.mark.parametrize('text', [
    '<launch><node exec="x"><param name="a" value="5"/><param name="b" value="5" type="str"/>'
    '<param name="c" value="1, 2" value-sep=", "/><param name="d" value="word"/>'
    '<param name="e"><param name="f" value="$(eval 1+1)"/></param></node></launch>',
    'launch: [node: {exec: x, param: [{name: a, value: 5}, {name: b, value: "5", type: str}, '
    '{name: c, value: [1, 2]}, {name: d, value: word}, '
    '{name: e, param: [{name: f, value: $(eval 1+1)}]}]}]',
], ids=['xml', 'yaml'])
def test_parameters_of_launch_files(text):
    root, parser = Parser.load(io.StringIO(text))
    (node,) = parser.parse_description(root).entities
    found = evaluate_parameters(LaunchContext(), node._Node__parameters)
    assert {name: value for item in found for name, value in item.items()} == {
        'a': 5, 'b': '5', 'c': (1, 2), 'd': 'word', 'e.f': 2}
