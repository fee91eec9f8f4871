"""The EDS or DCF file of a CANopen device: what is needed of it, whatever the rest is like.

Source: CiA 306 (electronic data sheets).
"""

from configparser import Error as NotSectionsError, RawConfigParser
from io import StringIO
from pathlib import Path
import re

from canopen.objectdictionary import ObjectDictionary
from canopen.objectdictionary.eds import import_eds

_OBJECT = re.compile(r'([0-9A-Fa-f]{4})([Ss]ub([0-9A-Fa-f]+)|Name|Value)?')
_KIND = re.compile(r'[0-9A-Fa-f]{1,3}(sub[0-9A-Fa-f]+)?')      # types of the maker, as [A0]
_ZEROS = re.compile(r'0+(?=[0-9])')         # before a decimal number
_DECIMAL = re.compile(r'[0-9]+')
_FORMULA = re.compile(r'\$NODEID(\s*\+\s*\w+)?|\w+\s*\+\s*\$NODEID', re.IGNORECASE)
_NUMBERS = 'ObjectType', 'DataType', 'CompactSubObj', 'NrOfEntries'
_VALUES = 'DefaultValue', 'ParameterValue'
_UNUSED = 'PDOMapping', 'LowLimit', 'HighLimit', 'SubNumber', 'Factor'     # by readings
_INTEGERS_END = 7           # data types up to here are whole numbers
_DEFAULTS = {'AccessType': 'rw', 'ParameterName': 'object'}


def read_eds(path, node_id, pdo, value):
    """Return the canopen ObjectDictionary of a file, without the objects that cannot be read.

    pdo: number of the transmit PDO; value: index of the measured value: these, and what the PDO
    holds, must be readable.  Raises OSError, ValueError naming section and key.
    """
    sections, objects = _sections(path), {}
    for name in sections:
        match = _OBJECT.fullmatch(name)
        if match:
            objects.setdefault(int(match[1], 16), []).append(name)
    if not objects:
        raise ValueError('has no object, expected sections such as [1800] and [1800sub1]')
    kinds = {name: sections[name] for name in sections if _KIND.fullmatch(name)}
    dictionary, odd = ObjectDictionary(), {}
    dictionary.node_id = node_id
    for index, names in objects.items():
        try:
            own = {name: _put_right(name, sections[name]) for name in names}
            dictionary.add_object(_imported(kinds | own, node_id)[index])
        except Exception as error:      # canopen raises whatever it meets
            odd[index] = (error if isinstance(error, ValueError)
                          else f'[{names[0]}]: {type(error).__name__}: {error}')
    content = 0x19FF + pdo
    held = {_number(one) >> 16 for sub, one in _members(dictionary, content) if sub > 0}
    for index in (0x17FF + pdo, content, value, *sorted(held)):
        if index in odd:
            raise ValueError(odd[index])
    return dictionary


def complete(dictionary, profile):
    """Add the objects of a profile's ObjectDictionary that another lacks, PDOs aside."""
    for index, found in profile.items():
        if index not in dictionary and not 0x1800 <= index < 0x1C00:
            dictionary.add_object(found)


def _sections(path):
    """Return {section: {key: value}} of a file, as of configparser."""
    data = Path(path).read_bytes()
    try:
        text = data.decode('utf-8-sig')
    except UnicodeDecodeError:
        text = data.decode('latin-1')
    parser = RawConfigParser(inline_comment_prefixes=(';',), strict=False, allow_no_value=True)
    parser.optionxform = str
    try:
        parser.read_string(text, source=str(path))
    except NotSectionsError as error:
        raise ValueError(' '.join(str(error).split())) from None
    return {name: dict(parser.items(name)) for name in parser.sections()}


def _put_right(section, entries):
    """Return the entries of a section as canopen reads them.  Raises ValueError."""
    entries = {key: (value or '').strip() for key, value in entries.items()}
    found = {key: _without_zeros(value) for key, value in entries.items() if key not in _UNUSED}
    for key in _NUMBERS:
        if key in found and not _is_number(found[key]):
            raise ValueError(f'[{section}] {key}: {entries[key]!r} must be a number')
    kind = int(found.get('DataType', '0'), 0)
    for key in _VALUES:
        if found.get(key) == '':
            del found[key]
        elif key in found and kind <= _INTEGERS_END and not (
                _is_number(found[key]) or _FORMULA.fullmatch(found[key])):
            raise ValueError(f'[{section}] {key}: {entries[key]!r} must be a number, or one with '
                             '$NODEID')
    is_object = 'sub' in section.lower() or _OBJECT.fullmatch(section)[2] is None
    return {**_DEFAULTS, **found} if is_object else found


def _without_zeros(value):
    """Return a value without zeros before a decimal number, which is none in base 8."""
    return _ZEROS.sub('', value, count=1) if _DECIMAL.fullmatch(value) else value


def _is_number(text):
    try:
        int(text, 0)
    except ValueError:
        return False
    return True


def _imported(sections, node_id):
    """Return the ObjectDictionary of sections."""
    text = ['[DeviceInfo]']
    for name, entries in sections.items():
        text += [f'[{name}]', *(f'{key}={value or ""}' for key, value in entries.items())]
    return import_eds(StringIO('\n'.join(text)), node_id)


def _members(dictionary, index):
    """Return [(subindex, variable)] of a record, none if there is none."""
    found = dictionary.get(index)
    return list(found.items()) if hasattr(found, 'items') else []


def _number(variable):
    """Return the value that a file gives a variable, 0 without one."""
    return variable.value or variable.default or 0
