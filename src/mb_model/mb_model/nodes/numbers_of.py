"""The floating-point numbers of a message."""

import numpy as np

_KINDS = 'double', 'float'


def numbers_of(message):
    """Yield (name of the field, its numbers) of a message and of those within it."""
    for name, kind in message.get_fields_and_field_types().items():
        value = getattr(message, name)
        if any(word in kind for word in _KINDS):
            yield name, value
        elif hasattr(value, 'get_fields_and_field_types'):
            yield from numbers_of(value)
        elif isinstance(value, list):
            for one in value:
                if hasattr(one, 'get_fields_and_field_types'):
                    yield from numbers_of(one)


def not_finite(message):
    """Return the names of the fields of a message with numbers that are not finite."""
    return list(dict.fromkeys(name for name, numbers in numbers_of(message)
                              if not np.isfinite(numbers).all()))
