"""Declaring several parameters at once."""
import pytest
from rcl_interfaces.msg import ParameterDescriptor, ParameterValue, SetParametersResult
from rclpy.exceptions import (
    InvalidParameterException,
    InvalidParameterValueException,
    ParameterAlreadyDeclaredException,
)


@pytest.fixture
def node(make_node):
    return make_node('node')


def test_a_bad_name_stops_all(node):
    """Names are looked at before anything is declared."""
    with pytest.raises(InvalidParameterException):
        node.declare_parameters('', [('a', 1), ('', 2)])
    assert not node.has_parameter('a')


def test_a_known_name_stops_all(node):
    node.declare_parameter('b', 1)
    with pytest.raises(ParameterAlreadyDeclaredException, match='b'):
        node.declare_parameters('', [('a', 1), ('b', 2)])
    assert not node.has_parameter('a')


def test_a_refused_value_stops_the_rest(node):
    """A callback may refuse without a reason; what came before stays declared."""
    node.add_on_set_parameters_callback(lambda parameters: SetParametersResult(
        successful=parameters[0].name != 'b'))
    with pytest.raises(InvalidParameterValueException):
        node.declare_parameters('', [('a', 1), ('b', 2), ('c', 3)])
    assert [name for name in 'abc' if node.has_parameter(name)] == ['a']


@pytest.mark.parametrize('declaration', [
    (1, 'name is no str'), ('a', 1, ParameterValue()), ('a', 1, ParameterDescriptor(), 2), 'a'])
def test_wrong_declarations(node, declaration):
    with pytest.raises(TypeError):
        node.declare_parameters('', [declaration])


def test_the_given_descriptor_is_left_alone(node):
    shared = ParameterDescriptor(description='shared')
    node.declare_parameters('ns', [('a', 1, shared), ('b', 2.0, shared)])
    assert shared == ParameterDescriptor(description='shared')
    assert node.describe_parameter('ns.b').name == 'ns.b'
