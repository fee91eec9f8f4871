"""Loops that MJCF cannot close are cut at another joint, and move as before."""

from dataclasses import replace

import numpy as np
import pytest
from round_trips import bare, differences

from mb_import.mapping.reading import read_machine
from mb_import.notes import Notes
from mb_import.writers.machine import machine_of
from mb_import.writers.mjcf import mjcf_text
from mb_import.writers.recut import recut
from mb_import.writers.sdf import sdf_text
from mb_model import MechanismError, load_mechanism
from mb_model.file_api import read_mechanism_file


def cut_at(name, kind):
    """Return (mechanism without forces, its Machine, one that a joint of a kind closes)."""
    mechanism = bare(load_mechanism(name))
    machine = replace(machine_of(mechanism, Notes(name)), drives={}, sensors={})
    other = recut(machine, (kind,), Notes(name))
    assert kind in {one.kind for one in other.closures.values()}
    return mechanism, machine, other


@pytest.mark.parametrize(('name', 'kind'), [
    ('slider_crank', 'prismatic'), ('spatial_slider_crank', 'universal'),
    ('spatial_slider_crank', 'prismatic'), ('excavator', 'prismatic'), ('excavator', 'universal'),
    ('stewart', 'prismatic'), ('stewart', 'universal')])
def test_a_loop_that_a_slide_or_a_cross_closes_is_an_mjcf_file(name, kind, tmp_path):
    mechanism, machine, other = cut_at(name, kind)
    notes = Notes(name)
    (tmp_path / 'other.xml').write_text(mjcf_text(other, notes), encoding='utf-8')
    raw, _ = read_mechanism_file(str(tmp_path / 'other.xml'))
    assert differences(mechanism, machine, raw) < 1e-9
    said = [str(note) for note in notes.notes]
    assert any('a joint of the tree:' in note for note in said) == (kind == 'prismatic')


@pytest.mark.parametrize(('write', 'suffix'), [(mjcf_text, 'xml'), (sdf_text, 'sdf')])
def test_a_sleeve_is_a_slide_and_a_hinge_of_the_tree(write, suffix, tmp_path):
    """In the plane of the loop it holds what a slide holds."""
    mechanism, machine, other = cut_at('slider_crank', 'prismatic')
    sleeves = {name: replace(one, kind='cylindrical') if one.kind == 'prismatic' else one
               for name, one in other.closures.items()}
    path = tmp_path / f'sleeve.{suffix}'
    path.write_text(write(replace(other, closures=sleeves), Notes('sleeve')), encoding='utf-8')
    back, _ = read_machine(path)
    raw, _ = read_mechanism_file(str(path))
    shift = {key: joint.drawn for key, joint in machine.joints.items()} if suffix == 'sdf' else {}
    assert differences(mechanism, machine, raw, shift) < 1e-9
    assert {one.kind for one in back.closures.values()} <= {'revolute', 'spherical'}


def test_a_loop_without_a_free_hinge_is_refused_in_words():
    _, _, other = cut_at('slider_crank', 'prismatic')
    sprung = {name: replace(one, damping=0.1) for name, one in other.joints.items()}
    with pytest.raises(MechanismError, match='prismatic: MJCF closes loops by hinges, balls, '
                                             'crosses, welds and rods, and no other joint'):
        mjcf_text(replace(other, joints=sprung), Notes('slider_crank'))


def test_a_swap_there_and_back_is_the_same_machine():
    """Also the values of coordinates as drawn."""
    _, machine, other = cut_at('slider_crank', 'prismatic')
    again = recut(other, ('revolute',), Notes('again'))
    assert {*again.joints} | {*again.closures} == {*machine.joints} | {*machine.closures}
    for name in again.joints.keys() & machine.joints.keys():
        assert again.joints[name].drawn == pytest.approx(machine.joints[name].drawn, abs=1e-9)
    assert np.isfinite([one.drawn for one in again.joints.values()]).all()
