"""Ways in which a message may be wrong."""

from array import array
from copy import deepcopy
from math import inf, nan

NUMBERS = ('double', 'float')
HEADER_SIZE = 4         # of serialized messages: what their bytes are
STAMP_BITS = 30         # of seconds, and of nanoseconds


def corrupt(message, random, serialize):
    """Return a copy of a message with something wrong in it, or wrong bytes.

    random: a random.Random; serialize: makes bytes of a message.
    """
    way = random.choice(WAYS)
    if way is wrong_bytes:
        return wrong_bytes(serialize(message), random)
    message = deepcopy(message)
    way(message, random)
    return message


def wrong_number(message, random):
    """Make one number not finite, or impossible."""
    owner, name, at = random.choice(list(numbers(message)))
    value = random.choice((nan, inf, -inf, random.choice((-1.0, 1.0)) * 10.0 ** random.uniform(
        2.0, 30.0)))
    if at is None:
        setattr(owner, name, value)
    else:
        getattr(owner, name)[at] = value


def wrong_length(message, random):
    """Make a list of numbers longer or empty, if there is one."""
    for name, kind in message.get_fields_and_field_types().items():
        if kind == 'sequence<double>':
            longer = array('d', [*getattr(message, name), random.random()])
            setattr(message, name, random.choice((array('d'), longer)))


def wrong_name(message, random):
    """Change the frame, or an entry of a list of names."""
    letters = [chr(random.randrange(33, 1000)) for _ in range(random.randrange(20))]
    message.header.frame_id = ''.join(letters)
    if hasattr(message, 'name'):
        message.name = [''.join(letters)]


def wrong_stamp(message, random):
    """Flip one bit of the stamp."""
    stamp, bit = message.header.stamp, 1 << random.randrange(STAMP_BITS)
    if random.random() < 0.5:
        stamp.sec ^= bit
    else:
        stamp.nanosec ^= bit


def wrong_bytes(data, random):
    """Return serialized bytes with one to eight changed."""
    data = bytearray(data)
    for _ in range(random.randrange(1, 9)):
        data[random.randrange(HEADER_SIZE, len(data))] = random.randrange(256)
    return bytes(data)


def numbers(message):
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


WAYS = (wrong_number, wrong_length, wrong_name, wrong_stamp, wrong_bytes)
