"""Errors of the layers below rclpy, named as its C extension names them."""


class RCUtilsError(RuntimeError):
    """Logging or another utility failed."""


class RMWError(RuntimeError):
    """The middleware refused."""


class RCLError(RuntimeError):
    """The client library refused."""


class RCLInvalidROSArgsError(RCLError):
    """An argument after --ros-args cannot be read."""


class UnknownROSArgsError(RuntimeError):
    """An option after --ros-args that does not exist."""


class NodeNameNonExistentError(RCLError):
    """A node was asked for that is not in the graph."""


class UnsupportedEventTypeError(RCLError):
    """An event of QoS that the middleware does not report."""


class InvalidHandle(RuntimeError):
    """An entity was used after it was destroyed."""
