"""Files in other formats as mechanisms: by suffix, with section `import`, and what they note."""

from importlib.metadata import EntryPoint, EntryPoints

import pytest

from mb_model import MechanismError, load_mechanism
from mb_model.checking import look_through
from mb_model.registry import kind_modules

TEXT = {'name': 'rod_of_file', 'points': {'A': {'fixed': [0, 0]}, 'B': {'start': [1, 0]}},
        'bodies': {'rod': {'points': ['A', 'B'], 'length': 1.0, 'mass': 2.0}}}


def read(path, section):
    """Return a mechanism whose length is the file's text, its mass of section `import`."""
    rod = TEXT['bodies']['rod'] | {'length': float(path.read_text()),
                                   'mass': section.get('mass', 2.0)}
    return TEXT | {'bodies': {'rod': rod}, 'origin': {'notes': ['guessed: rod: it is uniform']}}


@pytest.fixture(autouse=True)
def reader(monkeypatch):
    """Files with suffix .rod are read."""
    entry = EntryPoint('rod', f'{__name__}:read', 'mb_model.readers')
    monkeypatch.setattr(kind_modules, 'entry_points', lambda group, **names: EntryPoints(
        [entry] if group == 'mb_model.readers' else ()).select(**names))


def test_suffix_finds_the_reader(tmp_path):
    file = tmp_path / 'a machine.ROD'
    file.write_text('0.7')
    assert load_mechanism(file).bodies['rod'].length == 0.7


def test_files_that_extend_it_complete_it(tmp_path):
    (tmp_path / 'machine.rod').write_text('0.7')
    (tmp_path / 'first.yaml').write_text('extends: machine.rod\nimport: {mass: 3.0}')
    (tmp_path / 'second.yaml').write_text('extends: first.yaml\nimport: {mass: 4.0}\nname: mine')
    assert load_mechanism(tmp_path / 'first.yaml').bodies['rod'].mass == 3.0
    second = load_mechanism(tmp_path / 'second.yaml')
    assert (second.name, second.bodies['rod'].mass) == ('mine', 4.0)


def test_notes_are_found(tmp_path):
    file = tmp_path / 'machine.rod'
    file.write_text('0.7')
    assert look_through(file).notes == ('guessed: rod: it is uniform',)


def test_section_import_is_for_what_a_reader_reads(tmp_path):
    file = tmp_path / 'machine.yaml'
    file.write_text('extends: pendulum\nimport: {mass: 3.0}')
    with pytest.raises(MechanismError, match=r'machine.yaml: import: is for files that extend a '
                                             r'description, expected `extends` of one of \.rod'):
        load_mechanism(file)


def test_what_has_no_reader_is_said(tmp_path):
    with pytest.raises(MechanismError, match=r'the path of a file \(\.yaml, \.rod\)'):
        load_mechanism(tmp_path / 'machine.stick')
