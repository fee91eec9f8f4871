"""A node of the command's own, which waits for discovery before it answers."""
import argparse
import os
import time

from ros2cli.node import NODE_NAME_PREFIX

DEFAULT_TIMEOUT = 0.5       # [s] to wait for discovery
EXTRA_TIMEOUT = 1.0         # [s] more, if what was asked for or the node of an endpoint is missing
UNKNOWN_NODE = '_NODE_NAME_UNKNOWN_'


def non_negative_seconds(text):
    """Type of an argument: a time that is not below 0."""
    value = float(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f'{text} must not be negative')
    return value


def add_arguments(parser):
    """Add the options every command with a node of its own has."""
    parser.add_argument(
        '--spin-time',
        type=non_negative_seconds,
        default=DEFAULT_TIMEOUT,
        help='Spin time in seconds to wait for discovery (only applies when not using an '
        f'already running daemon), default {DEFAULT_TIMEOUT}',
    )
    parser.add_argument(
        '-s', '--use-sim-time', action='store_true', help='Enable ROS simulation time'
    )


class DirectNode:
    """Context manager of a node whose graph functions it offers as its own.

    With `discover=False` it does not wait for discovery.
    """

    def __init__(self, args, *, node_name=None, discover=True):
        import rclpy
        from rclpy.parameter import Parameter
        rclpy.init(args=getattr(args, 'argv', []))
        self.node = rclpy.create_node(
            node_name or f'{NODE_NAME_PREFIX}_{os.getpid()}',
            start_parameter_services=False,
            parameter_overrides=[
                Parameter('use_sim_time', value=getattr(args, 'use_sim_time', False))
            ],
        )
        if discover:
            self._discover(getattr(args, 'spin_time', DEFAULT_TIMEOUT))

    def _discover(self, seconds):
        time.sleep(seconds)
        end = time.monotonic() + EXTRA_TIMEOUT
        while self._graph_is_incomplete() and time.monotonic() < end:
            time.sleep(0.05)

    def _graph_is_incomplete(self):
        """Whether an endpoint is known whose participant has not yet published its nodes."""
        return any(
            info.node_name == UNKNOWN_NODE
            for topic, _ in self.node.get_topic_names_and_types()
            for info in self.node.get_publishers_info_by_topic(topic))

    def find(self, look):
        """What `look()` gives; while that is nothing, look again for a while: nodes may be slow."""
        end = time.monotonic() + EXTRA_TIMEOUT
        found = look()
        while not found and time.monotonic() < end:
            time.sleep(0.05)
            found = look()
        return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        import rclpy
        self.node.destroy_node()
        rclpy.try_shutdown()

    def __getattr__(self, name):
        return getattr(self.node, name)
