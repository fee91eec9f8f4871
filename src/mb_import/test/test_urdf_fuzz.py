"""Hostile URDF: one error in words, or a machine whose numbers are numbers."""

from pathlib import Path
import re

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from read_descriptions import OURS, read

from mb_import.drawing import drawn_poses
from mb_model import MechanismError

USUAL = settings.default.max_examples
MOST = 10_000 if USUAL >= 1000 else USUAL
TEXTS = {path.stem: path.read_text(encoding='utf-8') for path in sorted(OURS.glob('*.urdf'))}
PAIRS = (OURS / 'five_bar.yaml').read_text(encoding='utf-8')
XACRO = """<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:arg name="size" default="0.5"/><xacro:property name="size" value="$(arg size)"/>
  <xacro:macro name="bar" params="name mass:=1 *more"><link name="${name}"><inertial>
    <mass value="${mass * size**2}"/><inertia ixx="1" iyy="${1 + size}" izz="${max(1, 2)}"/>
    </inertial></link><xacro:insert_block name="more"/></xacro:macro>
  <xacro:bar name="a"><material name="red"/></xacro:bar>
  <xacro:if value="${size > 0}"><xacro:bar name="b" mass="2"><link name="c"/></xacro:bar></xacro:if>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/>
    <origin xyz="${size} ${sin(pi / 3)} 0"/></joint></robot>"""
PIECES = sorted({piece for text in TEXTS.values() for piece in re.findall(
    r'<[^<>]*>|"[^"]*"|[\w.:]+=|[\d.]+', text)})
STRANGE = st.sampled_from([
    '', '0', '-1', 'nan', 'inf', '1e308', '1e-320', '9' * 400, '0x10', '1_0', '1 2', '\x00', '<',
    '&', '&#0;', '"', '<!DOCTYPE r>', '<![CDATA[', '\u202e', '\ud83d', 'ÿ', '</robot>', '<world/>',
    'world', '${1}', '../../etc/passwd', 'package://x/y'])
CHANGE = st.tuples(st.floats(0.0, 1.0), st.sampled_from(['cut', 'swap', 'put', 'double']),
                   st.one_of(STRANGE, st.sampled_from(PIECES), st.text(max_size=6)))
YAML = st.one_of(STRANGE, st.text(max_size=4),
                 st.sampled_from(['[', ']', ',', ': ', '- ', '\n', '!!python', '&a', '*a']))


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


def look_at(path: Path, text):
    """Write a text; whatever it is, there is a machine in `hostile` or one error in words."""
    path.write_bytes(text.encode('utf-8', 'surrogatepass'))
    path = path.with_suffix('.urdf') if path.suffix == '.yaml' else path
    machine, notes, error = None, [], 'hostile'
    try:
        machine, notes = read(path)
    except MechanismError as refused:
        error = str(refused)
    assert 'hostile' in error
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


@pytest.fixture(scope='module')
def pairs(tmp_path_factory):
    """A folder with a five-bar whose pairs of frames are in the file beside."""
    folder = tmp_path_factory.mktemp('pairs')
    (folder / 'hostile.urdf').write_text(TEXTS['five_bar'])
    return folder


@pytest.mark.fuzz
@pytest.mark.parametrize('text', TEXTS.values(), ids=TEXTS)
@settings(max_examples=max(USUAL, -(-MOST // len(TEXTS))))
@given(changes=st.lists(CHANGE, min_size=1, max_size=6))
def test_mutated_robots_are_machines_or_end_in_words(folder, text, changes):
    look_at(folder / 'hostile.urdf', mutated(text, changes))


@pytest.mark.fuzz
@given(pieces=st.lists(st.one_of(st.sampled_from(PIECES), STRANGE), max_size=40))
def test_pieces_of_robots_in_any_order_are_machines_or_end_in_words(folder, pieces):
    text = ' '.join(['<robot name="r"><link name="a"/>', *pieces, '</robot>'])
    look_at(folder / 'hostile.urdf', text)


@pytest.mark.fuzz
@settings(max_examples=MOST)
@given(changes=st.lists(CHANGE, min_size=1, max_size=6))
def test_mutated_xacro_is_a_machine_or_ends_in_words(folder, changes):
    pytest.importorskip('xacro')
    look_at(folder / 'hostile.xacro', mutated(XACRO, changes))


@pytest.mark.fuzz
@given(changes=st.lists(st.tuples(st.integers(0, len(PAIRS)), st.integers(0, 9), YAML), min_size=1,
                        max_size=6))
def test_mutated_pairs_of_frames_close_loops_or_end_in_words(pairs, changes):
    text = PAIRS
    for start, length, piece in changes:
        text = text[:start] + piece + text[start + length:]
    look_at(pairs / 'hostile.yaml', text)
