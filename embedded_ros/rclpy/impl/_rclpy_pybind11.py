"""Names of rclpy's C extension that programs and tests refer to."""
from rclpy.event_handler import EventHandle, QoSPublisherEventType, QoSSubscriptionEventType
from rclpy.impl.errors import (
    InvalidHandle,
    NodeNameNonExistentError,
    RCLError,
    RCLInvalidROSArgsError,
    RCUtilsError,
    RMWError,
    UnknownROSArgsError,
    UnsupportedEventTypeError,
)
from rclpy.impl.handle import Handle as Destroyable
from rclpy.impl.node_handle import NodeHandle as Node
from rclpy.impl.owner_handles import ClockHandle as Clock, ContextHandle as Context
from rclpy.impl.pybind_entities import (
    Client,
    GuardCondition,
    Publisher,
    Service,
    Subscription,
    Timer,
)
from rclpy.impl.qos_struct import rmw_qos_profile_t
from rclpy.impl.wait_set import WaitSet
from rclpy.lifecycle.state_machine import TransitionCallbackReturn as TransitionCallbackReturnType
from rclpy.qos import qos_check_compatible as rclpy_qos_check_compatible
from rclpy.serialization import (
    deserialize_message as rclpy_deserialize,
    serialize_message as rclpy_serialize,
)
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import (
    get_rmw_implementation_identifier as rclpy_get_rmw_implementation_identifier,
)

rcl_publisher_event_type_t = QoSPublisherEventType
rcl_subscription_event_type_t = QoSSubscriptionEventType
NotImplementedError = NotImplementedError  # the extension's own is a subclass of Python's

__all__ = [
    'Client',
    'Clock',
    'Context',
    'Destroyable',
    'EventHandle',
    'GuardCondition',
    'InvalidHandle',
    'Node',
    'NodeNameNonExistentError',
    'NotImplementedError',
    'Publisher',
    'RCLError',
    'RCLInvalidROSArgsError',
    'RCUtilsError',
    'RMWError',
    'Service',
    'SignalHandlerOptions',
    'Subscription',
    'Timer',
    'TransitionCallbackReturnType',
    'UnknownROSArgsError',
    'UnsupportedEventTypeError',
    'WaitSet',
    'rcl_publisher_event_type_t',
    'rcl_subscription_event_type_t',
    'rclpy_deserialize',
    'rclpy_get_rmw_implementation_identifier',
    'rclpy_qos_check_compatible',
    'rclpy_serialize',
    'rmw_qos_profile_t',
]
