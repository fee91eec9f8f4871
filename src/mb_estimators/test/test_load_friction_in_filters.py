"""Friction by load in filters: with known torques they follow it, and its share is estimated."""

from filter_traits import ACCELERATIONS, KINEMATIC
import numpy as np
import pytest

from mb_estimators import available_filters, make_filter
from mb_estimators.observation import observe
from mb_estimators.timeline import HeldInputs
from mb_model import make_stepper
from mb_model.mechanism import Mechanism

STEP, SIGMA, COUNT = 2e-3, 1e-4, 1000
RUB = {'kind': 'load_friction', 'coordinate': 'q', 'coulomb': 0.5, 'viscous': 0.05,
       'load_share': 0.2, 'transition_velocity': 0.3}
LEVER = {
    'name': 'lever', 'points': {'S': {'fixed': [0, 0]}, 'H': {'start': [0.0, -0.5]}},
    'bodies': {'lever': {'points': {'S': [0, 0], 'H': [0.5, 0]}, 'mass': 2.0,
                         'centre_of_gravity': [0.4, 0], 'inertia': 0.03}},
    'coordinates': {'q': {'kind': 'angle', 'body': 'lever'}}, 'forces': {'rub': RUB},
    'independent': ['q'], 'drives': ['q'], 'start': {'q': '-pi / 2'},
    'sensors': {'encoder': {'kind': 'angle_encoder', 'body': 'lever', 'sigma': SIGMA,
                            'rate': 500.0}}}
SHARE = 'forces.rub.load_share'
KNOWN = {'parameters': (SHARE,), 'parameter_deviations': (1e-9,), 'parameter_walks': (0.0,)}
TUNING = {'augmented_ekf': KNOWN, 'dual_ukf_error_ekf_fe': KNOWN,
          'adekf': {'force_deviations': (1e-9,), 'force_walks': (0.0,)}}


def lever(**changes):
    """Return the lever with changes of its friction."""
    return Mechanism(LEVER | {'forces': {'rub': RUB | changes}}, 'lever.yaml')


@pytest.fixture(scope='module')
def motion():
    """Return stamps, HeldInputs, readings and true z, zd (k) of a lever under torques."""
    rng, stepper, torques, states = np.random.default_rng(5), make_stepper(lever()), [], []
    for k in range(COUNT):
        states.append(np.r_[stepper.z, stepper.zd])
        torques.append([4.0 * np.sin(1.7 * STEP * k) + 2.5 * np.sin(4.1 * STEP * k + 1.0)])
        for _ in range(4):
            stepper.step(STEP / 4.0, torques[-1])
    stamps = np.round(1e9 * (1.0 + STEP * np.arange(COUNT))).astype(np.int64)
    states = np.array(states)
    readings = states[:, :1] + SIGMA * rng.standard_normal((COUNT, 1))
    return stamps, HeldInputs(stamps.tolist(), torques), readings, states


def observed(name, mechanism, motion, **settings):
    """Return the Observation of a filter by name."""
    stamps, inputs, readings, _ = motion
    filter_ = make_filter(name, mechanism, ['encoder'], STEP,
                          **TUNING.get(name, {}) | settings)
    return observe(filter_, stamps, readings, STEP, inputs)


@pytest.mark.parametrize('name', sorted(set(available_filters(lever())) - {*KINEMATIC}))
def test_filters_follow_a_drive_with_it(name, motion):
    """As well as without friction by load; without the share in the model they are worse."""
    found = observed(name, lever(), motion)
    late = slice(COUNT // 4, None)
    error = np.abs(found.zd[late, 0] - motion[3][late, 1])
    assert np.sqrt(np.mean(error ** 2)) < (0.5 if name in ACCELERATIONS else 0.03)
    wrong = observed(name, lever(load_share=0.0), motion)
    worse = np.abs(wrong.zd[late, 0] - motion[3][late, 1])
    share = 1.01 if name in ACCELERATIONS else 1.0
    assert np.sqrt(np.mean(error ** 2)) < share * np.sqrt(np.mean(worse ** 2))


def test_the_force_that_is_estimated_is_what_the_model_does_not_know(motion):
    found = make_filter('error_ekf_fe', lever(), ['encoder'], STEP)
    _, inputs, readings, _ = motion
    forces = []
    for k in range(1, COUNT):
        found.predict(STEP, inputs.values[k - 1])
        found.correct(readings[k])
        forces.append(found.estimate.forces[0])
    assert np.abs(np.mean(forces[COUNT // 4:])) < 0.1
    assert np.std(forces[COUNT // 4:]) < 0.3


def test_its_share_is_estimated_within_its_deviation(motion):
    found = observed('augmented_ekf', lever(load_share=0.1), motion, parameters=(SHARE,),
                     parameter_deviations=(0.1,), parameter_walks=(0.0,), acceleration_psd=1e-3)
    share, deviation = found.parameters[SHARE][-1], found.parameter_deviations[SHARE][-1]
    assert abs(share - 0.2) < 3.0 * deviation
    assert deviation < 0.02
