"""Mutated MJCF: a machine, or one error in words."""

from functools import cache
from pathlib import Path
import re

from hypothesis import given, settings, strategies as st
import pytest

from mb_import import mapping_of
from mb_model import MechanismError

OURS = Path(__file__).parent / 'descriptions'
THOROUGH = settings.default.max_examples >= 1000
ATTRIBUTE, TAG = re.compile(r'([a-z0-9]+)="([^"]*)"'), re.compile(r'</?([a-z]+)')
VALUES = ['', '0', '-1', '1e400', 'nan', '1e-320', '9' * 400, '0 0 0', '1 0 0 0', '0 0 0 0', 'true',
          'world', '../x', '\u2603', 'free', 'ball', 'mesh', 'hfield', 'sdf', 'plugin',
          '1 2 3 4 5 6 7']
TAGS = ['body', 'joint', 'geom', 'site', 'frame', 'replicate count="40"', 'include file="x"',
        'attach model="x"', 'composite', 'flexcomp', 'plugin plugin="x"', 'freejoint', 'inertial',
        'default', 'mujoco', 'weld', 'connect', 'spatial', 'general', 'muscle']
MUTATIONS = st.lists(st.tuples(
    st.sampled_from(['value', 'swap', 'name', 'tag', 'cut', 'twice', 'insert', 'gone']),
    st.integers(0, 10_000), st.integers(0, 10_000)), min_size=1, max_size=4)


@cache
def source(name):
    return (OURS / f'{name}.xml').read_text(encoding='utf-8')


def mutated(text, kind, one, other):
    """Return a text with one change: of an attribute, of a tag, or of a piece."""
    marks = list((TAG if kind in ('tag', 'twice', 'insert') else ATTRIBUTE).finditer(text))
    if not marks:
        return text
    mark, second = marks[one % len(marks)], marks[other % len(marks)]
    start, end = mark.span()
    if kind == 'value':
        start, end = mark.span(2)
        return text[:start] + VALUES[other % len(VALUES)] + text[end:]
    if kind == 'swap':
        return text[:start] + f'{mark[1]}="{second[2]}"' + text[end:]
    if kind == 'name':
        return text[:start] + f'{second[1]}="{mark[2]}"' + text[end:]
    if kind == 'gone':
        return text[:start] + text[end:]
    if kind == 'tag':
        return text.replace(mark[0], mark[0].replace(mark[1], second[1]), 1 + other % 2)
    if kind == 'twice':
        line = text[text.rfind('\n', 0, start) + 1:text.find('\n', end) + 1]
        return text[:start] + text[start:].replace(line, line * 2, 1)
    if kind == 'insert':
        tag = TAGS[other % len(TAGS)]
        return f'{text[:start]}<{tag}/>{text[start:]}'
    return text[:start] + text[start + other % 200:]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """Return a folder for the files of this module."""
    return tmp_path_factory.mktemp('hostile')


@pytest.mark.fuzz
@settings(max_examples=10_000 if THOROUGH else 200, deadline=None)
@given(name=st.sampled_from(['gripper', 'biped', 'geared_arm']), mutations=MUTATIONS)
def test_a_mutated_file_is_a_machine_or_one_error_in_words(name, mutations, folder):
    text = source(name)
    for mutation in mutations:
        text = mutated(text, *mutation)
    path = folder / 'machine.xml'
    path.write_text(text, encoding='utf-8')
    said = ''
    try:
        assert mapping_of(path, {})['bodies']
    except MechanismError as error:
        said = str(error)
    assert not said or said.startswith('machine.xml: ')
    assert '\n' not in said
