"""Files with `dimension: 3`: every mistake is named with file, key, value and expectation."""

from copy import deepcopy

import numpy as np
import pytest
from spatial_machines import STRUT, TORQUE_FREE, on_joint

from mb_model import AssemblyError, MechanismError, apply_model_errors
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.overrides import merged

BASE = on_joint('revolute')
LINE = {'slender': True, 'points': {'here': [0.0, 0.0, 0.0], 'end': [0.0, 0.0, 1.0]},
        'centre_of_gravity': [0.0, 0.0, 0.5], 'inertia': [0.1, 0.1, 0.0]}

MISTAKES = [
    ({'dimension': 4}, 'dimension: 4 must be 2'),
    ({'gravity': [0.0, -9.81]}, 'gravity: [0.0, -9.81] must be three numbers [x, y, z]'),
    ({'points': {'A': {'fixed': [0, 0]}}}, 'points: unknown key'),
    ({'bodies': {'ground': {'mass': 1.0}}}, 'is the name of what does not move'),
    ({'bodies': {'body': {'mass': -1.0}}}, 'bodies.body.mass: -1.0 must be >= 0'),
    ({'bodies': {'body': {'inertia': [1.0, 1.0]}}}, 'must be three numbers'),
    ({'bodies': {'body': {'inertia': [1.0, 1.0, 1.0, 0.0]}}}, '4 numbers must be three'),
    ({'bodies': {'body': {'inertia': [1.0, 1.0, 2.5]}}}, 'each is at most the sum of the others'),
    ({'bodies': {'body': {'inertia': [1.0, 1.0, 1.0, 2.0, 0.0, 0.0]}}}, 'must not be negative'),
    ({'bodies': {'body': {'inertia': None}}}, 'bodies.body.inertia: missing: there are no shapes'),
    ({'bodies': {'body': {'centre_of_gravity': None}}}, 'centre_of_gravity: missing'),
    ({'bodies': {'body': {'shapes': [{'kind': 'cone'}]}}}, "'cone': unknown kind of shape"),
    ({'bodies': {'body': {'shapes': [{'kind': 'box', 'size': [1.0, 0.0, 1.0]}]}}},
     'shapes[0].size: [1.0, 0.0, 1.0] must be three numbers > 0'),
    ({'bodies': {'body': {'shapes': [{'kind': 'tube', 'from': 'here', 'to': [0, 0, 1],
                                      'radius': 0.1, 'inner_radius': 0.2}]}}},
     'inner_radius: 0.2 must be < 0.1'),
    ({'bodies': {'body': {'shapes': [{'kind': 'rod', 'from': 'here', 'to': 'here'}]}}},
     'is the same point as from'),
    ({'bodies': {'body': {'pose': {'turn': [0, 0, 0], 'rpy': [0, 0, 0]}}}},
     'must have one of turn and rpy'),
    ({'bodies': {'body': {'slender': True, 'points': {'tip': [0.5, 0.5, 0.0]}}}},
     'must be in one line'),
    ({'bodies': {'body': LINE | {'inertia': [0.1, 0.15, 0.1]}}}, 'the same moment about all axes'),
    ({'bodies': {'body': LINE}}, 'body is slender: it has no directions across its line'),
    ({'bodies': {'free': {'mass': 1.0, 'centre_of_gravity': [0, 0, 0], 'inertia': [1, 1, 1]}}},
     'has neither a joint nor a pose'),
    ({'joints': {'tested': {'kind': 'hinge'}}}, "'hinge': unknown kind of joint"),
    ({'joints': {'tested': {'bodies': ['base', 'bodi']}}}, "'bodi': unknown body"),
    ({'joints': {'tested': {'at': 'here'}}}, "'here': unknown point of base"),
    ({'joints': {'tested': {'axis': [0.0, 0.0, 0.0]}}}, 'is no direction'),
    ({'joints': {'tested': {'axis': None}}}, 'must have one of axis and axes'),
    ({'joints': {'tested': {'references': [[0.3, 1.0, -0.2], [1, 0, 0]]}}}, 'is along the axis'),
    ({'joints': {'tested': {'pitch': 1.0}}}, 'pitch: unknown key'),
    ({'coordinates': {'a': {'kind': 'slider'}}}, 'is revolute, which has no slider'),
    ({'coordinates': {'a': {'joint': 'hinge'}}}, "'hinge': unknown joint"),
    ({'coordinates': {'a': {'of': 'second'}}}, 'is for universal joints'),
    ({'coordinates': {'at': {'kind': 'position', 'body': 'ground'}}}, 'unknown moving body'),
    ({'coordinates': {'at': {'kind': 'position', 'body': 'body', 'at': 'tip'}}},
     "'tip': unknown point of body"),
    ({'forces': {'push': {'kind': 'wrench', 'body': 'body'}}}, 'must have a force'),
    ({'forces': {'coil': {'kind': 'spring_damper', 'stiffness': 1.0}}},
     'must have one of coordinate and bodies'),
    ({'forces': {'coil': {'kind': 'spring_damper', 'stiffness': 1.0, 'bodies': ['base', 'body']}}},
     'forces.coil.at: missing'),
    ({'constraints': {'gear': {'kind': 'linear', 'terms': {}}}},
     '0 coordinates, expected 1 to 3'),
    ({'constraints': {'gear': {'kind': 'linear', 'terms': {'theta': 1.0, 'b': 1.0}}}},
     "'b': unknown coordinate"),
    ({'constraints': {'weld': {'kind': 'welded_angle', 'bodies': ['base', 'body'], 'angle': 0}}},
     "'welded_angle': unknown kind of constraint"),
    ({'independent': ['theta', 'b']}, "'b': unknown coordinate"),
    ({'description': 3}, 'description: 3 must be a text'),
    ({'bodies': {'body': {'variable_places': 'yes'}}},
     "bodies.body.variable_places: 'yes' must be true or false"),
    ({'repeat': {'more': {'count': 2, 'index': 3}}}, 'repeat.more.index: 3 must be a name'),
    ({'repeat': {'more': {'count': 2, 'index': 'pi', 'bodies': {'b<pi>': {'mass': 1.0}}}}},
     'repeat.more.index: pi is the name of a parameter already'),
]


