"""Mechanism files that ask for repairs of their rounded numbers."""

from typing import Any

from mb_model.mechanism_file.file import import_notes

_KEY = 'repairs'


def mended(raw: Any, file: str) -> Any:
    """Return the mapping of a mechanism, or what `repairs: true` in it makes of it, see snapped.

    Then without that key, and with notes on what was changed in `origin`.  Raises MechanismError.
    """
    if not isinstance(raw, dict) or raw.get(_KEY) is not True:
        return raw
    # Imported here: few files ask for it.
    from mb_model.assembly.repairs import snapped
    from mb_model.mechanism_file.reading import whole_mapping
    whole = {key: value for key, value in raw.items() if key != _KEY}
    repaired, notes = snapped(whole_mapping(whole, file) if 'repeat' in whole else whole, file)
    origin = repaired.get('origin') or {}
    return repaired | {'origin': origin | {
        'notes': [*import_notes(repaired), *(f'changed: {note}' for note in notes)]}}
