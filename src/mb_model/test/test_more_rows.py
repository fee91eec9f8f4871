"""More constraint rows, redundant ones counted, than coordinates: swings on the same axles.

Each swing has a constraint that follows from the others, and a relation ties it to the next one;
so all move as one, and the closed form of one swing tells how.
"""

import numpy as np
import pytest

from mb_model import simulate
from mb_model.mechanism import Mechanism

HINGES = {'a': (['ground', 'left<i>'], [0, 0, 0], [0, 0, 0]),
          'b': (['ground', 'right<i>'], [0.6, 0, 0], [0, 0, 0]),
          'c': (['left<i>', 'seat<i>'], [0, 0, -1], [0, 0, 0]),
          'd': (['right<i>', 'seat<i>'], [0, 0, -1], [0.6, 0, 0])}
BAR = {'mass': 1.0, 'centre_of_gravity': [0, 0, -0.5], 'inertia': [0.1, 0.1, 0.01]}
TIES = {'count': 'swings - 1', 'constraints': {
    'tie<i>': {'kind': 'linear', 'terms': {'phi<i>': 1.0, 'phi<i+1>': -1.0}}}}
FREQUENCY = 29.43 / 2.7       # of one swing, squared, at small angles: both have this closed form


def in_space(swings):
    """Return the raw file of so many swings in space."""
    return {
        'name': 'swings', 'dimension': 3, 'parameters': {'swings': swings}, 'repeat': {
            'swing': {'count': 'swings', 'bodies': {
                'left<i>': BAR | {'pose': {'at': [0, 0, 0]}},
                'right<i>': BAR | {'pose': {'at': [0.6, 0, 0]}},
                'seat<i>': {'mass': 2.0, 'centre_of_gravity': [0.3, 0, 0],
                            'inertia': [0.02, 0.1, 0.1], 'pose': {'at': [0, 0, -1.0]}}},
                'joints': {f'{name}<i>': {'kind': 'revolute', 'bodies': bodies, 'at': [one, other],
                                          'axis': [0, 1, 0]}
                           for name, (bodies, one, other) in HINGES.items()},
                'coordinates': {'phi<i>': {'kind': 'angle', 'joint': 'a<i>'}}},
            'ties': TIES}}


def in_plane(swings):
    """Return the same in the plane, each seat on a third bar without mass."""
    bar = {'mass': 1.0, 'length': 1.0, 'centre_of_gravity': [0.5, 0.0], 'inertia': 0.1}
    return {
        'name': 'swings', 'parameters': {'swings': swings},
        'points': {'A': {'fixed': [0, 0]}, 'B': {'fixed': [0.6, 0]}, 'M': {'fixed': [0.3, 0]}},
        'repeat': {
            'swing': {'count': 'swings', 'points': {
                'C<i>': {'start': [0, -1]}, 'D<i>': {'start': [0.6, -1]},
                'N<i>': {'start': [0.3, -1]}}, 'bodies': {
                'left<i>': bar | {'points': ['A', 'C<i>']},
                'right<i>': bar | {'points': ['B', 'D<i>']},
                'middle<i>': bar | {'points': ['M', 'N<i>'], 'mass': 0.0, 'inertia': 0.0},
                'seat<i>': {'points': {'C<i>': [0, 0], 'D<i>': [0.6, 0], 'N<i>': [0.3, 0]},
                            'mass': 2.0, 'centre_of_gravity': [0.3, 0], 'inertia': 0.1}},
                'coordinates': {'phi<i>': {'kind': 'angle', 'body': 'left<i>'}}},
            'ties': TIES}}


@pytest.mark.parametrize(('make', 'swings', 'storage'), [
    (in_space, 5, 'dense'), (in_space, 5, 'sparse'), (in_space, 14, 'sparse'),
    (in_space, 20, None), (in_plane, 3, 'dense'), (in_plane, 12, 'dense'),
    (in_plane, 12, 'sparse'), (in_plane, 40, None)])
def test_they_move_as_one(make, swings, storage):
    mechanism = Mechanism(make(swings), 'swings.yaml', storage)
    assert mechanism.g == 1
    assert len(mechanism.redundant) == swings
    rows, coordinates = mechanism.m + swings, int(mechanism.model['n_total'][0])
    assert (rows > coordinates) == (swings >= 12)
    z = mechanism.z0 + 0.3
    q = mechanism.assemble(z)
    assert mechanism.closing_error(q) < 1e-9
    assert mechanism.forward_dynamics(z, [0.0]) == pytest.approx(-FREQUENCY * np.sin(0.3), rel=1e-9)
    mechanism.require_closed(q)
    equations, jacobian = mechanism.all_constraints(q)
    assert jacobian.shape == (rows, mechanism.n)
    assert sum(equation.rows for equation in equations) == rows
    assert np.linalg.matrix_rank(jacobian) == mechanism.n - 1


def test_they_swing():
    mechanism = Mechanism(in_space(14), 'swings.yaml', 'sparse').replace(start={'phi0': 1e-3})
    run = simulate(mechanism, 0.2, 1e-3)
    np.testing.assert_allclose(run.z[:, 0], 1e-3 * np.cos(np.sqrt(FREQUENCY) * run.t), atol=1e-8)
    found = mechanism.reactions(mechanism.z0, [0.0])
    held = sum(found.joints[f'{name}{k}'].axes @ found.joints[f'{name}{k}'].force
               for k in range(14) for name in 'ab')
    assert held[2] == pytest.approx(14 * 4 * 9.81, rel=1e-4)
    assert not found.joints['a0'].determined
