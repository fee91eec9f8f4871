"""A bad line: messages lost, doubled, out of order, damaged, each wrong in its own way.
"""

from array import array
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from math import inf, nan
from random import Random
from typing import Any

from mb_model import INT64_MAX, Settings, setting

KINDS = 'dropped', 'duplicated', 'reordered', 'corrupted'


@dataclass(frozen=True)
class DisturbanceSettings(Settings):
    """Shares of the messages of a topic with each fault; each kind is drawn for itself."""

    dropped: float = setting(0.1, at_least=0.0, at_most=1.0, help='Share that never arrives')
    duplicated: float = setting(0.1, at_least=0.0, at_most=1.0, help='Share that arrives twice')
    reordered: float = setting(
        0.1, at_least=0.0, at_most=1.0,
        help='Share that is overtaken by up to `overtaken` later messages')
    corrupted: float = setting(
        0.1, at_least=0.0, at_most=1.0,
        help='Share with something wrong: a number, a length, a name, the stamp, bytes')
    overtaken: int = setting(3, at_least=1, help='By how many messages at most')
    seed: int = setting(0, at_least=0, at_most=INT64_MAX,
                        help='Seed of the draws')


NUMBERS = ('double', 'float')
HEADER_SIZE = 4         # of serialized messages: what their bytes are
STAMP_BITS = 30         # of seconds, and of nanoseconds


def corrupt(message: Any, random: Random, serialize: Callable[[Any], bytes]) -> Any:
    """Return a copy of a message with something wrong in it, or wrong bytes.

    random: a random.Random; serialize: makes bytes of a message.
    """
    fault = random.choice(FAULTS)
    if fault is wrong_bytes:
        return wrong_bytes(serialize(message), random)
    message = deepcopy(message)
    fault(message, random)
    return message


def wrong_number(message: Any, random: Random) -> None:
    """Make one number not finite, or impossible."""
    owner, name, at = random.choice(list(numbers(message)))
    value = random.choice((nan, inf, -inf, random.choice((-1.0, 1.0)) * 10.0 ** random.uniform(
        2.0, 30.0)))
    if at is None:
        setattr(owner, name, value)
    else:
        getattr(owner, name)[at] = value


def wrong_length(message: Any, random: Random) -> None:
    """Make a list of numbers longer or empty, if there is one."""
    for name, kind in message.get_fields_and_field_types().items():
        if kind == 'sequence<double>':
            longer = array('d', [*getattr(message, name), random.random()])
            setattr(message, name, random.choice((array('d'), longer)))


def wrong_name(message: Any, random: Random) -> None:
    """Change the frame, or an entry of a list of names."""
    letters = [chr(random.randrange(33, 1000)) for _ in range(random.randrange(20))]
    message.header.frame_id = ''.join(letters)
    if hasattr(message, 'name'):
        message.name = [''.join(letters)]


def wrong_stamp(message: Any, random: Random) -> None:
    """Flip one bit of the stamp."""
    stamp, bit = message.header.stamp, 1 << random.randrange(STAMP_BITS)
    if random.random() < 0.5:
        stamp.sec ^= bit
    else:
        stamp.nanosec ^= bit


def wrong_bytes(data: bytes, random: Random) -> bytes:
    """Return serialized bytes with one to eight changed."""
    data = bytearray(data)
    for _ in range(random.randrange(1, 9)):
        data[random.randrange(HEADER_SIZE, len(data))] = random.randrange(256)
    return bytes(data)


def numbers(message: Any) -> Iterator[tuple[Any, str, int | None]]:
    """Yield (owner, field, index or None) of every floating-point number, also in nested messages.

    Covariances are left out.
    """
    for name, kind in message.get_fields_and_field_types().items():
        value = getattr(message, name)
        if 'covariance' in name:
            continue
        if kind in NUMBERS:
            yield message, name, None
        elif kind.startswith('sequence<double') or kind.startswith('double['):
            yield from ((message, name, k) for k in range(len(value)))
        elif hasattr(value, 'get_fields_and_field_types'):
            yield from numbers(value)


FAULTS = (wrong_number, wrong_length, wrong_name, wrong_stamp, wrong_bytes)


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

    def __init__(self, settings: DisturbanceSettings, topic: str,
                 serialize: Callable[[Any], bytes]) -> None:
        """Set up by DisturbanceSettings; serialize: makes bytes of a message."""
        self._settings, self._serialize = settings, serialize
        self._random = Random(f'{settings.seed} {topic}')
        self._held = []             # [messages that still overtake it, message]
        self.counts = DisturbanceCounts()

    def pass_on(self, message: Any) -> list[Any]:
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

    def release_all(self) -> list[Any]:
        """Return the messages that still wait to be overtaken."""
        left = [message for _, message in self._held]
        self._held = []
        self.counts.passed_on += len(left)
        return left

    def _overtaken(self) -> list[Any]:
        """Return the messages that have been overtaken often enough."""
        for one in self._held:
            one[0] -= 1
        free = [message for wait, message in self._held if wait <= 0]
        self._held = [one for one in self._held if one[0] > 0]
        self.counts.passed_on += len(free)
        return free
