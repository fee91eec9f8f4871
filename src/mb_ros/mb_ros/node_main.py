"""The life of a process with nodes, the same for all of them."""

import gc
import sys
import traceback

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.logging import get_logger

USER_ERROR = 2


class NodeMain:
    """main() of a module with a node: runs it alone until it is told to stop."""

    def __init__(self, node_class):
        """Set up; node_class takes the options of rclpy's Node, such as cli_args."""
        self.node_class = node_class

    def __call__(self):
        """Run the node."""
        run([self.node_class])


def run(makers, args=None):
    """Run nodes in one executor until they are told to stop.

    makers: callables that each return a node; args: of all nodes, default those of the process.
    Ends with exit code 2 and one line on the log if one of them raises ValueError: what the user
    gave cannot be used.  A callback may end the process by raising SystemExit.
    """
    rclpy.init(args=args)
    nodes = []
    try:
        executor = SingleThreadedExecutor()
        try:
            for make in makers:
                nodes.append(_made(make))
                executor.add_node(nodes[-1])
            gc.freeze()     # else to look through all kernels takes tenths of a second, at times
            executor.spin()
        finally:
            executor.shutdown()         # first: it waits on what the nodes are made of
            for node in nodes:
                node.destroy_node()
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        rclpy.try_shutdown()


def _made(make):
    try:
        return make()
    except ValueError as error:
        logger = get_logger(make.__name__)
        logger.fatal(str(error))
        logger.debug(traceback.format_exc())
        sys.exit(USER_ERROR)
