"""The old name of rclpy.event_handler."""
import warnings

from rclpy.event_handler import *  # noqa: F403

warnings.warn('rclpy.qos_event is called rclpy.event_handler now', DeprecationWarning,
              stacklevel=2)
