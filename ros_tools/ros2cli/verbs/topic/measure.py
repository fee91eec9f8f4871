"""Rate, bandwidth and delay of a topic: subscribe with any QoS, report once a second."""
from collections import deque
from itertools import pairwise
import math
import time

import rclpy
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.qos import qos_profile_sensor_data

from ros2cli.names import topic_class
from ros2cli.node import GraphNode, add_arguments
from ros2cli.values import POSITIVE_COUNT

REPORT_PERIOD = 1.0     # [s] of wall time
BW_WINDOW, WINDOW = 100, 10000
UNITS = ((1e6, 'MB'), (1e3, 'KB'), (1, 'B'))


def add_measure_arguments(parser, default_window=WINDOW):
    """Add topic name, window and the options of the node."""
    add_arguments(parser)
    parser.add_argument('topic_name', help='Name of the ROS topic to listen to (e.g. "/chatter")')
    parser.add_argument(
        '-w', '--window', '--window-size', type=POSITIVE_COUNT, metavar='WINDOW',
        dest='window_size', default=default_window,
        help=f'window size, in # of messages, for calculating rate (default: {default_window})')


def measure(args, on_message, report, raw=False, on_subscribed=None):
    """Call `on_message(message, node)` for each message and `report()` every second, until Ctrl-C.

    Either may raise RuntimeError to end the command.
    """
    with GraphNode(args) as node:
        node.create_subscription(
            topic_class(node, args.topic_name), args.topic_name,
            lambda message: on_message(message, node.node), qos_profile_sensor_data, raw=raw)
        if on_subscribed:
            on_subscribed()
        node.create_timer(REPORT_PERIOD, report, clock=Clock(clock_type=ClockType.STEADY_TIME))
        rclpy.spin(node.node)


class Window:
    """The last `size` values."""

    def __init__(self, size):
        self._values = deque(maxlen=size)
        self._fresh = False

    def add(self, value):
        """Append a value; the oldest goes when the window is full."""
        self._values.append(value)
        self._fresh = True

    def take(self):
        """All values of the window if one came since the last call, else an empty list."""
        fresh, self._fresh = self._fresh, False
        return list(self._values) if fresh else []


def spread(values):
    """(mean, minimum, maximum, standard deviation) of some values."""
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
    return mean, min(values), max(values), math.sqrt(variance)


def add_bw_arguments(parser):
    add_measure_arguments(parser, BW_WINDOW)


def run_bw(args):
    window = Window(args.window_size)       # (arrival [s], size [byte])
    measure(args, lambda data, _: window.add((time.monotonic(), len(data))),
            lambda: report_bandwidth(window.take(), time.monotonic()), raw=True,
            on_subscribed=lambda: print(f'Subscribed to [{args.topic_name}]'))


def report_bandwidth(samples, now):
    """Print bytes per second and the sizes of (arrival, size) samples."""
    if len(samples) < 2:
        return
    sizes = [size for _, size in samples]
    rate = sum(sizes) / (now - samples[0][0])
    mean, low, high = sum(sizes) / len(sizes), min(sizes), max(sizes)
    mean, low, high = (in_unit(size, unit_of(mean)) for size in (mean, low, high))
    print(f'{in_unit(rate, unit_of(rate))}/s from {len(samples)} messages\n'
          f'\tMessage size mean: {mean} min: {low} max: {high}')


def unit_of(count):
    """(factor, name) of the unit fit for a number of bytes."""
    return next(((factor, name) for factor, name in UNITS if count >= factor), UNITS[-1])


def in_unit(count, unit):
    """A number of bytes in a unit; bytes are whole numbers, all else has two digits."""
    factor, name = unit
    return f'{count:.0f} B' if name == 'B' else f'{count / factor:.2f} {name}'


def run_delay(args):
    delays = Window(args.window_size)  # [s]
    measure(args, lambda message, node: delays.add(age(message, node)),
            lambda: report_delays(delays.take()))


def age(message, node):
    """Time since the stamp in the header [s].  Raises RuntimeError without a header."""
    header = getattr(message, 'header', None)
    if header is None:
        raise RuntimeError('msg does not have header')
    stamp = header.stamp.sec * 10 ** 9 + header.stamp.nanosec
    return (node.get_clock().now().nanoseconds - stamp) * 1e-9


def report_delays(delays):
    """Print the statistics of delays [s], if there are any."""
    if not delays:
        return
    mean, low, high, deviation = spread(delays)
    print(f'average delay: {mean:.3f}\n'
          f'\tmin: {low:.3f}s max: {high:.3f}s std dev: {deviation:.5f}s window: {len(delays)}')


add_hz_arguments = add_delay_arguments = add_measure_arguments


def run_hz(args):
    arrivals = Window(args.window_size + 1)     # [ns]

    def on_message(_, node):
        arrivals.add(node.get_clock().now().nanoseconds if args.use_sim_time
                     else time.monotonic_ns())

    measure(args, on_message, lambda: report_rate(arrivals.take()), raw=True)


def report_rate(arrivals):
    """Print the rate of these arrival times [ns], if there is an interval."""
    intervals = [(b - a) * 1e-9 for a, b in pairwise(arrivals)]
    if not intervals or not sum(intervals):
        return
    mean, low, high, deviation = spread(intervals)
    print(f'average rate: {1 / mean:.3f}\n'
          f'\tmin: {low:.3f}s max: {high:.3f}s std dev: {deviation:.5f}s window: {len(intervals)}')
