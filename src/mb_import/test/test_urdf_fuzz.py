"""Hostile URDF: one error in words, or a machine whose numbers are numbers."""

from pathlib import Path
import re

from hypothesis import given, strategies as st
import numpy as np
import pytest
from read_descriptions import OURS, read

from mb_import.drawing import drawn_poses
from mb_model import MechanismError

TEXTS = {path.stem: path.read_text(encoding='utf-8') for path in sorted(OURS.glob('*.urdf'))}
PIECES = sorted({piece for text in TEXTS.values() for piece in re.findall(
    r'<[^<>]*>|"[^"]*"|[\w.:]+=|[\d.]+', text)})
STRANGE = st.sampled_from([
    '', '0', '-1', 'nan', 'inf', '1e308', '1e-320', '9' * 400, '0x10', '1_0', '1 2', '\x00', '<',
    '&', '&#0;', '"', '<!DOCTYPE r>', '<![CDATA[', '\u202e', '\ud83d', 'ÿ', '</robot>', '<world/>',
    'world', '${1}', '../../etc/passwd', 'package://x/y'])
CHANGE = st.tuples(st.floats(0.0, 1.0), st.sampled_from(['cut', 'swap', 'put', 'double']),
                   st.one_of(STRANGE, st.sampled_from(PIECES), st.text(max_size=6)))


def mutated(text, changes):
    """Return a text with pieces cut, doubled, replaced or put in."""
    for place, kind, piece in changes:
        found = list(re.finditer(r'<[^<>]*>|"[^"]*"', text))
        if not found:
            break
        match = found[min(int(place * len(found)), len(found) - 1)]
        old = match[0]
        new = {'cut': '', 'swap': f'"{piece}"' if old[0] == '"' else piece, 'put': piece + old,
               'double': old + old}[kind]
        text = text[:match.start()] + new + text[match.end():]
    return text


def look_at(folder: Path, text):
    """Read a text; whatever it is, there is a machine or one error in words."""
    path = folder / 'hostile.urdf'
    path.write_bytes(text.encode('utf-8', 'surrogatepass'))
    machine, notes, error = None, [], 'hostile.urdf'
    try:
        machine, notes = read(path)
    except MechanismError as refused:
        error = str(refused)
    assert 'hostile.urdf' in error
    assert '\n' not in error
    if machine is None:
        return
    assert all('\n' not in note for note in notes)
    assert {one.links[1] for one in machine.joints.values()} == set(machine.links)
    for pose in drawn_poses(machine, {}).values():
        assert np.isfinite(pose.at).all()
        np.testing.assert_allclose(pose.turn @ pose.turn.T, np.eye(3), atol=1e-9)
    for link in machine.links.values():
        assert link.inertial is None or (link.inertial.mass >= 0.0
                                         and np.isfinite(link.inertial.inertia).all())


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """A folder for all examples of a property."""
    return tmp_path_factory.mktemp('hostile')


@pytest.mark.fuzz
@pytest.mark.parametrize('text', TEXTS.values(), ids=TEXTS)
@given(changes=st.lists(CHANGE, min_size=1, max_size=6))
def test_mutated_robots_are_machines_or_end_in_words(folder, text, changes):
    look_at(folder, mutated(text, changes))


@pytest.mark.fuzz
@given(pieces=st.lists(st.one_of(st.sampled_from(PIECES), STRANGE), max_size=40))
def test_pieces_of_robots_in_any_order_are_machines_or_end_in_words(folder, pieces):
    look_at(folder, '<robot name="r"><link name="a"/>' + ' '.join(pieces) + '</robot>')
