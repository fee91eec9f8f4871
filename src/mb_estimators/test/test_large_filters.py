"""Filters of a machine that is sparse by its size, against the same machine stored in full."""

import numpy as np

from mb_estimators import make_filter
from mb_model import Mechanism

BAR = {'mass': 1.0, 'centre_of_gravity': [0.0, 0.0, -0.5], 'inertia': [0.1, 0.1, 0.01]}
SWINGS = 13


def swings(storage=None):
    """Return swings on the same axles, each a parallelogram, tied to each other: one freedom."""
    repeat = {'swing': {
        'count': SWINGS,
        'bodies': {'left<i>': BAR | {'pose': {}}, 'right<i>': BAR | {'pose': {'at': [0.6, 0, 0]}},
                   'seat<i>': {'mass': 2.0, 'centre_of_gravity': [0.3, 0, 0],
                               'inertia': [0.02, 0.1, 0.1], 'pose': {'at': [0, 0, -1.0]}}},
        'joints': {f'{name}<i>': {'kind': 'revolute', 'bodies': bodies, 'at': at, 'axis': [0, 1, 0]}
                   for name, bodies, at in (
                       ('a', ['ground', 'left<i>'], [[0, 0, 0], [0, 0, 0]]),
                       ('b', ['ground', 'right<i>'], [[0.6, 0, 0], [0, 0, 0]]),
                       ('c', ['left<i>', 'seat<i>'], [[0, 0, -1], [0, 0, 0]]),
                       ('d', ['right<i>', 'seat<i>'], [[0, 0, -1], [0.6, 0, 0]]))},
        'coordinates': {'phi<i>': {'kind': 'angle', 'joint': 'a<i>'}}},
        'ties': {'count': SWINGS - 1, 'constraints': {
            'tie<i>': {'kind': 'linear', 'terms': {'phi<i>': 1.0, 'phi<i+1>': -1.0}}}}}
    return Mechanism({
        'name': 'swings', 'dimension': 3, 'gravity': [0.0, 0.0, -9.81], 'repeat': repeat,
        'start': {'phi0': 0.4}, 'independent': ['phi0'],
        'sensors': {'encoder': {'kind': 'angle_encoder', 'coordinate': 'phi0', 'sigma': 1e-3,
                                'rate': 200.0}}}, 'swings.yaml', storage)


def test_a_filter_of_a_large_machine_is_that_of_full_matrices():
    large, full = swings(), swings('dense')
    assert large.is_sparse
    assert not full.is_sparse
    estimates = []
    for mechanism in (large, full):
        made = make_filter('error_ekf', mechanism, ['encoder'], 5e-3)
        for _ in range(20):
            made.predict(5e-3)
        estimates.append(np.r_[made.estimate.z, made.estimate.zd])
    np.testing.assert_allclose(*estimates, atol=1e-9)
    # All bars swing alike and seats only translate: a pendulum of 2/3 + 2 kg m^2 for 1 + 2 kg.
    inertia, moment = 2.0 * (0.1 + 0.25) + 2.0, 9.81 * (2.0 * 0.5 + 2.0)
    z, zd = 0.4, 0.0
    for _ in range(10000):
        zd -= 1e-5 * moment * np.sin(z) / inertia
        z += 1e-5 * zd
    np.testing.assert_allclose(estimates[0], [z, zd], atol=2e-3)
