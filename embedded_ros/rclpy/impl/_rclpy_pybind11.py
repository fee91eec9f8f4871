"""Names of rclpy's C extension that programs and tests refer to."""
from rclpy.event_handler import QoSPublisherEventType, QoSSubscriptionEventType
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
from rclpy.impl.qos_struct import rmw_qos_profile_t
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
    'InvalidHandle', 'NodeNameNonExistentError', 'NotImplementedError', 'RCLError',
    'RCLInvalidROSArgsError', 'RCUtilsError', 'RMWError', 'SignalHandlerOptions',
    'TransitionCallbackReturnType', 'UnknownROSArgsError', 'UnsupportedEventTypeError',
    'rcl_publisher_event_type_t', 'rcl_subscription_event_type_t', 'rclpy_deserialize',
    'rclpy_get_rmw_implementation_identifier', 'rclpy_qos_check_compatible', 'rclpy_serialize',
    'rmw_qos_profile_t']
