"""From the file of a description to the mapping of a mechanism file, with its origin."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from mb_import.machine import Machine
from mb_import.mapping.mechanism import mechanism_mapping
from mb_import.notes import Notes
from mb_import.options import ImportOptions, read_options
from mb_import.readers import reader_of
from mb_import.xml_text import read_text
from mb_model.file_api import snapped


def mapping_of(path: Path, section: Mapping[str, Any]) -> dict[str, Any]:
    """Return the mapping of a mechanism file from a description; section: `import` beside it.

    Its `origin` says where it comes from, and what was changed, guessed and left out.  Raises
    MechanismError.
    """
    options = read_options(section, path.name)
    machine, notes = read_machine(path, options)
    raw = mechanism_mapping(machine, options, notes)
    if options.repairs:
        raw, repairs = snapped(raw, path.name)
        for repair in repairs:
            notes.changed(*repair.split(': ', 1))
    origin = {'file': path.name, 'sha256': sha256(path.read_bytes()).hexdigest()}
    return raw | {'origin': origin | raw['origin'] | {
        'notes': [str(note) for note in notes.notes]}}


def read_machine(path: Path, options: ImportOptions | None = None) -> tuple[Machine, Notes]:
    """Return the Machine of a description, and the notes about it; raises MechanismError."""
    options = options or ImportOptions()
    notes = Notes(path.name, options.strict)
    return reader_of(path)(path, options, notes), notes


def urdf_text(path: Path, options: ImportOptions) -> str | None:
    """Return the URDF of a description as it is, of xacro expanded; None of other formats."""
    if path.suffix.lower() == '.xacro':
        from mb_import.readers.xacro.reader import expanded
        return expanded(path, options.arguments, options.packages)
    return read_text(path) if path.suffix.lower() == '.urdf' else None
