"""What the generated message classes use while running.

numpy takes 0.1 s to import, so only classes with fixed numeric arrays do that.
"""
from array import array
import functools
from itertools import repeat
import os
from struct import Struct

from .names import snake_case
from .shapes import read_shape, write_shape
from .write_source import aligned_packs

CHECK_FIELDS = os.environ.get('ROS_PYTHON_CHECK_FIELDS') == '1'


class Unset:
    """Stands for a keyword that was not given."""

    def __repr__(self):
        return '<default>'


UNSET = Unset()


class WrongLength(ValueError):
    """A fixed array holds more or fewer values than it has room for."""


class MessageMeta(type):
    """Class of message classes: constants and defaults of the definition cannot be changed."""

    _TYPE_SUPPORT = 'embedded_ros'

    def __setattr__(cls, name, value):
        if name.isupper() and name in cls.__dict__:
            raise AttributeError(f"'{cls.__name__}.{name}' is a constant")
        super().__setattr__(name, value)

    def __import_type_support__(cls):
        """Nothing needs loading: the code of a class is complete."""


class ServiceMeta(type):
    """Class of service and action classes, which only hold their messages together."""

    _TYPE_SUPPORT = 'embedded_ros'

    def __import_type_support__(cls):
        """Nothing needs loading."""


class SlotTypes:
    """SLOT_TYPES of a class, as rosidl_parser describes types, made when first asked for."""

    def __get__(self, message, owner):
        from .slot_types import slot_types
        return slot_types(owner._NAME)


def message_repr(message):
    """'package.msg.Class(field=value, ...)'; numeric sequences as plain lists."""
    package, kind, name = message._NAME.split('/')
    arguments = []
    for slot in type(message).__slots__[:-1]:
        value = getattr(message, slot)
        text = repr(value.tolist()) if isinstance(value, array) else repr(value)
        arguments.append(f'{slot[1:]}={text}')
    return f'{package}.{kind}.{name}({", ".join(arguments)})'


def fixed_array(value, code, length, name):
    """Copy what a constructor was given into a numpy array of this struct code and length."""
    import numpy
    result = numpy.array(value, code)
    if result.shape != (length,):
        raise AssertionError(f"The '{name}' field must have length {length}, not {len(value)}")
    return result


def widen(text):
    """UTF-16 code units of a wide string, 4 bytes each, as XCDR1 of ROS 2 carries them."""
    return array('I', array('H', text.encode('utf-16-le')))


def narrow(data, order):
    """Wide string of its code units in this byte order ('<' or '>')."""
    units = array('I', data)
    if order == '>':
        units.byteswap()
    return array('H', units).tobytes().decode('utf-16-le', 'replace')


def _check_arguments(message, unknown, values):
    from .checks import check_arguments
    check_arguments(message, unknown, values)


def _check_field(message, index, value):
    from .checks import check_field
    check_field(message, index, value)


def _aligned(alignment, code):
    return aligned_packs(alignment, code, Struct)


NAMESPACE = {  # what generated code may use; a leading underscore cannot be a field's name
    'CHECK_FIELDS': CHECK_FIELDS, 'MessageMeta': MessageMeta, 'SlotTypes': SlotTypes,
    'Struct': Struct, 'UNSET': UNSET, 'WrongLength': WrongLength,
    'PADDING': tuple(bytes(-length % 4) for length in range(4)), 'ZEROS': bytes(4),
    '_array': array, '_check_arguments': _check_arguments, '_check_field': _check_field,
    '_classmethod': classmethod, '_fixed_array': fixed_array, '_message_repr': message_repr,
    '_property': property, '_range': range, 'aligned': _aligned, 'array': array,
    'encode': str.encode, 'join': b''.join, 'narrow': narrow, 'new': object.__new__,
    'read_shape': read_shape, 'repeat': repeat, 'widen': widen, 'write_shape': write_shape,
}
NUMPY_NAMES = {  # what else it may use, by its name in numpy
    '_array_equal': 'array_equal', '_numpy_array': 'array', '_zeros': 'zeros', 'dtype': 'dtype',
    'ndarray': 'ndarray',
}


@functools.cache
def numpy_namespace():
    """Names for generated code that uses numpy."""
    import numpy
    return {name: getattr(numpy, attribute) for name, attribute in NUMPY_NAMES.items()}


def module_name(name):
    """Module of an interface: 'std_msgs/msg/String' -> 'std_msgs.msg._string'.

    The halves of a service share its module: 'std_srvs/srv/SetBool_Request' -> '..._set_bool'.
    """
    package, kind, base = name.split('/')
    return f'{package}.{kind}._{snake_case(base.split("_")[0])}'
