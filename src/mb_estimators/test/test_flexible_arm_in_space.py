"""A filter around an arm in space that bends in two planes and twists; gravity is 10 % wrong."""

import numpy as np
import pytest

from mb_estimators import Experiment, StartWarning, make_filter
from mb_model import simulate
from mb_model.mechanism import Mechanism

DT, END = 0.002, 3.0
# A tube of aluminium on a motor with a spring; a hand swings on a hinge at its end.
ARM = {
    'name': 'flexible_arm', 'dimension': 3, 'gravity': [0.0, 0.0, -9.81],
    'ground': {'A': [0.0, 0.0, 0.0]},
    'bodies': {
        'arm': {'points': {'A': [0, 0, 0], 'B': [1, 0, 0]}, 'mass': 0.6,
                'flexible': {'bending_stiffness': {'about_y': 60.0, 'about_z': 90.0},
                             'axial_inertia': 1e-3, 'damping_ratio': 0.02,
                             'torsion': {'stiffness': 10.0, 'shapes': 'loaded'}}},
        'hand': {'points': {'B': [0, 0, 0]}, 'mass': 0.5, 'centre_of_gravity': [0.0, 0.02, -0.1],
                 'inertia': [0.002, 0.002, 0.001]}},
    'joints': {'motor': {'kind': 'revolute', 'bodies': ['ground', 'arm.A'], 'at': 'A',
                         'axis': [0, 0, 1]},
               'wrist': {'kind': 'revolute', 'bodies': ['arm.B', 'hand'], 'at': 'B',
                         'axis': [0, 1, 0]}},
    'coordinates': {'turn': {'kind': 'angle', 'joint': 'motor'},
                    'tilt': {'kind': 'angle', 'joint': 'wrist'}},
    'forces': {'hold': {'kind': 'spring_damper', 'coordinate': 'turn', 'stiffness': 20.0,
                        'damping': 0.5},
               'friction': {'kind': 'spring_damper', 'coordinate': 'tilt', 'stiffness': 0.0,
                            'damping': 0.01}},
    'independent': ['turn', 'tilt'], 'start': {'turn': 0.5, 'tilt': 0.4},
    'sensors': {
        'motor_encoder': {'kind': 'angle_encoder', 'coordinate': 'turn', 'sigma': 1e-3,
                          'rate': 500.0},
        'wrist_encoder': {'kind': 'angle_encoder', 'coordinate': 'tilt', 'sigma': 1e-3,
                          'rate': 500.0},
        'upper_gauge': {'kind': 'strain_gauge', 'body': 'arm', 'at': [0.1, 0.0, 0.015],
                        'sigma': 1e-6, 'rate': 500.0},
        'side_gauge': {'kind': 'strain_gauge', 'body': 'arm', 'at': [0.1, 0.015, 0.0],
                       'sigma': 1e-6, 'rate': 500.0},
        'end_gyro': {'kind': 'gyroscope', 'body': 'arm.B', 'sigma': 5e-3,
                     'rate': 500.0}}}
ENCODERS, GAUGES = ('motor_encoder', 'wrist_encoder'), ('upper_gauge', 'side_gauge', 'end_gyro')


@pytest.fixture(scope='module')
def truth():
    return simulate(Mechanism(ARM, 'arm.yaml'), END, DT, 'matrix_r', 'rk4')


def observed(truth, sensors, name='error_ekf'):
    """Return errors of z and zd, their covariances, and the true z, of the second half."""
    machine = truth.mechanism
    trial = Experiment(machine, sensors, {'gravity': [0.0, 0.0, -8.81]}, END, DT, truth)
    result = trial.run(name, 1)
    half, g = len(result.t) // 2, machine.g
    wrong = np.hstack([getattr(result.observer, name) - getattr(result.truth, name)
                       for name in ('z', 'zd')])[half:]
    return wrong, result.covariance[half:, :2 * g, :2 * g], truth.z[half:]


@pytest.mark.filterwarnings('ignore:.*steps of 0.002 s are too long')
@pytest.mark.parametrize('name', ['error_ekf', 'dekf_exponential', pytest.param(
    'adekf', marks=pytest.mark.whole)])
def test_modes_are_states_whose_intervals_hold(truth, name):
    """Also by exponential integration (Pyrhonen et al. 2023a, Sec. 6); adekf has forces, too."""
    wrong, covariance, truth = observed(truth, ENCODERS + GAUGES, name)
    deviations = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    inside = (np.abs(wrong) < 1.96 * deviations).mean(axis=0)
    assert (inside > 0.9).all(), inside
    nees = np.einsum('ki,kij,kj->k', wrong, np.linalg.inv(covariance), wrong).mean()
    assert nees < wrong.shape[1]
    bent = np.sqrt(np.mean(truth[:, 3] ** 2))
    assert bent > 5e-3
    assert np.sqrt(np.mean(wrong[:, 3] ** 2)) < 0.002 * bent


@pytest.mark.filterwarnings('ignore:.*steps of 0.002 s are too long')
def test_gauges_know_what_encoders_and_a_wrong_model_do_not(truth):
    alone, read = (np.sqrt(np.mean(observed(truth, sensors)[0][:, 3] ** 2))
                   for sensors in (ENCODERS, ENCODERS + GAUGES))
    assert read < 0.1 * alone


def test_a_filter_that_is_sure_of_a_straight_start_warns():
    """The hand twists the arm by its weight beside the axis; the arm hangs above its chord."""
    machine = Mechanism({**ARM, 'start': {'turn': 0.0, 'tilt': 0.0}}, 'arm.yaml')
    with pytest.warns(StartWarning) as caught:
        make_filter('error_ekf', machine, ENCODERS, DT, initial_variance=1e-12)
    found, = (str(one.message) for one in caught if one.category is StartWarning)
    twist = 0.5 * 9.81 * 0.02 / 10.0
    assert f'start.arm.twist1: 0 rad, expected about -{twist:.3g} rad' in found
    assert 'start.arm.mode1.z: 0 m, expected about 0.00' in found
    assert 'mode1.y' not in found               # nothing pushes across
