"""Display bandwidth used by topic."""
import time

from ros2cli.verbs.topic.measure import add_measure_arguments, measure
from ros2cli.verbs.topic.statistics import Window

DEFAULT_WINDOW_SIZE = 100
UNITS = ((1e6, 'MB'), (1e3, 'KB'), (1, 'B'))


def add_arguments(parser):
    add_measure_arguments(parser, DEFAULT_WINDOW_SIZE)


def main(args):
    window = Window(args.window_size)       # (arrival [s], size [byte])
    measure(args, lambda data, _: window.add((time.monotonic(), len(data))),
            lambda: report(window.take(), time.monotonic()), raw=True,
            on_subscribed=lambda: print(f'Subscribed to [{args.topic_name}]'))


def report(samples, now):
    """Print bytes per second and the sizes of (arrival, size) samples."""
    if len(samples) < 2:
        return
    sizes = [size for _, size in samples]
    rate = sum(sizes) / (now - samples[0][0])
    mean, low, high = sum(sizes) / len(sizes), min(sizes), max(sizes)
    unit, name = unit_of(mean)
    print(f'{in_unit(rate)}/s from {len(samples)} messages\n'
          f'\tMessage size mean: {number(mean / unit, name)} {name} min: {number(low / unit, name)} {name} '
          f'max: {number(high / unit, name)} {name}')


def unit_of(count):
    """(factor, name) of the unit fit for a number of bytes."""
    return next(((factor, name) for factor, name in UNITS if count >= factor), UNITS[-1])


def number(value, unit):
    """Bytes are whole numbers, all else has two digits."""
    return f'{value:.0f}' if unit == 'B' else f'{value:.2f}'


def in_unit(count):
    """A number of bytes with its unit."""
    factor, name = unit_of(count)
    return f'{number(count / factor, name)} {name}'
