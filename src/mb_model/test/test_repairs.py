"""Rounded numbers of CAD: axes nearly parallel, pins nearly in one plane; named, and repaired."""

from math import cos, sin

import numpy as np
import pytest
from test_assembly_messages import swing

from mb_model.file_api import snapped
from mb_model.mechanism import Mechanism
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


def test_what_is_exact_is_left_as_it_is():
    raw = swing(0.0)
    assert snapped(raw, 'swing.yaml') == (raw, [])
    plane = {'name': 'rod', 'points': {'A': {'fixed': [0, 0]}, 'P': {'start': [1.0, 0.0]}},
             'bodies': {'rod': {'points': ['A', 'P'], 'length': 1.0, 'mass': 1.0}}}
    assert snapped(plane, 'rod.yaml') == (plane, [])
