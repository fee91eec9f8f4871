"""Publish a message to a topic."""
import time

from ros2cli.names import message_class
from ros2cli.node import GraphNode, add_arguments as add_node_arguments
from ros2cli.values import (
    COUNT,
    POSITIVE_COUNT,
    RATE,
    add_qos_arguments,
    profile_from_options,
    yaml_dictionary,
)

POLL_PERIOD = 0.1       # [s] between looks at the number of subscribers
KEEP_ALIVE = 0.1        # [s] that this node lives on after its last message
MATCH_TIME = 0.5        # [s] given to subscribers, which may find this publisher later


def add_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('topic_name', help="Name of the ROS topic to publish to (e.g. '/chatter')")
    parser.add_argument('message_type', help="Type of the ROS message (e.g. 'std_msgs/String')")
    parser.add_argument(
        'values', nargs='?', default='{}',
        help='Values to fill the message with in YAML format (e.g. "data: Hello World"), '
        'otherwise the message will be published with default values')
    parser.add_argument('-r', '--rate', metavar='N', type=RATE, default=1.0,
                        help='Publishing rate in Hz (default: 1)')
    times = parser.add_mutually_exclusive_group()
    times.add_argument('-1', '--once', action='store_true', help='Publish one message and exit')
    times.add_argument('-t', '--times', type=POSITIVE_COUNT, default=0,
                       help='Publish this number of times and then exit')
    parser.add_argument(
        '-w',
        '--wait-matching-subscriptions',
        type=COUNT,
        help='Wait until finding the specified number of matching subscriptions. '
        'Defaults to 1 when using "-1"/"--once"/"--times", otherwise defaults to 0.',
    )
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
    kind = message_class(args.message_type)
    values = yaml_dictionary(args.values)
    with GraphNode(args) as node:
        publisher = node.create_publisher(
            kind, args.topic_name, profile_from_options(args, default_qos())
        )
        wait_for_subscribers(publisher, waited_for)
        publish(node.node, publisher, *filled_message(kind, values), args, times)
        time.sleep(KEEP_ALIVE)
    return None


def wait_for_subscribers(publisher, number):
    """Wait until so many subscriptions match."""
    if not number:
        return
    polls = 0
    while publisher.get_subscription_count() < number:
        if polls % 10 == 0:
            print(f'Waiting for at least {number} matching subscription(s)...')
        polls += 1
        time.sleep(POLL_PERIOD)
    time.sleep(MATCH_TIME)


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
    rclpy.get_global_executor()     # which an interrupt would leave half made later
    print('publisher: beginning loop')
    count = 0

    def tick():
        nonlocal count
        count += 1
        now = node.get_clock().now().to_msg()
        for set_stamp in stamp_setters:
            set_stamp(now)
        print(f'publishing #{count}: {message!r}\n')
        publisher.publish(message)

    tick()
    timer = node.create_timer(1 / args.rate, tick)
    while times == 0 or count < times:
        rclpy.spin_once(node)
    node.destroy_timer(timer)
