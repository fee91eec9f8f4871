"""The default context, and small things about the process."""
import sys
import threading

from rclpy.constants import S_TO_NS

_default_context = None
_lock = threading.Lock()


def get_default_context(*, shutting_down=False):
    """The context used where none is given; a fresh one after a shutdown."""
    global _default_context
    from rclpy.context import Context
    with _lock:
        if _default_context is None and not shutting_down:
            _default_context = Context()
        context = _default_context
        if shutting_down:
            _default_context = None
        return context


def ok(*, context=None):
    """Whether the context is initialised and not shut down."""
    if context is None:
        context = get_default_context()
    return context.ok()


def shutdown(*, context=None):
    """Shut the context down; RuntimeError where it is not initialised."""
    if context is None:
        context = get_default_context(shutting_down=True)
        if context is None:
            raise RuntimeError('Context must be initialized before it can be shutdown')
    return context.shutdown()


def try_shutdown(*, context=None):
    """Shut the context down if that has not happened yet."""
    if context is None:
        context = get_default_context(shutting_down=True)
    if context is not None:
        context.try_shutdown()


def remove_ros_args(args=None):
    """The arguments without ROS arguments (from --ros-args up to -- or the end)."""
    from rclpy.impl.arguments import parse_arguments
    return parse_arguments(list(sys.argv if args is None else args)).non_ros_arguments


def get_rmw_implementation_identifier():
    """The ROS name of the middleware that the wire format belongs to."""
    return 'rmw_cyclonedds_cpp'


def get_available_rmw_implementations():
    return {get_rmw_implementation_identifier()}


def timeout_sec_to_nsec(timeout_sec):
    """A time-out [s] in nanoseconds; None and negative values, for ever, give -1."""
    if timeout_sec is None or timeout_sec < 0:
        return -1
    return int(float(timeout_sec) * S_TO_NS)
