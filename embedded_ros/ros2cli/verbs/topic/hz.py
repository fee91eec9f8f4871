"""Print the average receiving rate to screen."""
from itertools import pairwise
import time

from ros2cli.verbs.topic.expression import compile_filter
from ros2cli.verbs.topic.measure import add_measure_arguments, measure
from ros2cli.verbs.topic.statistics import Window, spread

DEFAULT_WINDOW_SIZE = 10000


def add_arguments(parser):
    add_measure_arguments(parser, DEFAULT_WINDOW_SIZE)
    parser.add_argument('--filter', dest='filter_expr', metavar='EXPR',
                        help='only measure messages matching the specified Python expression')
    parser.add_argument(
        '--wall-time',
        action='store_true',
        help='calculates rate using wall time which can be helpful when clock is not '
        'published during simulation',
    )


def main(args):
    keep = compile_filter(args.filter_expr)
    arrivals = Window(args.window_size + 1)     # [ns]
    clock_is_ros = args.use_sim_time and not args.wall_time

    def on_message(message, node):
        if keep is None or keep(message):
            arrivals.add(
                node.get_clock().now().nanoseconds if clock_is_ros else time.monotonic_ns()
            )

    measure(args, on_message, lambda: report(arrivals.take()), raw=keep is None)


def report(arrivals):
    """Print the rate of these arrival times [ns], if there is an interval."""
    intervals = [(b - a) * 1e-9 for a, b in pairwise(arrivals)]
    if not intervals or not sum(intervals):
        return
    mean, low, high, deviation = spread(intervals)
    print(f'average rate: {1 / mean:.3f}\n'
          f'\tmin: {low:.3f}s max: {high:.3f}s std dev: {deviation:.5f}s window: {len(intervals)}')
