"""Gains and offsets of measured forces as parameters of augmented_ekf and chaos_ekf."""

import numpy as np
import pytest

from mb_estimators import FilterError, make_filter
from mb_model import load_mechanism, make_stepper
from mb_sensors import sensors_of

STEP, SIGMA, GAIN, OFFSET = 2e-3, 1e-4, 0.9, 0.05
DRIVES = ('shoulder', 'elbow')
NAMES = tuple(f'known_forces.{drive}.{what}' for drive in DRIVES for what in ('gain', 'offset'))
MACHINE = load_mechanism('geared_double_pendulum')
SETTINGS = {'parameters': NAMES, 'parameter_deviations': (0.2, 0.1, 0.2, 0.1),
            'parameter_walks': (1e-4,), 'acceleration_psd': 1e-4, 'gate': 0.0}


def observer(name='augmented_ekf', **settings):
    sensors = sensors_of(MACHINE, ['shoulder_encoder', 'elbow_encoder'])
    return make_filter(name, MACHINE, sensors, STEP, **(SETTINGS | settings))


@pytest.mark.parametrize(('name', 'seed'), [
    *(('augmented_ekf', seed) for seed in range(3)), ('chaos_ekf', 0)])
def test_gains_and_offsets_of_measured_torques_are_found(name, seed):
    """The motors do 0.9 of what they report, and 0.05 N m more of it."""
    rng, stepper, ekf = np.random.default_rng(seed), make_stepper(MACHINE), observer(name)
    ekf.reset(MACHINE.z0, MACHINE.zd0, np.diag([1e-6, 1e-6, 1e-6, 1e-6]))
    for k in range(3000):
        reported = np.array([1.2 * np.sin(4.0 * k * STEP) + 0.4, 0.6 * np.sin(9.0 * k * STEP)])
        stepper.step(STEP, GAIN * reported + OFFSET)
        ekf.predict(STEP, reported)
        ekf.correct(stepper.z + SIGMA * rng.standard_normal(2))
    now = ekf.estimate
    deviations = dict(zip(NAMES, np.sqrt(now.parameter_covariance.diagonal()), strict=True))
    for name in NAMES:
        error = now.parameters[name] - (GAIN if name.endswith('gain') else OFFSET)
        assert abs(error) < 3.5 * deviations[name]
        assert deviations[name] < 0.02


def test_derivatives_by_gains_and_offsets_are_those_of_differences():
    """The step of z, zd after one of h, by the parameters, against filters that begin elsewhere."""
    ekf, known = observer(), np.array([0.7, -0.3])
    z, zd, places = np.array([0.4, 0.7]), np.array([1.0, -2.0]), ekf.layout['parameter']
    ekf.reset(z, zd)
    ekf.predict(STEP, known)
    before = np.zeros((ekf.layout.size, ekf.layout.size))
    before[places, places] = np.diag(np.square(SETTINGS['parameter_deviations']))
    exact = ekf.state_covariance[:4, places] / before[places, places].diagonal()
    for k, (drive, what) in enumerate((d, w) for d in range(2) for w in ('gain', 'offset')):
        moved = []
        for sign in (1.0, -1.0):
            stepper, acting = make_stepper(MACHINE), known.copy()
            acting[drive] += sign * 1e-4 * (known[drive] if what == 'gain' else 1.0)
            stepper.reset(z, zd)
            stepper.step(STEP, acting)
            moved.append(np.r_[stepper.z, stepper.zd])
        expected = (moved[0] - moved[1]) / 2e-4
        np.testing.assert_allclose(exact[:, k], expected, rtol=0.03, atol=1e-3 * STEP)


def test_a_gain_of_nothing_is_refused():
    with pytest.raises(FilterError, match=r'known_forces.knee.gain: expected known_forces.<coord'):
        observer(parameters=('known_forces.knee.gain',), parameter_deviations=(0.1,))