@pytest.mark.parametrize(('change', 'text'), MISTAKES, ids=[text for _, text in MISTAKES])
def test_mistakes_are_named(change, text):
    with pytest.raises(MechanismError) as error:
        Mechanism(merged(deepcopy(BASE), change), 'space.yaml')
    assert str(error.value).startswith('space.yaml: ')
    assert text in '\n'.join(error.value.mistakes)


def test_places_that_do_not_meet_cannot_be_assembled():
    raw = merged(deepcopy(STRUT), {'bodies': {'link': {'pose': None}}, 'joints': {'stay': {
        'kind': 'distance', 'bodies': ['ground', 'link'], 'at': [[9.0, 0.0, 0.0], 'D'],
        'length': 1.0}}})
    with pytest.raises(MechanismError, match=r'space.yaml: cannot be assembled.*joints.stay'):
        Mechanism(raw, 'space.yaml')


def test_a_gap_is_judged_by_the_size_of_the_machine():
    """Two bars of 10 mm miss each other by a hundred thousandth of that, in line: no joint holds.

    The first coordinate is part of a unit vector, whose size is 1 and says nothing of the machine.
    """
    raw = {'name': 'tiny', 'dimension': 3,
           'bodies': {'link': {'mass': 1e-3, 'centre_of_gravity': [0, 0, 0],
                               'inertia': [1e-8, 1e-8, 1e-8], 'points': {'D': [0.01, 0, 0]}}},
           'joints': {'hinge': {'kind': 'revolute', 'bodies': ['ground', 'link'],
                                'at': [[0, 0, 0], [0, 0, 0]], 'axis': [0, 0, 1]},
                      'stay': {'kind': 'distance', 'bodies': ['ground', 'link'],
                               'at': [[0.02 + 1e-7, 0, 0], 'D'], 'length': 0.01}}}
    with pytest.raises(AssemblyError, match=r'nearest to closing, joints\.stay .* is 1e-07 m off'):
        Mechanism(raw, 'tiny.yaml')


def test_joints_repeat():
    """A chain of as many links as a file says."""
    raw = {'name': 'chain', 'dimension': 3, 'parameters': {'links': 3},
           'repeat': {'links': {
               'count': 'links',
               'bodies': {'link<i+1>': {'mass': 1.0, 'points': {'A': [0, 0, 0], 'B': [0, 0, -0.3]},
                                        'shapes': [{'kind': 'cylinder', 'from': 'A', 'to': 'B',
                                                    'radius': 0.02}]}},
               'joints': {'hinge<i+1>': {'kind': 'revolute', 'bodies': ['link<i>', 'link<i+1>'],
                                         'at': ['B', 'A'], 'axis': ['i - 1', '2 - i', 0]}},
               'coordinates': {'turn<i+1>': {'kind': 'angle', 'joint': 'hinge<i+1>'}}}},
           'joints': {'hinge1': {'bodies': ['ground', 'link1'], 'at': [[0, 0, 0], 'A']}}}
    assert Mechanism(raw, 'chain.yaml').g == 3


ASKED = {
    'two points': lambda one: one.body_indices('link'),
    'coordinates of the point': lambda one: one.point_index('A'),
    'the angle of': lambda one: one.angle_index('link')}


@pytest.fixture(scope='module')
def strut():
    return Mechanism(STRUT, 'strut.yaml')


@pytest.mark.parametrize('what', ASKED)
def test_what_is_of_the_plane_is_refused_in_space(strut, what):
    with pytest.raises(MechanismError, match=rf'strut\.yaml: .*{what}.*only for mechanisms in the '
                                             r'plane, not with dimension: 3'):
        ASKED[what](strut)


def test_errors_of_models_are_those_of_space(strut):
    wrong = apply_model_errors(strut, {'gravity': -1.0, 'z0': 0.1})
    np.testing.assert_allclose(wrong.gravity, [0.0, 0.0, -8.81])
    np.testing.assert_allclose(wrong.z0, strut.z0 + 0.1)
    with pytest.raises(MechanismError, match='gravity without direction'):
        apply_model_errors(Mechanism(TORQUE_FREE, 'free.yaml'), {'gravity': -1.0})


def test_the_operational_space_is_that_of_the_reduced_mass(strut):
    """Mass times acceleration, and what moves without it, are the forces of inverse dynamics."""
    z, zd, zdd = strut.z0, np.array([0.7]), np.array([1.3])
    space = strut.operational_space(z, zd)
    force = strut.inverse_dynamics(z, zd, zdd)
    still = strut.inverse_dynamics(z, zd, 0.0 * zdd)
    np.testing.assert_allclose(space.mass @ zdd, force - still, rtol=1e-9)
