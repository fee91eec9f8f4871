"""Guards where messages of rclpy's own topics and services enter a node.

rclpy raises on some of them, which would end the node: parameters of no known type, times before
zero, transitions that a state does not have.  It says little of publishers whose messages cannot
come.
"""

from copy import copy
from typing import Any

from lifecycle_msgs.srv import ChangeState
from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import InvalidQosOverridesError
from rosgraph_msgs.msg import Clock

from mb_ros.checked_stamps import NANOSECONDS
from mb_ros.offered_qos import POLICIES, OfferedQos
from mb_ros.qos import OVERRIDABLE, SERVICE_QOS

_EVERY = 5.0            # seconds between two lines on the log about one kind of message


class GuardedNode(Node):
    """A node that no message to rclpy's topics and services ends; base before LifecycleNode."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Set up as the next base does, whose service for transitions is guarded then."""
        super().__init__(*arguments, **options)
        for service in self.services:
            if service.srv_type is ChangeState:
                service.callback = _guarded_transitions(self, service.callback)

    def create_service(self, srv_type, srv_name, callback, **options):
        """Create a service; requests that rclpy's own callbacks raise on are refused instead.

        As many of them wait while the node does other work as rclpy lets wait for its parameters.
        """
        guard = _GUARDS.get(srv_type)
        return super().create_service(
            srv_type, srv_name, guard(callback) if guard else callback,
            **{'qos_profile': SERVICE_QOS, **options})

    def create_subscription(self, msg_type, topic, callback, qos_profile, **options):
        """Create a subscription; times before zero, which rclpy raises on, are left out.

        Which publishers offer less than it asks for is said, with the parameters that mend it:
        qos_overrides, unless options say otherwise.  Raises ValueError for such that cannot be.
        """
        if msg_type is Clock:
            callback = _guarded_clock(self, callback)
        elif 'qos_overriding_options' not in options and self._asks_more(topic, qos_profile):
            options['qos_overriding_options'] = OVERRIDABLE
        offered = OfferedQos(self, options.get('qos_overriding_options') is not None)
        try:
            subscription = super().create_subscription(
                msg_type, topic, callback, copy(qos_profile),       # rclpy writes overrides to it
                **{'event_callbacks': offered.callbacks, **options})
        except InvalidQosOverridesError as error:
            raise ValueError(f'qos_overrides: {topic}: {error}') from error
        except RuntimeError as error:       # of rclpy, for a value that no policy has
            if 'QoS override' not in str(error):
                raise
            raise ValueError(f'qos_overrides: {topic}: {error}') from error
        offered.watch(subscription)
        return subscription

    def _asks_more(self, topic: str, qos: QoSProfile) -> Any:
        """Return whether some publishers may offer less, and no other subscription has the topic.

        That one's parameters would count for this one, too.
        """
        name = f'qos_overrides.{self.resolve_topic_name(topic)}.subscription.durability'
        strong = any(getattr(qos, policy, None) == most for policy, most, _ in POLICIES)
        return strong and not self.has_parameter(name)


def _guarded_clock(node, callback):
    """Return a callback for Clock messages that leaves out times that are none, and says so."""
    def on_clock(message):
        time = message.clock
        if time.nanosec >= NANOSECONDS:
            node.get_logger().warning(
                f'/clock: a time with nanosec {time.nanosec}, expected less than 1e9, is left out',
                throttle_duration_sec=_EVERY)
            return
        if time.sec < 0:
            node.get_logger().warning(
                f'/clock: a time before zero ({time.sec} s) is left out',
                throttle_duration_sec=_EVERY)
            return
        callback(message)
    return on_clock


def _guarded_transitions(node, callback):
    """Return a callback of change_state: what the state of a node does not allow is refused."""
    def change_state(request, response):
        try:
            return callback(request, response)
        except RuntimeError as error:       # of rcl: errors of a node's own are kept from it
            asked = request.transition.label or request.transition.id
            node.get_logger().warning(f'change_state: {asked}: refused: {error}',
                                      throttle_duration_sec=_EVERY)
            response.success = False
            return response
    return change_state


def _problem(message):
    """Return what is wrong with a rcl_interfaces/Parameter, in words; empty if nothing."""
    try:
        Parameter.from_parameter_msg(message)
    except (ValueError, TypeError, RuntimeError):
        return f'{message.name}: {message.value.type} is no type of a parameter'
    return ''


def _guarded_set(callback):
    """Return a callback of set_parameters: each parameter is set or refused by itself."""
    def set_parameters(request, response):
        for message in request.parameters:
            problem = _problem(message)
            response.results.append(
                SetParametersResult(successful=False, reason=problem) if problem else callback(
                    SetParameters.Request(parameters=[message]),
                    SetParameters.Response()).results[0])
        return response
    return set_parameters


def _guarded_set_atomically(callback):
    """Return a callback of set_parameters_atomically."""
    def set_parameters_atomically(request, response):
        problems = [words for words in map(_problem, request.parameters) if words]
        if problems:
            response.result = SetParametersResult(successful=False, reason='; '.join(problems))
            return response
        return callback(request, response)
    return set_parameters_atomically


_GUARDS = {SetParameters: _guarded_set, SetParametersAtomically: _guarded_set_atomically}
