"""Pairs of messages of two streams that have the same stamp."""


class StampedPairs:
    """Gives pairs in the order of their stamps.

    Each stream has to come in order; the two may come in any order.  An item without a partner when
    a later pair is complete, or behind `longest` others that wait, counts as lost.
    """

    def __init__(self, longest=1000):
        self._waiting, self._longest = ({}, {}), longest
        self.lost = 0

    def add(self, stream, stamp, item):
        """Add an item of stream 0 or 1; return the pair (of 0, of 1) it completes, or None."""
        mine, others = self._waiting[stream], self._waiting[1 - stream]
        if stamp not in others:
            mine[stamp] = item
            if len(mine) > self._longest:
                self.lost += 1
                del mine[next(iter(mine))]
            return None
        other = others.pop(stamp)
        for waiting in self._waiting:
            for old in [before for before in waiting if before < stamp]:
                del waiting[old]
                self.lost += 1
        return (item, other) if stream == 0 else (other, item)
