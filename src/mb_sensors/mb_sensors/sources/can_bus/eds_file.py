"""The EDS or DCF file of a CANopen device: what is needed of it, whatever the rest is like.

Source: CiA 306 (electronic data sheets); neither sections nor keys depend on case.
"""

from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
import re

from canopen.objectdictionary import ObjectDictionary
from canopen.objectdictionary.eds import import_eds

_HEADER = re.compile(r'\[([^\]]*)(\]?)')
_OBJECT = re.compile(r'([0-9a-f]{4})(?:sub([0-9a-f]{1,2})|(name|value))?')
_COMMENTS = ';', '#'
_MARKS = {b'\xff\xfe': 'utf-16', b'\xfe\xff': 'utf-16', b'\xef\xbb\xbf': 'utf-8-sig'}


def sections_of(path: str | Path):
    """Return ({section: {key: text}}, {section: words}) of a file, keys in lower case.

    Sections of objects are called 1A00, 1A00sub1; others are in lower case.  Values that
    contradict each other are in the second one, by section.  Raises OSError.
    """
    sections, contradictions = {}, {}
    section = sections.setdefault('', {})
    name = ''
    for line in map(str.strip, _text(path).splitlines()):
        if line.startswith('['):
            match = _HEADER.match(line)
            # A header that does not end begins a section, too: an unknown one.
            name = _called(match[1]) if match[2] else line
            section = sections.setdefault(name, {})
        elif not line.startswith(_COMMENTS):
            key, _, value = line.partition('=')
            key, value = key.strip().lower(), value.partition(';')[0].strip()
            if section.setdefault(key, value).lower() != value.lower():
                contradictions.setdefault(name, {})[key] = f'is {section[key]!r} and {value!r}'
    return sections, contradictions


def object_of(section: str):
    """Return (index, subindex or None) of a section's name, None if it has no object."""
    match = _OBJECT.fullmatch(section.lower())
    if match is None or match[3]:
        return None
    return int(match[1], 16), None if match[2] is None else int(match[2], 16)


def section_of(index: int, subindex: int | None = None):
    """Return the name of the section of an object, or of one of its entries."""
    return f'{index:04X}' if subindex is None else f'{index:04X}sub{subindex:X}'


def _called(name: str):
    name = ''.join(name.split()).lower()
    match = _OBJECT.fullmatch(name)
    if match is None:
        return name
    return match[1].upper() + match[3].capitalize() if match[3] else section_of(*object_of(name))


def _text(path: str | Path):
    data = Path(path).read_bytes()
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return data.decode(encoding, 'replace')
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode('latin-1')


_KIND = re.compile(r'[0-9a-f]{1,3}(sub[0-9a-f]+)?')     # types of the maker, as [A0]
_NUMBER = r'(?:0[xX][0-9A-Fa-f]+|[0-9]+)'
_WHOLE = re.compile(_NUMBER)
_OF_NODE = re.compile(rf'(?:({_NUMBER})\+)?\$NODEID(?:\+({_NUMBER}))?', re.IGNORECASE)
_KEYS = {key.lower(): key for key in (
    'ObjectType', 'DataType', 'AccessType', 'DefaultValue', 'ParameterValue', 'CompactSubObj',
    'NrOfEntries')}
_NUMBERS = 'objecttype', 'datatype', 'compactsubobj', 'nrofentries'
_VALUES = 'parametervalue', 'defaultvalue'      # of a DCF file, which has set the device; else
_VARIABLES, _RECORDS = (2, 7), (8, 9)
_HIGHEST = 2 ** 32 - 1


