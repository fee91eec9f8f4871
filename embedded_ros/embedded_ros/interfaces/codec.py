"""Messages to bytes and back: CDR (XCDR1), little endian, with its 4-byte header."""
import struct

from .message import NAMESPACE, WrongLength, numpy_namespace
from .read_source import ReadSource, class_variable
from .registry import get_interface, interface_name


class CDRError(RuntimeError):
    """Bytes that are no serialised message of the wanted class."""


def serialize(message):
    """Encode a message; a value that does not fit its field raises TypeError, naming it."""
    try:
        return message._write(message)
    except (struct.error, TypeError, AttributeError, WrongLength, OverflowError) as error:
        raise _misfit(message, error) from None


def deserialize(data, cls):
    """Decode bytes into a message of the class; CDRError if they are not one."""
    if type(data) is not bytes:
        data = bytes(data)
    header = data[:2]
    try:
        if header == b'\0\1':
            return cls._read(data)
        if header == b'\0\0':
            return _big_endian_reader(cls)(data)
    except (struct.error, ValueError, EOFError) as error:
        reason = str(error) or 'it ends too early'
        raise CDRError(f'not a serialised {interface_name(cls)}: {reason}') from None
    raise CDRError(f'not a serialised {interface_name(cls)}: '
                   f'encapsulation {data[:4].hex()} is not plain CDR')


def _misfit(message, error):
    from .checks import explain
    if not hasattr(message, '_write'):
        return TypeError(f'expected a message, got {message!r}')
    name = interface_name(type(message))
    return TypeError(f'{name}: {explain(message) or error}')


_big_endian = {}


def _big_endian_reader(cls):
    """Decoder for big-endian bytes, made when the first of them comes."""
    if cls not in _big_endian:
        from .derived import message_spec
        from .description import type_description
        name = interface_name(cls)
        namespace = {**NAMESPACE, **numpy_namespace()}
        for other in type_description(name)['referenced_type_descriptions']:
            namespace[class_variable(other['type_name'])] = get_interface(other['type_name'])
        namespace[class_variable(name)] = cls
        exec(ReadSource(message_spec(name), message_spec, '>').text(), namespace)
        _big_endian[cls] = namespace['read']
    return _big_endian[cls]
