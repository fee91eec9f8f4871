"""All that is wrong in a mechanism file, and what is doubtful in it."""

from dataclasses import dataclass

from mb_model.assembly.mending import mended
from mb_model.doubtful_runs import doubtful_runs
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.doubts import doubts
from mb_model.mechanism_file.entries import Entries
from mb_model.mechanism_file.file import import_notes, read_mechanism_file
from mb_model.mechanism_file.reading import read_description
from mb_model.mechanism_file.schema import definition_for, published_schema
from mb_model.mechanism_file.schema.conformity import note_structure
from mb_model.registry.kind_modules import plugin_class, plugin_names

# Of sections that other packages read: the name of one, and a function (mechanism, name of an
# entry) that raises ValueError for an entry that is wrong.
_GROUP = 'mb_model.checks'


@dataclass(frozen=True)
class Findings:
    """The mechanism of a file, None if there is a mistake in it; all mistakes, and doubts.

    notes: what the reader of a description changed, guessed or left out.
    """

    mechanism: Mechanism | None
    mistakes: tuple[str, ...]
    doubts: tuple[str, ...]
    notes: tuple[str, ...] = ()


def look_through(name_or_path):
    """Return the Findings about a mechanism file; raises MechanismError if it cannot be read."""
    return findings(*read_mechanism_file(name_or_path))


def findings(raw, file):
    """Return the Findings about the mapping of a mechanism file, called `file` in messages."""
    mechanism, mistakes = None, []
    try:
        raw = mended(raw, file)
        mechanism = Mechanism(raw, file)
    except MechanismError as error:
        mistakes += error.mistakes
    described = mechanism.described if mechanism else _described(raw, file)
    for section in plugin_names(_GROUP):
        entries = getattr(described, section) if described else raw.get(section)
        if isinstance(entries, dict):
            mistakes += _of_section(file, section, entries, mechanism, definition_for(raw, section))
    doubtful = doubts(raw, described) if described else []
    if mechanism is not None and not mistakes:
        doubtful += doubtful_runs(mechanism)
    return Findings(None if mistakes else mechanism, tuple(mistakes), tuple(doubtful),
                    import_notes(raw))


def _described(raw, file):
    """Return the Description of a mechanism that cannot be assembled, None if the file is wrong."""
    try:
        return read_description(raw, file)
    except MechanismError:
        return None


def _of_section(file, section, raw, mechanism, definition):
    """Return the mistakes in a section that another package reads; definition: of the schema."""
    entries = Entries(file)
    known = definition in published_schema()['$defs']
    note_structure(entries, section, raw, definition if known else section, published=True)
    if mechanism is not None:
        check = plugin_class(_GROUP, section, 'section', MechanismError)
        for name in raw:
            if not entries.is_broken(f'{section}.{name}'):
                with entries.noted(f'{section}.{name}'):
                    check(mechanism, name)
    return entries.mistakes
