"""Frames over ROS: broadcast them, listen to them, ask for the transform between any two."""
from tf2_py import (
    ConnectivityException,
    ExtrapolationException,
    InvalidArgumentException,
    LookupException,
    TimeoutException,
    TransformException,
)

from tf2_ros.buffer import Buffer
from tf2_ros.transform_broadcaster import StaticTransformBroadcaster, TransformBroadcaster
from tf2_ros.transform_listener import TransformListener

__all__ = [
    'Buffer', 'ConnectivityException', 'ExtrapolationException', 'InvalidArgumentException',
    'LookupException', 'StaticTransformBroadcaster', 'TimeoutException', 'TransformBroadcaster',
    'TransformException', 'TransformListener']
