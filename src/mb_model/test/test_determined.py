"""Reactions in the plane that rigid bodies leave open are marked, the others are not."""

import numpy as np
import pytest

from mb_model import load_mechanism
from mb_model.mechanism import Mechanism

# A beam on three parallel rods, one more than it needs; a pendulum hangs on its end.
BEAM = {
    'name': 'beam',
    'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'fixed': [2.0, 0.0]}, 'M': {'fixed': [1.0, 0.0]},
               'C': {'start': [0.0, -1.0]}, 'D': {'start': [2.0, -1.0]},
               'N': {'start': [1.0, -1.0]}, 'E': {'start': [2.5, -1.0]},
               'F': {'start': [2.5, -1.5]}},
    'bodies': {'left': {'points': ['A', 'C'], 'length': 1.0, 'mass': 0.5},
               'right': {'points': ['B', 'D'], 'length': 1.0, 'mass': 0.5},
               'middle': {'points': ['M', 'N'], 'length': 1.0, 'mass': 0.5},
               'beam': {'points': {'C': [0.0, 0.0], 'D': [2.0, 0.0], 'N': [1.0, 0.0],
                                   'E': [2.5, 0.0]},
                        'mass': 10.0, 'centre_of_gravity': [1.0, 0.0], 'inertia': 3.0},
               'pendulum': {'points': ['E', 'F'], 'length': 0.5, 'mass': 1.0}},
    'coordinates': {'swing': {'kind': 'angle', 'body': 'left'},
                    'hang': {'kind': 'angle', 'body': 'pendulum'}},
    'independent': ['swing', 'hang']}
# A block with three points on one line: it needs two of the sliders.
BLOCK = {
    'name': 'block',
    'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'fixed': [5.0, 0.0]}, 'P': {'start': [1.0, 0.0]},
               'Q': {'start': [2.0, 0.0]}, 'R': {'start': [1.5, 0.0]}, 'T': {'start': [2.0, 1.0]}},
    'bodies': {'block': {'points': {'P': [0.0, 0.0], 'Q': [1.0, 0.0], 'R': [0.5, 0.0]},
                         'mass': 2.0, 'centre_of_gravity': [0.4, 0.3], 'inertia': 0.1},
               'rod': {'points': ['Q', 'T'], 'length': 1.0, 'mass': 0.7}},
    'coordinates': {'s': {'kind': 'slider', 'point': 'P', 'along': ['A', 'B']},
                    'turn': {'kind': 'angle', 'body': 'rod'}},
    'constraints': {name: {'kind': 'slider', 'point': name, 'along': ['A', 'B']}
                    for name in 'PQR'},
    'independent': ['s', 'turn']}


def marked(mechanism, formulation=None):
    """Return (body, point) -> (force, whether it is determined) in a motion."""
    found = mechanism.reactions(mechanism.z0 + 0.1, np.ones(mechanism.g), formulation=formulation)
    return {(body, point): (force, found.determined[body][point])
            for body, forces in found.forces.items() for point, force in forces.items()}


@pytest.mark.parametrize('formulation', [None, 'index3_al', 'semi_recursive'])
def test_what_a_spare_rod_shares_is_marked(formulation):
    found = marked(Mechanism(BEAM, 'beam.yaml'), formulation)
    known = {('beam', 'E'), ('pendulum', 'E'), ('pendulum', 'F')}
    assert {pin for pin, (_, determined) in found.items() if determined} == known


def test_what_is_determined_is_alike_in_all_formulations_and_what_is_not_differs():
    """Independent of the null space: two formulations share redundant forces in two ways."""
    mechanism = Mechanism(BEAM, 'beam.yaml')
    first, second = marked(mechanism), marked(mechanism, 'semi_recursive')
    for pin, (force, determined) in first.items():
        assert np.allclose(force, second[pin][0], atol=1e-6) == determined


def test_sums_of_what_is_not_determined_are_right():
    """It hangs at rest: all that the ground holds is its weight."""
    mechanism = Mechanism(BEAM, 'beam.yaml')
    found = mechanism.reactions(mechanism.z0, [0.0, 0.0])
    held = sum(found.forces[body][point] for body, point in (
        ('left', 'A'), ('right', 'B'), ('middle', 'M')))
    np.testing.assert_allclose(held, [0.0, 9.81 * 12.5], atol=1e-9)


def test_sliders_are_marked_as_pins_are():
    mechanism = Mechanism(BLOCK, 'block.yaml')
    assert len(mechanism.redundant) == 1
    found = mechanism.reactions(mechanism.z0, [0.0, 0.0])
    assert found.determined['rod'] == {'Q': True, 'T': True}
    assert not any(found.determined['block'][point] for point in 'PR')


@pytest.mark.parametrize('name', ['four_bar', 'andrews_squeezer', 'inverted_slider_crank'])
def test_without_redundant_constraints_all_is_determined(name):
    mechanism = load_mechanism(name)
    found = mechanism.reactions(mechanism.z0, mechanism.zd0)
    assert all(all(points.values()) for points in found.determined.values())
    assert found.couplings_determined.keys() >= found.couplings.keys()
    assert all(found.couplings_determined.values())
