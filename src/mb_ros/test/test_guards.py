"""No message to what rclpy itself offers ends a node."""

from functools import partial

from hypothesis import HealthCheck, given, settings, strategies as st
from lifecycle_msgs.srv import ChangeState
import pytest
from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import (
    DescribeParameters,
    GetParameters,
    GetParameterTypes,
    ListParameters,
    SetParameters,
    SetParametersAtomically,
)
import rclpy
from rosgraph_msgs.msg import Clock

from mb_ros.diagnostics import OK, Health
from mb_ros.guards import GuardedNode
from mb_ros.managed_node import ManagedNode
from mb_ros.node_bench import spin_until, together_on_bench

FUZZ = settings(deadline=None, suppress_health_check=list(HealthCheck))
NAMES = st.one_of(st.sampled_from(['speed', 'use_sim_time', 'autostart', 'lost', '', '.', 'a..b']),
                  st.text(max_size=10).map(lambda text: text.replace('\0', '')))
FLOATS = st.floats(allow_nan=True)
VALUES = st.builds(
    ParameterValue, type=st.integers(0, 255), bool_value=st.booleans(),
    integer_value=st.integers(-2 ** 63, 2 ** 63 - 1), double_value=FLOATS,
    string_value=st.text(max_size=5), byte_array_value=st.lists(
        st.binary(min_size=1, max_size=1), max_size=2),
    bool_array_value=st.lists(st.booleans(), max_size=2),
    integer_array_value=st.lists(st.integers(-5, 5), max_size=2),
    double_array_value=st.lists(FLOATS, max_size=2),
    string_array_value=st.lists(st.text(max_size=3), max_size=2))
PARAMETERS = st.lists(st.builds(Parameter, name=NAMES, value=VALUES), max_size=3)
REQUESTS = st.one_of(
    *(st.builds(kind.Request, names=st.lists(NAMES, max_size=3))
      for kind in (GetParameters, GetParameterTypes, DescribeParameters)),
    st.builds(ListParameters.Request, prefixes=st.lists(NAMES, max_size=2),
              depth=st.integers(0, 2 ** 64 - 1)),
    *(st.builds(kind.Request, parameters=PARAMETERS)
      for kind in (SetParameters, SetParametersAtomically)))


class Plain(GuardedNode):
    def __init__(self, **options):
        super().__init__('plain', **options)
        self.declare_parameter('speed', 1.0)


class Managed(ManagedNode):
    def __init__(self, **options):
        super().__init__('managed', **options)
        self.declare_parameter('speed', 1.0)

    def configure(self):
        pass

    def reset(self):
        return 'nothing'

    def health(self):
        return Health(OK, 'well')


@pytest.fixture(scope='module', params=[Plain, Managed])
def node(request):
    context = rclpy.Context()
    rclpy.init(context=context)
    made = request.param(context=context)
    yield made
    made.destroy_node()
    rclpy.shutdown(context=context)


@pytest.fixture
def managed():
    context = rclpy.Context()
    rclpy.init(context=context)
    made = Managed(context=context)
    yield made
    made.destroy_node()
    rclpy.shutdown(context=context)


@pytest.mark.fuzz
@FUZZ
@given(request=REQUESTS)
def test_no_request_of_parameters_raises(node, request):
    kind = next(one for one in (GetParameters, GetParameterTypes, DescribeParameters,
                                ListParameters, SetParameters, SetParametersAtomically)
                if isinstance(request, one.Request))
    service, = (one for one in node.services if one.srv_type is kind)
    response = service.callback(request, kind.Response())
    assert isinstance(response, kind.Response)
    if kind is SetParameters:
        assert len(response.results) == len(request.parameters)
        for parameter, result in zip(request.parameters, response.results, strict=True):
            assert result.successful or result.reason
            assert not result.successful or parameter.value.type <= 9


@pytest.mark.fuzz
@FUZZ
@given(number=st.one_of(st.integers(0, 255), st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8])),
       label=st.one_of(st.just(''), st.text(max_size=9),
                       st.sampled_from(['configure', 'activate', 'deactivate', 'cleanup'])))
def test_no_transition_raises(managed, number, label):
    """In whatever state: rclpy raises on what it does not have, and the node ended."""
    service, = (one for one in managed.services if one.srv_type is ChangeState)
    request = ChangeState.Request()
    request.transition.id, request.transition.label = number, label.replace('\0', '')
    response = service.callback(request, ChangeState.Response())
    assert isinstance(response.success, bool)


@pytest.mark.fuzz
@FUZZ
@given(seconds=st.one_of(st.integers(-2 ** 31, 2 ** 31 - 1), st.integers(-2, 2)),
       nanoseconds=st.integers(0, 2 ** 32 - 1))
def test_no_time_raises(node, seconds, nanoseconds):
    received = []
    subscription = node.create_subscription(Clock, '/clock', received.append, 1)
    message = Clock()
    message.clock.sec, message.clock.nanosec = seconds, nanoseconds
    subscription.callback(message)
    assert received == ([message] if seconds >= 0 and nanoseconds < 10 ** 9 else [])
    node.destroy_subscription(subscription)


def test_a_node_in_simulated_time_lives_on(capfd):
    """Through rclpy's own subscription and services, over the middleware."""
    with together_on_bench([Managed, Plain], partial(GuardedNode, 'bench'),
                           ['use_sim_time:=true']) as (nodes, bench):
        publisher = bench.create_publisher(Clock, '/clock', 1)
        spin_until(bench, lambda: publisher.get_subscription_count() >= 2)
        message = Clock()
        message.clock.sec = -5
        publisher.publish(message)
        spin_until(bench, lambda: capfd.readouterr().err.count('before zero') >= 1)
        message.clock.sec = 7
        publisher.publish(message)
        spin_until(bench, lambda: all(
            one.get_clock().now().nanoseconds == 7_000_000_000 for one in nodes))
        for name in ('managed', 'plain'):
            client = bench.create_client(SetParameters, f'/{name}/set_parameters')
            spin_until(bench, client.service_is_ready)
            answer = client.call_async(SetParameters.Request(parameters=[
                Parameter(name='speed', value=ParameterValue(type=77)),
                Parameter(name='speed', value=ParameterValue(type=3, double_value=2.0))]))
            spin_until(bench, answer.done)
            refused, taken = answer.result().results
            assert (refused.successful, taken.successful) == (False, True)
            assert refused.reason == 'speed: 77 is no type of a parameter'
