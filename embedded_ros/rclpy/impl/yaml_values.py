"""Values of parameters in YAML: which text is which type, as rcl decides it.

rcl asks C's strtoll and strtod, so they are asked here too: 017 is 15, 0x1p3 and nan are floats,
99999999999999999999 is the float 1e20, and 1e999, 1_000, 1:30 and ~ are strings.
"""
import ctypes
import re

import yaml

_TRUE = {'Y', 'y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'}
_FALSE = {'N', 'n', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'}
_DOTTED = re.compile(r'[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)')
_STRING_TAG = 'tag:yaml.org,2002:str'
_KINDS = (bool, int, float, str)
_LOADER = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)

_C = ctypes.CDLL(None, use_errno=True)
_C.strtoll.restype = ctypes.c_longlong
_C.strtod.restype = ctypes.c_double


class ParameterYamlError(ValueError):
    """The YAML is no parameter value or no parameter file; the message says where."""


class GivenValues:
    """What one parameter was given, a value of each type, as rcl keeps them.

    A value replaces one of its own type alone.  Of several types the first one counts: bool, int,
    float, str, then lists of these.
    """

    def __init__(self):
        self._values = {}
        self._kind = None       # of the items of the list being read

    def add(self, event, in_list):
        """Take a scalar, as the value or as the next item of a list."""
        value = scalar(event)
        kind = _KINDS.index(type(value))
        if not in_list:
            self._values[False, kind] = value
        elif self._kind is None:
            self._kind = kind
            self._values[True, kind] = [value]
        elif self._kind == kind:
            self._values[True, kind].append(value)
        else:
            raise ParameterYamlError(
                f"a sequence must be of one type; '{value}' ({type(value).__name__}) does not "
                f'belong to {_KINDS[self._kind].__name__}, {place(event)}')

    def begin_list(self):
        """Items that come now replace an earlier list of their type."""
        self._kind = None

    def value(self):
        """The value that counts; None where there was none, or only an empty list."""
        return self._values[min(self._values)] if self._values else None


def events(text):
    """Events of the YAML parser, which still know quotes, tags and lines."""
    try:
        yield from yaml.parse(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        raise ParameterYamlError(' '.join(str(error).split())) from None


def place(event):
    """Where an event is, for error messages."""
    return f'at line {event.start_mark.line + 1}'


def read_value(text, given):
    """Read the text of 'name:=text' into GivenValues: a scalar, or a sequence of one type."""
    if not text:
        raise ParameterYamlError('the value is empty')
    in_list = False
    for event in events(text):
        if isinstance(event, yaml.ScalarEvent):
            given.add(event, in_list)
        elif isinstance(event, (yaml.SequenceStartEvent, yaml.SequenceEndEvent)):
            in_list = isinstance(event, yaml.SequenceStartEvent)
            given.begin_list()
        elif isinstance(event, (yaml.MappingStartEvent, yaml.AliasEvent)):
            raise ParameterYamlError(f'only single values and sequences of them, {place(event)}')


def scalar(event):
    """Value of a scalar: bool, int, float or str."""
    text, quoted = event.value.partition('\0')[0], event.style in ("'", '"')
    if not (quoted or event.value):
        raise ParameterYamlError(f'no value {place(event)}')
    if quoted or event.tag == _STRING_TAG:
        return text
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    number = _number(_C.strtoll, text, 0)
    if number is None:
        # C knows inf and nan, but not YAML's dot before them.
        number = _number(_C.strtod, text.replace('.', '') if _DOTTED.fullmatch(text) else text)
    return text if number is None else number


def _number(read, text, *base):
    """What a function of C reads from all of a text; None where it does not, or out of range."""
    buffer = ctypes.create_string_buffer(text.encode('utf-8', 'surrogatepass'))
    end = ctypes.c_void_p()
    ctypes.set_errno(0)
    value = read(buffer, ctypes.byref(end), *base)
    complete = text and end.value == ctypes.addressof(buffer) + len(buffer) - 1
    return value if complete and not ctypes.get_errno() else None
