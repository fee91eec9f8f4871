"""Mutated SDF and USD: a machine, or one error in words."""

from functools import cache
from pathlib import Path
import re
import shutil

from hypothesis import given, settings, strategies as st
import pytest
from read_machines import DESCRIPTIONS, read_file

from mb_import import mapping_of
from mb_model import MechanismError

THOROUGH = settings.default.max_examples >= 1000
ELEMENT = re.compile(r'<(/?)([a-z_:0-9]+)([^<>]*)>')
VALUE = re.compile(r'>([^<>\s][^<>]*)<|="([^"]*)"')
LINE = re.compile(r'\n([^\n]*)')
WORD = re.compile(r'[A-Za-z_:.]+|-?[0-9.]+')
VALUES = ['', '0', '-1', '1e400', 'nan', '-inf', '1e-320', '9' * 400, '0 0 0', '0 0 0 0 0 0',
          '1 2 3 4 5 6 7', '1 2 3 0 0 0 0', 'true', 'world', '__model__', '../x', 'model://walker',
          'walking_linkage.sdf', 'leg_up.sdf', 'shaft', 'quat_xyzw', 'ball', 'revolute2', 'gearbox',
          'fixed', '1.4', '1.12', '\u2603']
TAGS = ['<static>1</static>', '<frame name="f"/>', '<model name="n"/>', '<joint/>', '<link/>',
        '<pose relative_to="nut">1 0 0 0 0 1</pose>', '<inertial auto="true"/>', '<axis2/>',
        '<include merge="1"><uri>leg_up.sdf</uri></include>', '<mimic joint="motor"/>', '<mass/>',
        '<placement_frame>shaft</placement_frame>', '<drake:weld_constraint/>', '<!-- -- -->']
USD_WORDS = ['-1', '0', 'nan', 'inf', '1e39', '"X"', '"W"', '</Bench>', '</Bench/Crank>', '</>',
             '(0, 0, 0)', '[]', 'None', '"Y"', 'true', 'PhysicsDistanceJoint', 'PhysicsJoint',
             'Mesh', 'Cone', 'Xform', 'point3f', 'token', 'over', '@./finger.usda@',
             '@./machine.usda@',
             '"PhysicsRigidBodyAPI"', 'physics:density', 'physics:mass', '"xformOp:scale"']
MUTATIONS = st.lists(st.tuples(
    st.sampled_from(['value', 'swap', 'tag', 'gone', 'insert', 'twice', 'cut']),
    st.integers(0, 10_000), st.integers(0, 10_000)), min_size=1, max_size=4)


@cache
def source(name):
    return (DESCRIPTIONS / name).read_text(encoding='utf-8')


def mutated(text, kind, one, other):
    """Return an SDF text with one change of a value, a tag or a piece."""
    marks = list((VALUE if kind in ('value', 'swap') else ELEMENT).finditer(text))
    if not marks:
        return text
    mark, second = marks[one % len(marks)], marks[other % len(marks)]
    start, end = mark.span()
    if kind in ('value', 'swap'):
        start, end = mark.span(1) if mark[1] is not None else mark.span(2)
        new = (VALUES[other % len(VALUES)] if kind == 'value'
               else second[1] if second[1] is not None else second[2])
        return text[:start] + new + text[end:]
    if kind == 'tag':
        return text.replace(f'{mark[2]}>', f'{second[2]}>', 2 * (1 + other % 3))
    if kind == 'gone':
        close = text.find(f'</{mark[2]}>', end)
        return text[:start] + text[close + len(mark[2]) + 3 if close > 0 else end:]
    if kind == 'insert':
        return text[:end] + TAGS[other % len(TAGS)] + text[end:]
    if kind == 'twice':
        close = text.find(f'</{mark[2]}>', end) + len(mark[2]) + 3
        return text[:close] + text[start:close] + text[close:]
    return text[:start] + text[start + other % 200:]


def mutated_usd(text, kind, one, other):
    """Return a USDA text with one change of a word or a line."""
    marks = list((WORD if kind in ('value', 'swap', 'tag') else LINE).finditer(text, 10))
    mark, second = marks[one % len(marks)], marks[other % len(marks)]
    start, end = mark.span()
    new = {'value': USD_WORDS[other % len(USD_WORDS)], 'swap': second[0], 'tag': second[0],
           'gone': '', 'insert': mark[0] + second[0], 'twice': mark[0] * 2,
           'cut': ''}[kind]
    return text[:start] + new + text[end + (other % 100 if kind == 'cut' else 0):]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """Return a folder with the files that are included."""
    home = tmp_path_factory.mktemp('hostile')
    for file in ('leg_up.sdf', 'leg_down.sdf', 'walking_linkage.sdf', 'finger.usda'):
        shutil.copy(DESCRIPTIONS / file, home / file)
    return home


def said_of(path):
    """Return the words about a file, '' if it is a machine."""
    try:
        machine, _ = read_file(path)
        assert machine.links
        mapping_of(path, {})
    except MechanismError as error:
        return str(error)
    return ''


@pytest.mark.fuzz
@settings(max_examples=10_000 if THOROUGH else 200, deadline=None)
@given(name=st.sampled_from(['gripper.sdf', 'stewart.sdf', 'parallelogram_mimic.sdf',
                             'walking_linkage.sdf']), mutations=MUTATIONS)
def test_a_mutated_sdf_is_a_machine_or_one_error_in_words(name, mutations, folder):
    text = source(name)
    for mutation in mutations:
        text = mutated(text, *mutation)
    path: Path = folder / 'machine.sdf'
    path.write_text(text, encoding='utf-8')
    said = said_of(path)
    assert not said or 'sdf: ' in said
    assert '\n' not in said


@pytest.mark.fuzz
@settings(max_examples=10_000 if THOROUGH else 200, deadline=None)
@given(name=st.sampled_from(['four_bar.usda', 'gripper.usda']), mutations=MUTATIONS)
def test_a_mutated_usd_is_a_machine_or_one_error_in_words(name, mutations, folder):
    pytest.importorskip('pxr.UsdPhysics')
    text = source(name)
    for mutation in mutations:
        text = mutated_usd(text, *mutation)
    path: Path = folder / 'machine.usda'
    path.write_text(text, encoding='utf-8')
    said = said_of(path)
    assert not said or said.startswith('machine.usda: ')
    assert '\n' not in said
