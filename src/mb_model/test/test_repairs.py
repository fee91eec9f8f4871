"""Rounded numbers of CAD: axes nearly parallel, pins nearly in one plane; named, and repaired."""

from math import cos, sin

import numpy as np
import pytest
from test_assembly_messages import swing
import yaml

from mb_model.checking import look_through
from mb_model.file_api import import_notes, snapped
from mb_model.mechanism import Mechanism, load_mechanism
from mb_model.mechanism_file.description import MechanismError


@pytest.mark.parametrize('angle', [4e-6, 1e-3])
def test_axes_that_are_nearly_parallel_are_named_and_made_parallel(angle):
    raw = swing(0.0)
    raw['joints']['b']['axis'] = [sin(angle), cos(angle), 0.0]
    with pytest.raises(MechanismError) as caught:
        Mechanism(raw, 'swing.yaml')
    message = str(caught.value)
    assert f'joints.a and joints.b have axes on ground that are {angle:.3g} rad' in message
    assert 'leave it out' not in message
    repaired, notes = snapped(raw, 'swing.yaml')
    assert any(f'{angle:.3g} rad from parallel: made parallel' in note for note in notes)
    machine = Mechanism(repaired, 'swing.yaml')
    assert machine.g == 1
    exact = Mechanism(swing(0.0), 'swing.yaml')
    np.testing.assert_allclose(machine.forward_dynamics([0.3], [0.0]),
                               exact.forward_dynamics([0.3], [0.0]), rtol=1e-6)
    assert raw['joints']['b']['axis'] == [sin(angle), cos(angle), 0.0]       # is as it was


def test_pins_a_millimetre_apart_along_their_axis_meet():
    raw = swing(0.001)
    repaired, notes = snapped(raw, 'swing.yaml')
    assert len(notes) == 1
    assert 'its pins are 0.001 m apart along their axis' in notes[0]
    assert Mechanism(repaired, 'swing.yaml').g == 1


def test_a_loop_that_repairs_do_not_close_gets_the_joint_that_does():
    raw = swing(0.03)
    repaired, notes = snapped(raw, 'swing.yaml')
    assert len(notes) == 1
    name, kind = notes[0].partition(':')[0].split('.')[1], notes[0].split('kind: ')[1].split()[0]
    assert kind == 'cylindrical'
    repaired['joints'][name]['kind'] = kind
    assert Mechanism(repaired, 'swing.yaml').g == 1


@pytest.mark.parametrize('repeated', [False, True])
def test_a_file_asks_for_repairs_and_says_what_they_were(tmp_path, repeated):
    raw = swing(0.0)
    raw['joints']['b']['axis'] = [0.0, 1.0, 1e-3]
    if repeated:
        raw['repeat'] = {'hinges': {'count': 1, 'joints': {'b<i>': raw['joints'].pop('b')}}}
    file = tmp_path / 'swing.yaml'
    file.write_text(yaml.safe_dump(raw))
    with pytest.raises(MechanismError, match='write the same axis, or `repairs: true` in the file'):
        load_mechanism(file)
    file.write_text(yaml.safe_dump(raw | {'repairs': True}))
    machine = load_mechanism(file)
    assert machine.g == 1
    notes = import_notes(machine.raw)
    assert any(note.startswith('changed: joints.') and note.endswith(': made parallel')
               for note in notes)
    assert machine.raw == Mechanism(machine.raw, 'again.yaml').raw      # as bags have it
    assert any('made parallel' in note for note in look_through(file).notes)
    file.write_text(yaml.safe_dump(raw | {'repairs': 'yes'}))
    with pytest.raises(MechanismError, match="repairs: 'yes' must be true or false"):
        load_mechanism(file)


def test_what_is_exact_is_left_as_it_is():
    raw = swing(0.0)
    assert snapped(raw, 'swing.yaml') == (raw, [])
    plane = {'name': 'rod', 'points': {'A': {'fixed': [0, 0]}, 'P': {'start': [1.0, 0.0]}},
             'bodies': {'rod': {'points': ['A', 'P'], 'length': 1.0, 'mass': 1.0}}}
    assert snapped(plane, 'rod.yaml') == (plane, [])


def with_cylinder(raw):
    """Return a file with a cylinder of its own between two ball joints, drawn open, a weld in it.
    """
    for name, at in (('barrel', [3.0, 0.0, 0.0]), ('piston', [3.0, 0.0, 0.0]),
                     ('cap', [3.0, 0.0, 2.0])):
        raw['bodies'][name] = {'mass': 1.0, 'centre_of_gravity': [0.0, 0.0, 0.3],
                               'inertia': [0.1, 0.1, 0.1], 'pose': {'at': at}}
    for name, kind, bodies, at in (
            ('foot', 'spherical', ['ground', 'barrel'], [[3.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
            ('head', 'spherical', ['ground', 'cap'], [[3.0, 0.8, 2.0], [0.0, 0.0, 0.0]]),
            ('slide', 'prismatic', ['barrel', 'piston'], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
            ('eye', 'weld', ['piston', 'cap'], [[0.0, 0.0, 0.3], [0.0, 0.0, 0.0]])):
        raw['joints'][name] = {'kind': kind, 'bodies': bodies, 'at': at}
    raw['joints']['slide']['axis'] = [0.0, 0.0, 1.0]
    raw['joints']['eye']['turn'] = [0.0, 0.0, 1.0]
    return raw


def test_a_weld_with_which_its_loop_does_not_close_is_a_ball_joint_others_stay():
    """A swing whose seat is welded to a bar, a quarter of a radian out of its plane."""
    raw = swing(0.0)
    raw['joints']['d'] = {'kind': 'weld', 'turn': [0.25, 0.0, 0.0],
                          **{key: raw['joints']['d'][key] for key in ('bodies', 'at')}}
    repaired, notes = snapped(with_cylinder(raw), 'swing.yaml')
    kinds = {name: joint['kind'] for name, joint in repaired['joints'].items()}
    assert (kinds['d'], kinds['eye']) == ('spherical', 'weld')
    assert notes[0].startswith('joints.d: taken for spherical: with a weld its loop is 0.')
    assert notes[1].startswith('drawn pose: loops are open by ')
    assert len(notes) == 2
    machine, exact = Mechanism(repaired, 'swing.yaml'), Mechanism(swing(0.0), 'swing.yaml')
    assert machine.g == 2       # the cylinder turns about itself
    one, other = (found.q0[found.coordinates.index('phi')] for found in (machine, exact))
    assert one == pytest.approx(other, abs=1e-6)


def test_a_weld_that_no_ball_joint_closes_stays():
    raw = swing(0.0)
    raw['joints']['d'] = {'kind': 'weld', 'turn': [0.25, 0.0, 0.0], 'bodies': ['right', 'seat'],
                          'at': [[0.0, 0.0, -1.0], [9.0, 0.0, 0.0]]}
    repaired, notes = snapped(raw, 'swing.yaml')
    assert repaired['joints']['d']['kind'] == 'weld'
    assert not any('taken for spherical' in note for note in notes)
