"""Publish a message to a topic."""
import sys
import time

from ros2cli.message_types import message_class
from ros2cli.node import NODE_NAME_PREFIX
from ros2cli.node.direct import DirectNode, add_arguments as add_direct_arguments
from ros2cli.qos_options import add_qos_arguments, profile_from_options
from ros2cli.values import positive_float, positive_int, unsigned_int, yaml_dictionary

POLL_PERIOD = 0.1       # [s] between looks at the number of subscribers


def add_arguments(parser):
    add_direct_arguments(parser)
    parser.add_argument('topic_name', help="Name of the ROS topic to publish to (e.g. '/chatter')")
    parser.add_argument('message_type', help="Type of the ROS message (e.g. 'std_msgs/String')")
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        'values',
        nargs='?',
        default='{}',
        help='Values to fill the message with in YAML format (e.g. "data: Hello World"), '
        'otherwise the message will be published with default values',
    )
    source.add_argument('--stdin', action='store_true', help='Read values from standard input')
    parser.add_argument('-r', '--rate', metavar='N', type=positive_float, default=1.0,
                        help='Publishing rate in Hz (default: 1)')
    parser.add_argument('-p', '--print', metavar='N', type=unsigned_int, default=1,
                        help='Only print every N-th published message (default: 1)')
    times = parser.add_mutually_exclusive_group()
    times.add_argument('-1', '--once', action='store_true', help='Publish one message and exit')
    times.add_argument('-t', '--times', type=positive_int, default=0,
                       help='Publish this number of times and then exit')
    parser.add_argument(
        '-w',
        '--wait-matching-subscriptions',
        type=unsigned_int,
        help='Wait until finding the specified number of matching subscriptions. '
        'Defaults to 1 when using "-1"/"--once"/"--times", otherwise defaults to 0.',
    )
    parser.add_argument(
        '--max-wait-time-secs',
        type=positive_float,
        help='This sets the maximum wait time in seconds if '
        '--wait-matching-subscriptions is set. By default, this flag is not set meaning '
        'the subscriber will wait endlessly.',
    )
    parser.add_argument(
        '--keep-alive',
        metavar='N',
        type=positive_float,
        default=0.1,
        help='Keep publishing node alive for N seconds after the last msg (default: 0.1)',
    )
    parser.add_argument('-n', '--node-name', help='Name of the created publishing node')
    add_qos_arguments(parser, 'publish', 'default')


def default_qos():
    """Reliable and kept for late subscribers."""
    from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
    return QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE,
                      durability=DurabilityPolicy.TRANSIENT_LOCAL)


def main(args):
    times = 1 if args.once else args.times
    waited_for = args.wait_matching_subscriptions
    if waited_for is None:
        waited_for = 1 if times else 0
    if args.max_wait_time_secs is not None and waited_for == 0:
        return ('--max-wait-time-secs option is only effective with --wait-matching-subscriptions, '
                '--once or --times')
    kind = message_class(args.message_type)
    values = yaml_dictionary(sys.stdin.read() if args.stdin else args.values)
    name = args.node_name or f'{NODE_NAME_PREFIX}_pub_{time.time_ns() % 10 ** 9}'
    with DirectNode(args, node_name=name, discover=not waited_for) as node:
        publisher = node.create_publisher(
            kind, args.topic_name, profile_from_options(args, default_qos())
        )
        wait_for_subscribers(publisher, waited_for, args.max_wait_time_secs)
        publish(node.node, publisher, *filled_message(kind, values), args, times)
        time.sleep(args.keep_alive)
    return None


def wait_for_subscribers(publisher, number, limit):
    """Wait until so many subscriptions match.  Raises RuntimeError after `limit` seconds."""
    begin, polls = time.monotonic(), 0
    while publisher.get_subscription_count() < number:
        if polls % 10 == 0:
            print(f'Waiting for at least {number} matching subscription(s)...')
        polls += 1
        time.sleep(POLL_PERIOD)
        if limit is not None and time.monotonic() - begin > limit:
            raise RuntimeError(
                f'Timed out waiting for subscribers: Expected {number} subscribers but only '
                f'got {publisher.get_subscription_count()} subscribers'
            )


def filled_message(kind, values):
    """(message with these values, setters of stamps that are to be now).  Raises RuntimeError."""
    from rosidl_runtime_py import set_message_fields
    message = kind()
    try:
        return message, set_message_fields(
            message, values, expand_header_auto=True, expand_time_now=True
        )
    except Exception as error:  # whatever a setter makes of the user's value
        raise RuntimeError(f'Failed to populate field: {error}') from None


def publish(node, publisher, message, stamp_setters, args, times):
    """Publish at the rate until it was done `times` times (0: for ever)."""
    import rclpy
    print('publisher: beginning loop')
    count = 0

    def tick():
        nonlocal count
        count += 1
        now = node.get_clock().now().to_msg()
        for set_stamp in stamp_setters:
            set_stamp(now)
        if args.print and count % args.print == 0:
            print(f'publishing #{count}: {message!r}\n')
        publisher.publish(message)

    tick()
    timer = node.create_timer(1 / args.rate, tick)
    while times == 0 or count < times:
        rclpy.spin_once(node)
    node.destroy_timer(timer)
