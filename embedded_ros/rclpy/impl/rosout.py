"""What nodes log, told on /rosout."""
from rclpy.impl.handle import Handle
from rclpy.impl.rcutils_logger import rosout_sinks

_TOPIC = 'rt/rosout'


def start_rosout(node, profile):
    """Tell what the loggers of this node, and their children, log; gives the writer's Handle."""
    from embedded_ros.dds.library import DdsError
    from embedded_ros.interfaces import serialize
    from rcl_interfaces.msg import Log
    from rclpy.impl.middleware import create_writer
    writer = create_writer(node.context, _TOPIC, Log, profile)
    node._graph_node.writers.append(writer.gid)

    def tell(severity, name, text, stamp, file, function, line):
        log = Log(level=int(severity), name=name, msg=text, file=file, function=function,
                  line=line)
        log.stamp.sec, log.stamp.nanosec = divmod(stamp, 10**9)
        try:
            writer.write(serialize(log))
        except DdsError:
            pass  # the context has ended, the console has the text

    rosout_sinks[node.get_logger().name] = tell
    return Handle(writer)


def stop_rosout(node):
    """Stop telling what the node logs."""
    if getattr(node, '_rosout', None) is not None and node._rosout.valid:
        rosout_sinks.pop(node.get_logger().name, None)
        node._rosout.destroy_when_not_in_use()
