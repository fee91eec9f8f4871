"""What hz, bw and delay have in common: subscribe with any QoS, report once a second."""
from ros2cli.message_types import topic_class
from ros2cli.node.direct import DirectNode, add_arguments as add_direct_arguments
from ros2cli.values import positive_int

REPORT_PERIOD = 1.0     # [s] of wall time


def add_measure_arguments(parser, default_window):
    """Add topic name, window and the options of the node."""
    add_direct_arguments(parser)
    parser.add_argument('topic_name', help='Name of the ROS topic to listen to (e.g. "/chatter")')
    parser.add_argument(
        '-w',
        '--window',
        '--window-size',
        type=positive_int,
        metavar='WINDOW',
        dest='window_size',
        default=default_window,
        help=f'window size, in # of messages, for calculating rate (default: {default_window})',
    )


def measure(args, on_message, report, raw=False, on_subscribed=None):
    """Call `on_message(message, node)` for each message and `report()` every second, until Ctrl-C.

    Either may raise RuntimeError to end the command.
    """
    import rclpy
    from rclpy.clock import Clock
    from rclpy.clock_type import ClockType
    from rclpy.qos import qos_profile_sensor_data

    with DirectNode(args) as node:
        message_class = topic_class(node, args.topic_name)
        node.create_subscription(
            message_class, args.topic_name, lambda message: on_message(message, node.node),
            qos_profile_sensor_data, raw=raw)
        if on_subscribed:
            on_subscribed()
        node.create_timer(REPORT_PERIOD, report, clock=Clock(clock_type=ClockType.STEADY_TIME))
        rclpy.spin(node.node)
