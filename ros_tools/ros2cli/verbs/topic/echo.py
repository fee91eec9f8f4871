"""Output messages from a topic."""
from ros2cli.names import topic_class
from ros2cli.node import GraphNode, add_arguments as add_node_arguments
from ros2cli.values import (
    adapt_to_publishers,
    add_qos_arguments,
    has_qos_options,
    profile_from_options,
)

TRUNCATE_LENGTH = 128


def add_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('topic_name', help="Name of the ROS topic to listen to (e.g. '/chatter')")
    parser.add_argument(
        'message_type', nargs='?', help="Type of the ROS message (e.g. 'std_msgs/msg/String')"
    )
    add_qos_arguments(parser, 'subscribe', 'sensor_data')
    parser.add_argument(
        '--csv', action='store_true',
        help='Output all recursive fields separated by commas (e.g. for plotting).')
    parser.add_argument(
        '--field', help="Echo a selected field of a message. Use '.' to select sub-fields. "
        'For example, to echo the position field of a nav_msgs/msg/Odometry message: '
        "'ros2 topic echo /odom --field pose.pose.position'")
    parser.add_argument(
        '-f', '--full-length', action='store_true',
        help='Output all elements of arrays and texts, which are otherwise cut after '
        f'{TRUNCATE_LENGTH} elements')
    parser.add_argument(
        '--once', action='store_true', help='Print the first message received and then exit.'
    )


def main(args):
    path = field_path(args.field)
    with GraphNode(args) as node:
        message_class = topic_class(node, args.topic_name, args.message_type)
        echo = Echo(node.node, args, path)
        echo.subscribe(message_class, choose_qos(node, args))
        echo.spin()


def field_path(text):
    """Names of the nested fields in 'a.b.c' (none for no text).  Raises RuntimeError."""
    if text is None:
        return []
    path = [name for name in text.split('.') if name]
    if not path:
        raise RuntimeError(f"Invalid field value '{text}'")
    return path


def choose_qos(node, args):
    """The QoS asked for; without any such option, what all publishers of the topic can serve."""
    from rclpy.qos import QoSPresetProfiles
    profile = profile_from_options(args, QoSPresetProfiles.SENSOR_DATA.value)
    if has_qos_options(args):
        return profile
    node.settle()
    offered = [info.qos_profile for info in node.get_publishers_info_by_topic(args.topic_name)]
    profile.depth = max([profile.depth, *(qos.depth for qos in offered)])
    return adapt_to_publishers(profile, offered)


class Echo:
    """Prints what arrives on one topic."""

    def __init__(self, node, args, path):
        self._node, self._args, self._path = node, args, path
        self._done = None

    def subscribe(self, message_class, qos):
        """Print messages from now on."""
        from rclpy.event_handler import SubscriptionEventCallbacks
        from rclpy.task import Future
        self._done = Future()
        self._subscription = self._node.create_subscription(
            message_class, self._args.topic_name, self._on_message, qos,
            event_callbacks=SubscriptionEventCallbacks(
                message_lost=None if self._args.csv else report_lost))

    def spin(self):
        """Go on until Ctrl-C or the first message (--once)."""
        import rclpy
        rclpy.spin_until_future_complete(self._node, self._done)
        self._done.result()

    def _on_message(self, message):
        if self._done.done():
            return
        for name in self._path:
            try:
                message = getattr(message, name)
            except AttributeError as error:
                self._done.set_exception(
                    RuntimeError(f"Invalid field '{'.'.join(self._path)}': {error}"))
                return
        self._print(message)
        if self._args.once:
            self._done.set_result(True)

    def _print(self, message):
        from rosidl_runtime_py import message_to_csv, message_to_yaml
        limit = None if self._args.full_length else TRUNCATE_LENGTH
        structured = hasattr(message, 'get_fields_and_field_types')
        if self._args.csv:
            print(message_to_csv(message, truncate_length=limit) if structured else message)
        elif structured:
            print(message_to_yaml(message, truncate_length=limit), end='---\n')
        else:
            print(message, end='\n---\n')


def report_lost(event):
    """Report messages that did not come."""
    print('A message was lost!!!\n'
          f'\ttotal count change:{event.total_count_change}\n\ttotal count: {event.total_count}')
