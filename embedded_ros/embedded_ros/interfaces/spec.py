"""What a message looks like: fields, constants and their types, as plain data."""
from dataclasses import dataclass
import keyword

SCALARS = {  # .msg name -> (IDL name, struct code, size in bytes)
    'bool': ('boolean', '?', 1), 'byte': ('octet', 'c', 1), 'char': ('uint8', 'B', 1),
    'int8': ('int8', 'b', 1), 'uint8': ('uint8', 'B', 1),
    'int16': ('int16', 'h', 2), 'uint16': ('uint16', 'H', 2),
    'int32': ('int32', 'i', 4), 'uint32': ('uint32', 'I', 4),
    'int64': ('int64', 'q', 8), 'uint64': ('uint64', 'Q', 8),
    'float32': ('float', 'f', 4), 'float64': ('double', 'd', 8),
}
STRINGS = ('string', 'wstring')
DUMMY_FIELD = 'structure_needs_at_least_one_member'  # what an empty message carries


@dataclass(frozen=True)
class FieldType:
    """Element type, and whether there is one of it, a fixed array or a sequence.

    element is a name of SCALARS or STRINGS, or of a message ('std_msgs/msg/Header').
    container is '', 'array' or 'sequence'; size its length or bound, 0 for an unbounded sequence.
    """

    element: str
    container: str = ''
    size: int = 0
    string_bound: int = 0

    @property
    def is_message(self):
        return '/' in self.element

    @property
    def is_numeric(self):
        """Stored as array.array or numpy.ndarray when there are many."""
        return self.element in SCALARS and self.element not in ('bool', 'byte')

    @property
    def is_numbers(self):
        """A sequence that is stored as an array.array."""
        return self.container == 'sequence' and self.is_numeric

    @property
    def idl_element(self):
        """'double', 'string<10>', 'std_msgs/Header'..., as get_fields_and_field_types returns."""
        if self.is_message:
            package, _, name = self.element.split('/')
            return f'{package}/{name}'
        if self.element in STRINGS:
            return f'{self.element}<{self.string_bound}>' if self.string_bound else self.element
        return SCALARS[self.element][0]

    @property
    def idl(self):
        """The whole type in the words of IDL: 'double[9]', 'sequence<string, 5>'."""
        if self.container == 'array':
            return f'{self.idl_element}[{self.size}]'
        if self.container == 'sequence':
            bound = f', {self.size}' if self.size else ''
            return f'sequence<{self.idl_element}{bound}>'
        return self.idl_element

    @property
    def text(self):
        """The type as a .msg file writes it: 'float64[9]', 'string[<=5]', 'std_msgs/Header'."""
        text = self.element.replace('/msg/', '/')
        text += f'<={self.string_bound}' if self.string_bound else ''
        if self.container == 'array':
            return f'{text}[{self.size}]'
        if self.container == 'sequence':
            return text + (f'[<={self.size}]' if self.size else '[]')
        return text


@dataclass(frozen=True)
class Field:
    name: str
    type: FieldType
    default: object = None

    @property
    def attribute(self):
        """Name in Python: a keyword gets an underscore."""
        return self.name + '_' if keyword.iskeyword(self.name) else self.name


@dataclass(frozen=True)
class Constant:
    name: str
    type: str
    value: object


@dataclass(frozen=True)
class MessageSpec:
    """Fields exclude the dummy member of an empty message."""

    name: str
    fields: tuple
    constants: tuple = ()

    def nested(self):
        """Names of the messages used as field types, in order, each once."""
        return list(dict.fromkeys(f.type.element for f in self.fields if f.type.is_message))
