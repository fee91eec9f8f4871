"""Messages of several bags of one run, in the order in which they came."""

from contextlib import ExitStack, contextmanager
from heapq import merge

from mb_contact.detection.messages import STATE, STATE_TYPE
from mb_sensors import open_bag

_HOW = ('`ros2 run mb_estimators estimate_bag` makes estimates of readings, in a bag that is given '
        'after this one')


@contextmanager
def open_bags(folders, *types, **options):
    """Open the Bags of folders; types, options: see open_reader.

    Raises FileNotFoundError, BagError, also later.
    """
    with ExitStack() as stack:
        yield Bags(folders, [stack.enter_context(open_bag(folder, *types, **options))
                             for folder in folders])


class Bags:
    """Open bags, of which the last one that has a topic counts."""

    def __init__(self, folders, bags):
        """Set up for open Bags of folders."""
        self._folders, self._bags = folders, bags

    def inputs(self, topics):
        """Yield (arrival [ns], number of the input, message) of topics, (name, type) each.

        Raises ValueError for a topic that no bag has.
        """
        chosen = {}
        for number, (name, kind) in enumerate(topics):
            place, topic = self._named(name, kind)
            chosen.setdefault(place, {})[topic] = number
        streams = [self._numbered(self._bags[place], numbers) for place, numbers in chosen.items()]
        yield from merge(*streams, key=lambda item: item[0])

    def _numbered(self, bag, numbers):
        for topic, arrival, message in bag.messages(numbers):
            yield arrival, numbers[topic], message

    def _named(self, name, kind):
        """Return (number of a bag, topic)."""
        error = None
        for place, bag in reversed(list(enumerate(self._bags))):
            try:
                return place, bag.named(name, kind)
            except ValueError as refusal:
                error = error or refusal
        if (name, kind) == (STATE, STATE_TYPE):
            raise ValueError(f'{error}; {_HOW}')
        raise error
