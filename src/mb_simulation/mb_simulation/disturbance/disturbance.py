"""A bad line: messages lost, doubled, out of order, damaged."""

from dataclasses import dataclass
from random import Random

from mb_simulation.disturbance.corruption import corrupt


@dataclass
class DisturbanceCounts:
    """Counts of the messages of a topic: received + duplicated - dropped - held = passed on."""

    received: int = 0
    dropped: int = 0
    duplicated: int = 0
    reordered: int = 0
    corrupted: int = 0
    passed_on: int = 0


class Disturbance:
    """Passes on the messages of one topic: a function of their sequence and the seed."""

    def __init__(self, settings, topic, serialize):
        """Set up by DisturbanceSettings; serialize: makes bytes of a message."""
        self._settings, self._serialize = settings, serialize
        self._random = Random(f'{settings.seed} {topic}')
        self._held = []             # [messages that still overtake it, message]
        self.counts = DisturbanceCounts()

    def pass_on(self, message):
        """Return the messages to send instead of one: some as serialized bytes."""
        settings, draw, counts = self._settings, self._random.random, self.counts
        counts.received += 1
        fates = [draw() < share for share in (
            settings.dropped, settings.duplicated, settings.reordered, settings.corrupted)]
        dropped, duplicated, reordered, corrupted = fates
        if dropped:
            counts.dropped += 1
            return self._overtaken()
        if corrupted:
            counts.corrupted += 1
            message = corrupt(message, self._random, self._serialize)
        copies = [message]
        if duplicated:
            counts.duplicated += 1
            copies.append(message)
        if reordered:
            counts.reordered += 1
            wait = self._random.randrange(1, settings.overtaken + 1)
            self._held += [[wait + 1, copy] for copy in copies]     # this call counts as well
            copies = []
        counts.passed_on += len(copies)
        return copies + self._overtaken()

    def release_all(self):
        """Return the messages that still wait to be overtaken."""
        left = [message for _, message in self._held]
        self._held = []
        self.counts.passed_on += len(left)
        return left

    def _overtaken(self):
        """Return the messages that have been overtaken often enough."""
        for one in self._held:
            one[0] -= 1
        free = [message for wait, message in self._held if wait <= 0]
        self._held = [one for one in self._held if one[0] > 0]
        self.counts.passed_on += len(free)
        return free
