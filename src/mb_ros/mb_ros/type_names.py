"""Names of message and service types."""


def type_name(kind):
    """Return the name of a class of messages or services as ROS writes it: package/msg/Name."""
    package, folder, *_ = kind.__module__.split('.')
    return f'{package}/{folder}/{kind.__name__}'
