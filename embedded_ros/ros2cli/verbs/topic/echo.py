"""Output messages from a topic."""
from ros2cli.message_types import topic_class
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments
from ros2cli.qos_options import (
    adapt_to_publishers,
    add_qos_arguments,
    has_qos_options,
    profile_from_options,
)
from ros2cli.values import positive_float, unsigned_int
from ros2cli.verbs.topic.expression import compile_filter

DEFAULT_TRUNCATE_LENGTH = 128


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument('topic_name', help="Name of the ROS topic to listen to (e.g. '/chatter')")
    parser.add_argument(
        'message_type', nargs='?', help="Type of the ROS message (e.g. 'std_msgs/msg/String')"
    )
    add_qos_arguments(parser, 'subscribe', 'sensor_data')
    parser.add_argument(
        '--csv',
        action='store_true',
        help='Output all recursive fields separated by commas (e.g. for plotting). If '
        '--include-message-info is also passed, those fields are prepended to the output.',
    )
    parser.add_argument(
        '--field',
        help="Echo a selected field of a message. Use '.' to select sub-fields. "
        'For example, to echo the position field of a nav_msgs/msg/Odometry message: '
        "'ros2 topic echo /odom --field pose.pose.position'",
    )
    parser.add_argument(
        '-f',
        '--full-length',
        action='store_true',
        help='Output all elements for arrays, bytes, and string with a length > '
        "'--truncate-length', by default they are truncated after '--truncate-length' "
        "elements with '...'",
    )
    parser.add_argument(
        '-l',
        '--truncate-length',
        type=unsigned_int,
        default=DEFAULT_TRUNCATE_LENGTH,
        help='The length to truncate arrays, bytes, and string to '
        f'(default: {DEFAULT_TRUNCATE_LENGTH})',
    )
    parser.add_argument(
        '--no-arr', action='store_true', help="Don't print array fields of messages"
    )
    parser.add_argument(
        '--no-str', action='store_true', help="Don't print string fields of messages"
    )
    parser.add_argument('--flow-style', action='store_true',
                        help='Print collections in the block style (not available with csv format)')
    parser.add_argument('--lost-messages', action='store_true', help='DEPRECATED: Does nothing')
    parser.add_argument(
        '--no-lost-messages', action='store_true', help="Don't report when a message is lost"
    )
    parser.add_argument('--raw', action='store_true', help='Echo the raw binary representation')
    parser.add_argument(
        '--filter',
        dest='filter_expr',
        metavar='expr',
        help='Python expression to filter messages that are printed. Expression can use '
        'Python builtins as well as m (the message).',
    )
    parser.add_argument(
        '--once', action='store_true', help='Print the first message received and then exit.'
    )
    parser.add_argument(
        '--timeout', metavar='N', type=positive_float, help='Set a timeout in seconds for waiting'
    )
    parser.add_argument('--include-message-info', action='store_true',
                        help='Shows the associated message info.')


def main(args):
    path = field_path(args.field)
    keep = compile_filter(args.filter_expr)
    with NodeStrategy(args) as node:
        message_class = topic_class(node, args.topic_name, args.message_type)
        echo = Echo(node.node, args, path, keep)
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
    offered = [info.qos_profile for info in node.get_publishers_info_by_topic(args.topic_name)]
    profile.depth = max([profile.depth, *(qos.depth for qos in offered)])
    return adapt_to_publishers(profile, offered)


class Echo:
    """Prints what arrives on one topic."""

    def __init__(self, node, args, path, keep):
        self._node, self._args, self._path, self._keep = node, args, path, keep
        self._truncate = None if args.full_length else args.truncate_length
        self._done = None

    def subscribe(self, message_class, qos):
        """Print messages from now on."""
        from rclpy.event_handler import SubscriptionEventCallbacks, UnsupportedEventTypeError
        from rclpy.task import Future
        self._done = Future()
        lost = None if self._args.no_lost_messages or self._args.csv else report_lost
        try:
            self._subscription = self._node.create_subscription(
                message_class, self._args.topic_name, self._on_message, qos, raw=self._args.raw,
                event_callbacks=SubscriptionEventCallbacks(message_lost=lost))
        except UnsupportedEventTypeError:
            self._subscription = self._node.create_subscription(
                message_class, self._args.topic_name, self._on_message, qos, raw=self._args.raw)

    def spin(self):
        """Go on until Ctrl-C, the first message (--once) or the timeout."""
        import rclpy
        rclpy.spin_until_future_complete(self._node, self._done, timeout_sec=self._args.timeout)
        if self._done.done():
            self._done.result()

    def _on_message(self, message, info):
        if self._done.done() or not (self._keep is None or self._args.raw or self._keep(message)):
            return
        for name in self._path:
            try:
                message = getattr(message, name)
            except AttributeError as error:
                self._done.set_exception(
                    RuntimeError(f"Invalid field '{'.'.join(self._path)}': {error}"))
                return
        self._print(message, info)
        if self._args.once:
            self._done.set_result(True)

    def _print(self, message, info):
        from rosidl_runtime_py import message_to_csv, message_to_yaml
        args = self._args
        limits = {'truncate_length': self._truncate, 'no_arr': args.no_arr, 'no_str': args.no_str}
        structured = hasattr(message, 'get_fields_and_field_types')
        if args.csv:
            text = message_to_csv(message, **limits) if structured else str(message)
            prefix = (
                ','.join(map(str, info.values())) + ','
                if info and args.include_message_info
                else ''
            )
            print(prefix + text)
            return
        if info and args.include_message_info:
            print(yaml_of_info(info), end='---\n')
        if structured:
            print(message_to_yaml(message, flow_style=args.flow_style, **limits), end='---\n')
        else:
            print(message, end='\n---\n')


def yaml_of_info(info):
    """The message info as lines `name: value`."""
    return ''.join(f'{name}: {value}\n' for name, value in info.items())


def report_lost(event):
    """Report messages that did not come."""
    print('A message was lost!!!\n'
          f'\ttotal count change:{event.total_count_change}\n\ttotal count: {event.total_count}')
