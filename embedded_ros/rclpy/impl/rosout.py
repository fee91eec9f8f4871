"""What nodes log, published on /rosout."""
from contextlib import suppress
from functools import partial

from rclpy.impl.handle import Handle
from rclpy.impl.rcutils_logger import rosout_sinks

_TOPIC = 'rt/rosout'


def start_rosout(node, profile):
    """Publish what the loggers of this node, and their children, log."""
    from embedded_ros.dds.library import DdsError
    from embedded_ros.interfaces import serialize
    from rcl_interfaces.msg import Log

    from rclpy.impl.middleware import create_writer
    writer = create_writer(node.context, _TOPIC, Log, profile)
    node.handle.rosout = Handle(writer)
    node.handle.add_endpoints(node.handle.rosout)

    def publish(severity, name, text, stamp, file, function, line):
        log = Log(level=int(severity), name=name, msg=text, file=file, function=function,
                  line=line)
        log.stamp.sec, log.stamp.nanosec = divmod(stamp, 10**9)
        with suppress(DdsError):  # the context may have ended, the console has the text
            writer.write(serialize(log))

    name = node.get_logger().name
    rosout_sinks[name] = publish
    node.handle.rosout.at_end(partial(_forget, name, publish))


def _forget(name, publish):
    if rosout_sinks.get(name) is publish:  # not a later node of the same name
        del rosout_sinks[name]


def stop_rosout(node):
    """Stop publishing what the node logs."""
    if node.handle.rosout is not None:
        node.handle.rosout.destroy_when_not_in_use()