class EdsFile:
    """The objects of a file.

    dictionary: canopen's ObjectDictionary, without the objects that cannot be read.
    """

    def __init__(self, path: str | Path, node_id: int) -> None:
        """Read a file.  Raises OSError, ValueError."""
        self._sections, self._contradictions = sections_of(path)
        self._node_id = node_id
        objects = {}
        for name in self._sections:
            numbers = object_of(name)
            if numbers:
                objects.setdefault(numbers[0], []).append(name)
        if not objects:
            raise ValueError('has no object, expected sections such as [1800] and [1800sub1]')
        kinds = {name.upper().replace('SUB', 'sub'): {
            _KEYS[key]: value for key, value in entries.items() if key in _KEYS}
            for name, entries in self._sections.items() if _KIND.fullmatch(name)}
        self.dictionary, self._odd = ObjectDictionary(), {}
        self.dictionary.node_id = node_id
        for index, names in objects.items():
            try:
                self.dictionary.add_object(self._imported(kinds, index, names))
            except Exception as error:      # canopen raises whatever it meets
                self._odd[index] = (str(error) if isinstance(error, ValueError)
                                    else f'[{names[0]}]: {type(error).__name__}: {error}')

    def check(self, index: int):
        """Raise ValueError if the file has an object that cannot be read."""
        if index in self._odd:
            raise ValueError(self._odd[index])

    def number(self, index: int, subindex: int, what: str, at_most: int = _HIGHEST):
        """Return (value, `[section] key`) of an entry.

        Raises ValueError, saying what is expected, if it is missing or no such number.
        """
        name = section_of(index, subindex)
        entries = self._sections.get(name)
        if entries is None:
            raise ValueError(f'[{name}]: is missing, expected {what}')
        key = next((key for key in _VALUES if entries.get(key)), _VALUES[1])
        path, text = f'[{name}] {_KEYS[key]}', entries.get(key, '')
        self._check_once(name, key)
        if not text:
            raise ValueError(f'{path}: is missing, expected {what}')
        value = self._value(text)
        if value is None or value > at_most:
            raise ValueError(f'{path}: {text!r} must be a number, or one with $NODEID: {what}')
        return value, path

    def _value(self, text: str):
        """Return a number, also one with the id of the node, None if it is none."""
        text = ''.join(text.split())
        if _WHOLE.fullmatch(text):
            return _whole(text)
        match = _OF_NODE.fullmatch(text)
        if match is None or (match[1] and match[2]):
            return None
        return self._node_id + _whole(match[1] or match[2] or '0')

    def _imported(self, kinds: Mapping[str, dict[str, str]], index: int, names: Sequence[str]):
        """Return an object of canopen.  Raises ValueError and what canopen does."""
        own = {name: self._put_right(name, self._sections[name]) for name in names}
        head, members = section_of(index), [name for name in names if 'sub' in name]
        if members:
            entries = own.setdefault(head, {'ParameterName': head})
            if int(entries.get('ObjectType', '7'), 0) not in _RECORDS:
                entries['ObjectType'] = str(_RECORDS[1])
        text = ['[DeviceInfo]']
        for name in (*kinds, head, *members):
            text += [f'[{name}]', *(f'{key}={value}' for key, value in (
                kinds[name] if name in kinds else own[name]).items())]
        return import_eds(StringIO('\n'.join(text)), self._node_id)[index]

    def _put_right(self, name: str, entries: Mapping[str, str]):
        """Return the entries of a section as canopen reads them.  Raises ValueError."""
        readable = {'ParameterName': name, 'AccessType': 'rw'}
        for key, text in entries.items():
            if key not in _KEYS or (key in _VALUES and not text):
                continue
            if key in _NUMBERS:
                self._check_once(name, key)
                if not _WHOLE.fullmatch(text):
                    raise ValueError(f'[{name}] {_KEYS[key]}: {text!r} must be a number')
                text = str(_whole(text))
            readable[_KEYS[key]] = text
        kind = int(readable.get('ObjectType', '7'))
        is_variable = 'sub' in name or kind in _VARIABLES
        if not is_variable and kind not in _RECORDS and not self._has_members(name):
            raise ValueError(f'[{name}] ObjectType: {kind} must be 7, a variable, or 8 or 9 with '
                             f'sections such as [{name}sub1]')
        if is_variable and 'DataType' not in readable and not self._has_members(name):
            raise ValueError(f'[{name}] DataType: is missing, expected a number, as 7')
        return readable

    def _has_members(self, name: str):
        return any(other.startswith(f'{name}sub') for other in self._sections)

    def _check_once(self, name: str, key: str):
        """Raise ValueError if a key of a section has two values."""
        words = self._contradictions.get(name, {}).get(key)
        if words:
            raise ValueError(f'[{name}] {_KEYS[key]}: {words}, expected one of them')


def _whole(text: str):
    """Return a whole number; zeros before a decimal one mean nothing."""
    return int(text, 16) if text[:2] in ('0x', '0X') else int(text)
