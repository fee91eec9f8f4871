"""Pressures of oil that an estimator gives with its motion, in pairs of one stamp."""

from mb_contact.detection.messages import STATE, STATE_TYPE
from mb_contact.payload.motion import HYDRAULICS, HYDRAULICS_TYPE, Instant, array, motion_of, square


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


class EstimatedOil:
    """Instants from MechanismStates and HydraulicStates of the same stamps.

    topics: (name, type) of each input; lost: messages that had no partner.
    """

    topics = (STATE, STATE_TYPE), (HYDRAULICS, HYDRAULICS_TYPE)

    def __init__(self, mechanism):
        """Set up for a mechanism with hydraulics."""
        self._mechanism = mechanism
        self.reset()

    @property
    def lost(self):
        """How many messages had no partner."""
        return self._pairs.lost

    def reset(self):
        """Forget all messages."""
        self._pairs = StampedPairs()

    def add(self, stream, stamp, message):
        """Add a message of an input, by its number; return the Instants that are complete.

        Raises ValueError for a pair that is not of the mechanism.
        """
        pair = self._pairs.add(stream, stamp, message)
        return [] if pair is None else [self._instant(stamp, *pair)]

    def _instant(self, stamp, motion, oil):
        circuit, found = self._mechanism.circuit, motion_of(self._mechanism, motion)
        for name, given, expected in (('volume', oil.volume, circuit.volumes),
                                      ('valve', oil.valve, circuit.valves)):
            if tuple(given) != tuple(expected):
                raise ValueError(
                    f'{HYDRAULICS}: {name}: [{", ".join(given)}] must be '
                    f'[{", ".join(expected)}], as in {self._mechanism.name}')
        states = 3 * self._mechanism.g + len(circuit.volumes) + len(circuit.valves)
        covariance = square(HYDRAULICS, oil.covariance, states)
        return Instant(stamp, motion.header.frame_id, found.z, found.zd, found.zdd, found.q,
                       array(oil.pressure), covariance, None, oil.distrust)
