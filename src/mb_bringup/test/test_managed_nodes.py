"""Every managed node goes through its states, refuses wrong parameters and takes good ones."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from lifecycle_msgs.srv import ChangeState, GetState
import pytest
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter
from std_srvs.srv import Trigger

from mb_contact.nodes.contact_detector import ContactDetectorNode
from mb_contact.nodes.payload_estimator import PayloadEstimatorNode
from mb_estimators.nodes.estimator import EstimatorNode
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.startup_barrier import is_ready
from mb_sensors.nodes.sensor_driver import EncoderDriver, ImuDriver


@dataclass(frozen=True)
class Kind:
    """A kind of managed node, and values of its parameters."""

    node: type
    start: tuple        # parameters
    topic: str          # that it has when it is configured, '' if a device must answer
    needed: tuple       # parameter, value that cannot be used, one that can, words of the refusal
    fixed: tuple        # parameter and value that need another configuration
    at_once: tuple = ()         # parameter, value, one that cannot be used, words of the refusal
    effect: Callable = None     # what the node goes by then


KINDS = {
    'estimator': Kind(
        EstimatorNode, ('sensors:=[crank_encoder]',), '/estimator/state',
        ('estimator', 'magic', 'dekf', 'unknown filter'), ('sensors', ['coupler_gyro']),
        ('crank_encoder.gate', 'reject', 'magic', 'must be one of off, reject, inflate, huber'),
        lambda node: node._setup.gates['crank_encoder'].gate),
    'contact_detector': Kind(
        ContactDetectorNode, (), '/contact_detector/contact',
        ('mechanism', 'four_bar', 'three_rrr', 'drives: missing'), ('isolate', False),
        ('direct_threshold', [5.0, 6.0, 0.7], [1.0, 2.0], 'must be a list of one number, or of 3'),
        lambda node: list(node._reports.stream.detector.settings.direct_threshold)),
    'payload_estimator': Kind(
        PayloadEstimatorNode, (), '/payload_estimator/payload',
        ('mechanism', 'four_bar', 'crane', 'no section hydraulics'),
        ('masses', ['bodies.load.mass']),
        ('method', 'window_least_squares', 'magic', "method: 'magic' must be one of low_pass, "),
        lambda node: node._stream.estimator.settings.method),
    'encoder_driver': Kind(
        EncoderDriver, (), '/crank_encoder',
        ('sensors', ['crank_gyro'], ['crank_encoder'], 'is of kind gyroscope'), ('seed', 3),
        ('crank_encoder.sigma', 0.5, -1.0, 'out of range'),
        lambda node: node._readings._devices['crank_encoder'].sensor.settings.sigma),
    'imu_driver': Kind(
        ImuDriver, ('source:=serial_imu', 'sensors:=[crank_gyro]', 'serial_imu.port:=/dev/null'),
        '', ('source', 'can', 'serial_imu', 'is of kind gyroscope'), ('serial_imu.baud', 9600)),
}


class Bench(Node):
    """Asks a managed node for what ROS 2 tools ask for."""

    def __init__(self, name):
        super().__init__('bench')
        self._name = name

    def ask(self, service_type, service, **request):
        client = self.create_client(service_type, f'{self._name}/{service}')
        spin_until(self, client.service_is_ready)
        answer = client.call_async(service_type.Request(**request))
        spin_until(self, answer.done)
        self.destroy_client(client)
        return answer.result()

    def sees_it_ready(self):
        return is_ready(self, f'/{self._name}')

    def trigger(self, service):
        answer = self.ask(Trigger, service)
        return answer.success, answer.message

    def go(self, *transitions):
        """Ask for transitions by their labels; return the state of the node then."""
        for label in transitions:
            request = ChangeState.Request()
            request.transition.label = label
            self.ask(ChangeState, 'change_state', transition=request.transition)
        return self.ask(GetState, 'get_state').current_state.label

    def set(self, *pairs):
        """Set parameters, pairs of name and value; return why that is refused, '' if it is not."""
        result = self.ask(
            SetParametersAtomically, 'set_parameters_atomically',
            parameters=[Parameter(name, value=value).to_parameter_msg() for name, value in pairs]
        ).result
        return '' if result.successful else result.reason


@pytest.fixture(params=KINDS)
def kind(request):
    """A Kind of managed node."""
    return KINDS[request.param]


def on_bench_as(kind, *parameters):
    name = next(name for name, one in KINDS.items() if one is kind)
    return on_bench(kind.node, partial(Bench, name), [*kind.start, *parameters])


def entities(node):
    return {(type(entity).__name__, getattr(entity, 'topic_name', getattr(entity, 'srv_name', '')))
            for entities in (node.publishers, node.subscriptions, node.services, node.timers,
                             node.guards) for entity in entities}


def test_states(kind):
    """Clean-up leaves what was there before; a second configuration is like the first."""
    with on_bench_as(kind, 'autostart:=false') as (node, bench):
        assert bench.go() == 'unconfigured'
        bare = entities(node)
        assert ('LifecyclePublisher', kind.topic) not in bare
        assert not bench.sees_it_ready()
        assert bench.go('configure') == 'inactive'
        configured = entities(node)
        if kind.topic:
            spin_until(bench, bench.sees_it_ready)
        assert not kind.topic or ('LifecyclePublisher', kind.topic) in configured
        assert bench.go('activate', 'deactivate', 'cleanup') == 'unconfigured'
        assert entities(node) == bare
        assert bench.go('configure', 'activate') == 'active'
        assert entities(node) >= configured
        assert bench.go('shutdown') == 'finalized'
        assert entities(node) == bare


def served(node):
    """Return the kinds of services of a node by full name, without the ones of its states."""
    kinds = {node.resolve_service_name(one.srv_name): one.srv_type for one in node.services}
    return {name: kind for name, kind in kinds.items()
            if not name.endswith(('/change_state', '/pause', '/resume'))}


def test_every_request_is_answered_whatever_the_state(kind):
    """Also one that waits while a transition takes place."""
    with on_bench_as(kind, 'autostart:=false') as (node, bench):
        kinds = served(node)
        clients = [bench.create_client(kind, name) for name, kind in kinds.items()]
        for client in clients:
            spin_until(bench, client.service_is_ready)
        for act in (node.trigger_configure, node.trigger_activate, node.trigger_deactivate,
                    node.trigger_cleanup, node.trigger_configure, node.trigger_shutdown):
            answers = [client.call_async(client.srv_type.Request()) for client in clients]
            act()
            spin_until(bench, lambda answers=answers: all(one.done() for one in answers))
            assert served(node) == kinds


def test_wrong_parameters_are_reported_where_they_are_used(kind, capfd):
    name, wrong, right, words = kind.needed
    with on_bench_as(kind, 'autostart:=false') as (node, bench):
        bare = entities(node)
        assert bench.set((name, wrong)) == ''
        assert bench.go('configure') == 'unconfigured'
        assert words in capfd.readouterr().err
        assert entities(node) == bare
        assert bench.set((name, right)) == ''
        assert bench.go('configure', 'activate') == 'active'


def test_pause_resume_reset(kind):
    with on_bench_as(kind) as (_, bench):
        assert bench.go() == 'active'
        assert bench.trigger('resume') == (False, 'not paused')
        assert bench.trigger('pause') == (True, 'paused')
        assert bench.go() == 'inactive'
        assert bench.trigger('pause') == (False, 'not active')
        assert bench.trigger('resume') == (True, 'resumed')
        assert bench.go() == 'active'
        succeeded, message = bench.trigger('reset')
        assert succeeded
        assert message.startswith('waiting for ')
        assert bench.go('deactivate', 'cleanup') == 'unconfigured'
        assert bench.trigger('reset') == (False, 'not configured')


def test_what_takes_another_configuration_says_so_and_is_taken_by_it(kind):
    name, value = kind.fixed
    with on_bench_as(kind) as (node, bench):
        before = node.get_parameter(name).value
        assert 'clean up the node' in bench.set((name, value))
        assert node.get_parameter(name).value == before
        bench.go('deactivate', 'cleanup')
        assert bench.set((name, value)) == ''
        assert bench.go('configure', 'activate') == 'active'
        assert node.get_parameter(name).value == value
        assert node.describe_parameter(name).additional_constraints.endswith('configured again')


@pytest.mark.parametrize('kind', [name for name in KINDS if KINDS[name].at_once], indirect=True)
def test_what_changes_at_once_is_used_by_the_next_step_or_refused_as_a_whole(kind):
    name, value, wrong, words = kind.at_once
    with on_bench_as(kind) as (node, bench):
        before = node.get_parameter(name).value, kind.effect(node)
        assert words in bench.set((name, wrong))
        assert 'clean up the node' in bench.set((name, value), kind.fixed)
        assert (node.get_parameter(name).value, kind.effect(node)) == before
        assert bench.set((name, value), (kind.fixed[0], node.get_parameter(kind.fixed[0]).value)
                         ) == ''
        assert kind.effect(node) == value
        assert bench.go('deactivate', 'cleanup', 'configure', 'activate') == 'active'
        assert kind.effect(node) == value
        assert node.describe_parameter(name).additional_constraints.endswith('at once')
