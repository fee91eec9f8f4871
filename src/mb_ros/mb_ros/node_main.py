"""The life of a node process, the same for all nodes."""

import sys
import traceback

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.logging import get_logger

USER_ERROR = 2


def run(node_class):
    """Run one node until it is told to stop.

    Ends with exit code 2 and one line on the log if the node's constructor raises ValueError: what
    the user gave cannot be used. A callback may end the process by raising SystemExit.
    """
    rclpy.init()
    try:
        try:
            node = node_class()
        except ValueError as error:
            logger = get_logger(node_class.__name__)
            logger.fatal(str(error))
            logger.debug(traceback.format_exc())
            sys.exit(USER_ERROR)
        try:
            rclpy.spin(node)
        finally:
            node.destroy_node()
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        rclpy.try_shutdown()
