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
