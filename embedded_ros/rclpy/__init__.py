"""The ROS 2 client library for Python, on Eclipse Cyclone DDS.

    rclpy.init()
    node = rclpy.create_node('name')
    node.create_timer(1.0, lambda: print('tick'))
    rclpy.spin(node)
    rclpy.shutdown()
"""
import importlib

from rclpy.signals import SignalHandlerOptions, install_signal_handlers, uninstall_signal_handlers
from rclpy.utilities import get_default_context, get_rmw_implementation_identifier, ok

__all__ = [
    'SignalHandlerOptions', 'create_node', 'get_default_context', 'get_global_executor',
    'get_rmw_implementation_identifier', 'init', 'ok', 'shutdown', 'spin', 'spin_once',
    'spin_until_future_complete', 'try_shutdown']

_executor = None


def init(*, args=None, context=None, domain_id=None, signal_handler_options=None):
    """Initialise a context (default: the default one) with the arguments of the process.

    args: list of str, default sys.argv; domain_id: default ROS_DOMAIN_ID;
    signal_handler_options: default all signals for the default context, none for others
    """
    if signal_handler_options is None:
        default = context is None or context is get_default_context()
        signal_handler_options = (
            SignalHandlerOptions.ALL if default else SignalHandlerOptions.NO)
    context = get_default_context() if context is None else context
    context.init(args, domain_id=domain_id)
    install_signal_handlers(signal_handler_options)


def shutdown(*, context=None, uninstall_handlers=None):
    """Shut a context down; RuntimeError where it is not initialised.

    uninstall_handlers: restore the signal handlers; by default if it is the default context
    """
    from rclpy import utilities
    _shut_executor_down(context)
    utilities.shutdown(context=context)
    if uninstall_handlers or (uninstall_handlers is None and context is None):
        uninstall_signal_handlers()


def try_shutdown(*, context=None, uninstall_handlers=None):
    """Shut a context down if that has not happened yet."""
    from rclpy import utilities
    _shut_executor_down(context)
    utilities.try_shutdown(context=context)
    if uninstall_handlers or (uninstall_handlers is None and context is None):
        uninstall_signal_handlers()


def _shut_executor_down(context):
    global _executor
    executor = _executor
    if executor is not None and context in (None, executor.context):
        _executor = None
        executor.shutdown()


def create_node(node_name, **keywords):
    """A rclpy.node.Node; keywords as for its constructor."""
    from rclpy.node import Node
    return Node(node_name, **keywords)


def get_global_executor():
    """The executor that rclpy.spin and its like use where none is given."""
    global _executor
    if _executor is None:
        from rclpy.executors import SingleThreadedExecutor
        _executor = SingleThreadedExecutor()
    return _executor


def spin_once(node, *, executor=None, timeout_sec=None):
    """Wait for one piece of work of the node, at most for the time, and run it."""
    executor = get_global_executor() if executor is None else executor
    try:
        executor.add_node(node)
        executor.spin_once(timeout_sec=timeout_sec)
    finally:
        executor.remove_node(node)


def spin(node, executor=None):
    """Run the callbacks of the node until the executor's context is shut down."""
    executor = get_global_executor() if executor is None else executor
    try:
        executor.add_node(node)
        while executor.context.ok():
            executor.spin_once()
    finally:
        executor.remove_node(node)


def spin_until_future_complete(node, future, executor=None, timeout_sec=None):
    """Run the callbacks of the node until the Future is done, at most for the time."""
    executor = get_global_executor() if executor is None else executor
    try:
        executor.add_node(node)
        executor.spin_until_future_complete(future, timeout_sec)
    finally:
        executor.remove_node(node)


_lazy = {'Context': 'context', 'Future': 'task', 'Parameter': 'parameter'}


def __getattr__(name):
    """Import modules of the package, and the few classes offered here, when first asked for."""
    try:
        module = importlib.import_module(f'rclpy.{_lazy.get(name, name)}')
    except ModuleNotFoundError as error:
        raise AttributeError(f"module 'rclpy' has no attribute '{name}'") from error
    return getattr(module, name) if name in _lazy else module
