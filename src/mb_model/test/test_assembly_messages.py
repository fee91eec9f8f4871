"""Messages about machines that cannot be assembled or moved name what is at fault."""

from copy import deepcopy
import re

import pytest

from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.description import AssemblyError, MechanismError

BAR = {'mass': 1.0, 'centre_of_gravity': [0.0, 0.0, -0.5], 'inertia': [0.1, 0.1, 0.01]}
PLACES = {'a': ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]), 'b': ([0.6, 0.0, 0.0], [0.0, 0.0, 0.0]),
          'c': ([0.0, 0.0, -1.0], [0.0, 0.0, 0.0]), 'd': ([0.0, 0.0, -1.0], [0.6, 0.0, 0.0])}
BODIES = {'a': ['ground', 'left'], 'b': ['ground', 'right'], 'c': ['left', 'seat'],
          'd': ['right', 'seat']}


def swing(beside, **more):
    """Return the raw file of a swing, its right bar so far in front of the left one."""
    raw = {'name': 'swing', 'dimension': 3,
           'bodies': {'left': BAR | {'pose': {}},
                      'right': BAR | {'pose': {'at': [0.6, -beside, 0.0]}},
                      'seat': {'mass': 2.0, 'centre_of_gravity': [0.3, 0.0, 0.0],
                               'inertia': [0.02, 0.1, 0.1], 'pose': {'at': [0.0, 0.0, -1.0]}}},
           'joints': {name: {'kind': 'revolute', 'bodies': BODIES[name], 'axis': [0.0, 1.0, 0.0],
                             'at': list(deepcopy(places))} for name, places in PLACES.items()},
           'coordinates': {'phi': {'kind': 'angle', 'joint': 'a'}}}
    raw['joints']['b']['at'][0][1] = -beside
    return raw | more


@pytest.mark.parametrize('more', [{}, {'independent': ['phi']}])
@pytest.mark.parametrize('beside', [0.03, -0.002])
def test_pins_side_by_side_are_named_with_joint_and_axis(beside, more):
    with pytest.raises(AssemblyError, match=re.escape(
            f'joints.d, axis [0, 1, 0] of right: the points are {abs(beside):g} m apart along the '
            'axis, expected points that meet there, or kind: cylindrical')) as caught:
        Mechanism(swing(beside, **more), 'swing.yaml')
    assert 'bodies.' not in str(caught.value)
    raw = swing(beside, **more)
    raw['joints']['d']['kind'] = 'cylindrical'
    assert Mechanism(raw, 'swing.yaml').g == 1


def test_bars_that_are_too_short_are_no_pins_side_by_side():
    raw = swing(0.0, independent=['phi'])
    raw['joints']['d']['at'][1] = [0.6, 0.0, 5.0]
    with pytest.raises(AssemblyError, match='at its nearest to closing') as caught:
        Mechanism(raw, 'swing.yaml')
    assert 'apart along' not in str(caught.value)


@pytest.mark.parametrize(('more', 'named'), [({}, 'phi (chosen, the file names none)'),
                                             ({'independent': ['phi']}, 'phi')])
def test_a_change_point_is_named_with_its_bars(more, named):
    """A folded parallelogram, 3 um from its change point, the coupler a nanometre too long."""
    raw = {
        'name': 'flat',
        'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'fixed': [2.0, 0.0]},
                   'P': {'start': [1.0, 3e-6]}, 'Q': {'start': [3.0, 3e-6]}},
        'bodies': {'crank': {'points': ['A', 'P'], 'length': 1.0, 'mass': 1.0},
                   'coupler': {'points': ['P', 'Q'], 'length': 2.000000001, 'mass': 1.0},
                   'rocker': {'points': ['B', 'Q'], 'length': 1.0, 'mass': 1.0}},
        'coordinates': {'phi': {'kind': 'angle', 'body': 'crank'},
                        'psi': {'kind': 'angle', 'body': 'rocker'}}} | more
    with pytest.raises(MechanismError) as caught:
        Mechanism(raw, 'flat.yaml')
    message = str(caught.value)
    assert f'independent: {named} cannot decide the motion in the start position' in message
    assert 'it is a change point; there, bodies.crank between A and P or bodies.coupler' in message


ROD = {
    'name': 'rod', 'dimension': 3,
    'bodies': {
        'crank': {'mass': 1.0, 'centre_of_gravity': [0.1, 0.0, 0.0], 'inertia': [1e-3, 1e-2, 1e-2],
                  'pose': {}},
        'rod': {'mass': 0.3, 'centre_of_gravity': [0.25, 0.0, 0.0], 'inertia': [2e-4, 6e-3, 6.1e-3],
                'pose': {'at': [0.2, 0.0, 0.0]}},
        'lever': {'mass': 1.0, 'centre_of_gravity': [0.0, 0.0, -0.2], 'inertia': [0.02, 0.02, 1e-3],
                  'pose': {'at': [0.7, 0.0, 0.3]}}},
    'joints': {
        'a': {'kind': 'revolute', 'bodies': ['ground', 'crank'],
              'at': [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 'axis': [0, 0, 1]},
        'b': {'kind': 'spherical', 'bodies': ['crank', 'rod'],
              'at': [[0.2, 0.0, 0.0], [0.0, 0.0, 0.0]]},
        'c': {'kind': 'spherical', 'bodies': ['rod', 'lever'],
              'at': [[0.5, 0.0, 0.0], [0.0, 0.0, -0.3]]},
        'd': {'kind': 'revolute', 'bodies': ['ground', 'lever'],
              'at': [[0.7, 0.0, 0.3], [0.0, 0.0, 0.0]], 'axis': [0, 1, 0]}},
    'coordinates': {'q': {'kind': 'angle', 'joint': 'a'}, 'k': {'kind': 'angle', 'joint': 'd'}}}


def test_names_of_coordinates_that_are_chosen_can_be_named():
    chosen = Mechanism(ROD, 'rod.yaml')
    assert any('.v' in name for name in chosen.independent)
    named = Mechanism(ROD | {'independent': list(chosen.independent),
                             'start': dict(zip(chosen.independent, chosen.z0.tolist(),
                                               strict=True))}, 'rod.yaml')
    assert named.independent == chosen.independent
    assert named.q0 == pytest.approx(chosen.q0, abs=1e-9)
    for name in ('rod.v9.y', 'nothing.v3.y', 'rod.v3'):
        with pytest.raises(MechanismError, match=f'{name}.: unknown coordinate, expected one of'):
            Mechanism(ROD | {'independent': ['q', name]}, 'rod.yaml')
