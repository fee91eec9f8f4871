"""The text of an EDS or DCF file: its sections and keys, whatever its lines are like.

Source: CiA 306 (electronic data sheets); neither sections nor keys depend on case.
"""

from pathlib import Path
import re

_HEADER = re.compile(r'\[([^\]]*)(\]?)')
_OBJECT = re.compile(r'([0-9a-f]{4})(?:sub([0-9a-f]{1,2})|(name|value))?')
_COMMENTS = ';', '#'
_MARKS = {b'\xff\xfe': 'utf-16', b'\xfe\xff': 'utf-16', b'\xef\xbb\xbf': 'utf-8-sig'}


def sections_of(path):
    """Return ({section: {key: text}}, {section: words}) of a file, keys in lower case.

    Sections of objects are called 1A00, 1A00sub1; others are in lower case.  Values that
    contradict each other are in the second one, by section.  Raises OSError.
    """
    found, contradictions = {}, {}
    section = found.setdefault('', {})
    name = ''
    for line in map(str.strip, _text(path).splitlines()):
        if line.startswith('['):
            match = _HEADER.match(line)
            # A header that does not end begins a section, too: an unknown one.
            name = _called(match[1]) if match[2] else line
            section = found.setdefault(name, {})
        elif not line.startswith(_COMMENTS):
            key, _, value = line.partition('=')
            key, value = key.strip().lower(), value.partition(';')[0].strip()
            if section.setdefault(key, value).lower() != value.lower():
                contradictions.setdefault(name, {})[key] = f'is {section[key]!r} and {value!r}'
    return found, contradictions


def object_of(section):
    """Return (index, subindex or None) of a section's name, None if it has no object."""
    match = _OBJECT.fullmatch(section.lower())
    if match is None or match[3]:
        return None
    return int(match[1], 16), None if match[2] is None else int(match[2], 16)


def section_of(index, subindex=None):
    """Return the name of the section of an object, or of one of its entries."""
    return f'{index:04X}' if subindex is None else f'{index:04X}sub{subindex:X}'


def _called(name):
    name = ''.join(name.split()).lower()
    match = _OBJECT.fullmatch(name)
    if match is None:
        return name
    return match[1].upper() + match[3].capitalize() if match[3] else section_of(*object_of(name))


def _text(path):
    data = Path(path).read_bytes()
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return data.decode(encoding, 'replace')
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode('latin-1')
