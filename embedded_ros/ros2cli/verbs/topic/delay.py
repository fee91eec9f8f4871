"""Display delay of topic from timestamp in header."""
from ros2cli.verbs.topic.measure import add_measure_arguments, measure
from ros2cli.verbs.topic.statistics import Window, spread

DEFAULT_WINDOW_SIZE = 10000


def add_arguments(parser):
    add_measure_arguments(parser, DEFAULT_WINDOW_SIZE)


def main(args):
    delays = Window(args.window_size)  # [s]
    measure(
        args, lambda message, node: delays.add(age(message, node)), lambda: report(delays.take())
    )


def age(message, node):
    """Time since the stamp in the header [s].  Raises RuntimeError without a header."""
    header = getattr(message, 'header', None)
    if header is None:
        raise RuntimeError('msg does not have header')
    stamp = header.stamp.sec * 10 ** 9 + header.stamp.nanosec
    return (node.get_clock().now().nanoseconds - stamp) * 1e-9


def report(delays):
    """Print the statistics of delays [s], if there are any."""
    if not delays:
        return
    mean, low, high, deviation = spread(delays)
    print(f'average delay: {mean:.3f}\n'
          f'\tmin: {low:.3f}s max: {high:.3f}s std dev: {deviation:.5f}s window: {len(delays)}')
