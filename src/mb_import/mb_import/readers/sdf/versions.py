"""Versions of SDF, and what differs between them."""

import re

from mb_import.notes import Notes
from mb_import.xml_text import Element

NEWEST = (1, 12)


def version_of(root: Element, notes: Notes, item: str) -> tuple[int, int]:
    """Return the version of a file, as (1, 7); raises MechanismError for what is none."""
    text = root.get('version', '').strip()
    if not text:
        notes.guessed(item, f'has no version, read as {NEWEST[0]}.{NEWEST[1]}')
        return NEWEST
    match = re.fullmatch(r'(\d{1,3})\.(\d{1,3})(?:\.\d{1,3})?', text)
    if match is None or int(match[1]) != 1:
        raise notes.error(item, f'version {text[:20]!r} is none of SDF, expected 1.6 to '
                                f'{NEWEST[0]}.{NEWEST[1]}')
    version = int(match[1]), int(match[2])
    if version > NEWEST:
        notes.guessed(item, f'version {text} is read as {NEWEST[0]}.{NEWEST[1]}')
    return version
