"""Details of parameters that programs meet: unset defaults, alternatives, watching events."""
import pytest
from rcl_interfaces.msg import IntegerRange, ParameterDescriptor, ParameterValue
from rclpy.exceptions import InvalidParameterValueException
from rclpy.parameter import Parameter
from rclpy.parameter_client import AsyncParameterClient

DYNAMIC = ParameterDescriptor(dynamic_typing=True)


def test_a_message_without_value_is_no_default(make_node):
    node = make_node('owner', parameter_overrides=[Parameter('set', value=4)])
    with pytest.raises(ValueError, match='dynamic_typing'):
        node.declare_parameter('set', ParameterValue(), ParameterDescriptor())
    assert node.declare_parameter('set', ParameterValue(), DYNAMIC).value == 4
    assert node.declare_parameter('unset', ParameterValue(), DYNAMIC).value is None


@pytest.mark.parametrize('declare', [
    lambda node: node.declare_parameter('open'),
    lambda node: node.declare_parameters('', [('open',)])])
def test_a_name_alone_is_warned_of_where_it_is_written(make_node, declare):
    with pytest.warns(UserWarning, match='open') as warned:
        declare(make_node('owner'))
    assert len(warned) == 1


def test_a_parameter_without_value_gives_way_to_the_alternative(make_node):
    node = make_node('owner')
    node.declare_parameter('typed', Parameter.Type.INTEGER)
    node.declare_parameter('open', None, DYNAMIC)
    for name in ('typed', 'open'):
        assert node.get_parameter_or(name, Parameter('other', value=3)).value == 3
        assert node.get_parameter_or(name).value is None


def test_a_client_gets_changes(make_node, spin_until):
    node, watcher, events = make_node('owner'), make_node('watcher'), []
    subscription = AsyncParameterClient(watcher, 'owner').on_parameter_event(events.append)
    spin_until(subscription.get_publisher_count, watcher)
    node.declare_parameter('gain', 1.5)
    spin_until(lambda: any(event.new_parameters and event.new_parameters[0].name == 'gain'
                           for event in events), watcher)


def test_only_what_is_typed_dynamically_can_be_unset(make_node):
    node = make_node('owner', allow_undeclared_parameters=True)
    node.declare_parameter('typed', 1)
    node.declare_parameter('open', 1, DYNAMIC)
    names = 'typed', 'open', 'lost'
    typed, unset, lost = node.set_parameters([Parameter(name) for name in names])
    assert typed.reason == 'Static parameter cannot be undeclared'
    assert unset.successful
    assert lost.successful
    assert [node.has_parameter(name) for name in names] == [True, False, False]


def test_callbacks_before_setting_add_up(make_node):
    node = make_node('owner')
    node.declare_parameters('', [('one', 0), ('two', 0), ('three', 0)])
    for name in ('two', 'three'):
        node.add_pre_set_parameters_callback(
            lambda given, name=name: [*given, Parameter(name, value=given[0].value)])
    assert node.set_parameters_atomically([Parameter('one', value=5)]).successful
    assert [node.get_parameter(name).value for name in ('one', 'two', 'three')] == [5, 5, 5]


def test_nothing_can_be_set_without_callbacks(make_node):
    assert make_node('owner').set_parameters_atomically([]).successful


def test_a_range_may_be_given_from_high_to_low(make_node):
    backwards = ParameterDescriptor(integer_range=[IntegerRange(from_value=10, to_value=0, step=2)])
    node = make_node('owner')
    assert node.declare_parameter('even', 4, backwards).value == 4
    assert not node.set_parameters([Parameter('even', value=5)])[0].successful


def test_a_new_descriptor_replaces_only_a_value_that_does_not_fit(make_node):
    node = make_node('owner')
    node.declare_parameter('gain', 3)
    other = ParameterValue(type=2, integer_value=8)

    def descriptor(low):
        return ParameterDescriptor(
            type=2, integer_range=[IntegerRange(from_value=low, to_value=10)])

    assert node.set_descriptor('gain', descriptor(0), other).integer_value == 3
    assert node.set_descriptor('gain', descriptor(5), other).integer_value == 8
    with pytest.raises(InvalidParameterValueException, match='out of range'):
        node.set_descriptor('gain', descriptor(9))
    with pytest.raises(InvalidParameterValueException, match='Wrong parameter type'):
        node.set_descriptor('gain', ParameterDescriptor(type=4))
    assert node.set_descriptor('gain', DYNAMIC).integer_value == 8
    assert node.describe_parameter('gain').type == 2
