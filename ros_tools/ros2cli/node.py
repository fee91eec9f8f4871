"""The node a `ros2` command looks at the graph with, and how long it waits for discovery.

There is no daemon: each command joins the graph itself.
"""
import os
import time

from ros_tools.discovery import LEAST, MOST, POLL_PERIOD, QUIET, wait_for_discovery

from ros2cli.values import SECONDS

NAME_PREFIX = '_ros2cli'
RULE = (f'Then listing verbs wait until the graph has not changed for {QUIET:g} s, at most '
        f'{MOST:g} s; verbs that name a node, topic or service wait so long until it is there.')


def add_arguments(parser):
    """Add the options every command with a node of its own has."""
    parser.add_argument(
        '--spin-time', type=SECONDS, default=LEAST,
        help=f'Least time in seconds to wait for discovery (default: {LEAST:g}). {RULE}')
    parser.add_argument(
        '-s', '--use-sim-time', action='store_true', help='Enable ROS simulation time')
    parser.add_argument(
        '--no-daemon', action='store_true', help='Has no effect here: there is no daemon')


class GraphNode:
    """Context manager of a node whose graph functions it offers as its own."""

    def __init__(self, args):
        import rclpy
        from rclpy.parameter import Parameter
        self._spin_time = getattr(args, 'spin_time', LEAST)
        self._begin = time.monotonic()
        rclpy.init(args=[])
        self.node = rclpy.create_node(
            f'{NAME_PREFIX}_{os.getpid()}', start_parameter_services=False,
            parameter_overrides=[
                Parameter('use_sim_time', value=getattr(args, 'use_sim_time', False))])

    def settle(self):
        """Wait until discovery is believed to have ended; return this."""
        gone = time.monotonic() - self._begin
        wait_for_discovery(self.node, max(0.0, self._spin_time - gone))
        return self

    def find(self, look):
        """What `look()` gives; while that is nothing, look again for a while."""
        end = time.monotonic() + max(MOST, self._spin_time)
        found = look()
        while not found and time.monotonic() < end:
            time.sleep(POLL_PERIOD)
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
