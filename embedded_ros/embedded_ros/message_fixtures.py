"""Messages of test_msgs with various values, for tests: imported as test_msgs.message_fixtures."""
import re

from .interfaces import get_interface

_TEXTS = ('', 'Hello world!', 'Wörld in Ünicode')
_NUMBERS = {
    'boolean': (False, True, True), 'octet': (b'\x00', b'\xff', b'\x01'),
    'float': (0.0, 1.125, -2.125), 'double': (0.0, 1.125, -2.125),
    **{f'uint{bits}': (0, 2 ** bits - 1, 1) for bits in (8, 16, 32, 64)},
    **{f'int{bits}': (-2 ** (bits - 1), 2 ** (bits - 1) - 1, 1) for bits in (8, 16, 32, 64)}}
_MANY = 1000  # elements of an unbounded sequence


def get_test_msg(message_name):
    """Several messages of the type test_msgs/msg/<name>, the default one among them."""
    return _messages(f'test_msgs/msg/{message_name}')


def _messages(name):
    cls = get_interface(name)
    messages = [cls()]
    for variant in range(len(_TEXTS)):
        message = cls()
        for field, kind in cls.get_fields_and_field_types().items():
            setattr(message, field, _value(kind, variant))
        messages.append(message)
    return messages


def _value(kind, variant):
    """A value of a field type such as 'uint8', 'string<22>', 'double[3]' or 'sequence<a/B, 3>'."""
    if array := re.fullmatch(r'(.*)\[(\d+)\]', kind):
        return _elements(array[1], int(array[2]))
    if sequence := re.fullmatch(r'sequence<(.*?)(?:, (\d+))?>', kind):
        longest = int(sequence[2] or (3 if '/' in sequence[1] else _MANY))
        return _elements(sequence[1], (0, 1, longest)[variant])
    if kind in _NUMBERS:
        return _NUMBERS[kind][variant]
    if '/' in kind:
        package, name = kind.split('/')
        return _messages(f'{package}/msg/{name}')[1 + variant]
    return _TEXTS[variant]


def _elements(kind, count):
    return [_value(kind, index % len(_TEXTS)) for index in range(count)]
