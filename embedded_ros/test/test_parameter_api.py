"""Details of parameters that programs meet: unset defaults, alternatives, watching events."""
import pytest
from rcl_interfaces.msg import ParameterDescriptor, ParameterValue
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
    with pytest.warns(UserWarning, match='open') as told:
        declare(make_node('owner'))
    assert len(told) == 1


def test_a_parameter_without_value_gives_way_to_the_alternative(make_node):
    node = make_node('owner')
    node.declare_parameter('typed', Parameter.Type.INTEGER)
    node.declare_parameter('open', None, DYNAMIC)
    for name in ('typed', 'open'):
        assert node.get_parameter_or(name, Parameter('other', value=3)).value == 3
        assert node.get_parameter_or(name).value is None


def test_a_client_hears_of_changes(make_node, spin_until):
    node, watcher, events = make_node('owner'), make_node('watcher'), []
    subscription = AsyncParameterClient(watcher, 'owner').on_parameter_event(events.append)
    spin_until(subscription.get_publisher_count, watcher)
    node.declare_parameter('gain', 1.5)
    spin_until(lambda: any(event.new_parameters and event.new_parameters[0].name == 'gain'
                           for event in events), watcher)
