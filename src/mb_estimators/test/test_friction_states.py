"""Friction as states and parameters of a filter: bristles, both directions, a slow change."""

import numpy as np

from mb_estimators import make_filter
from mb_model import make_stepper
from mb_model.mechanism import Mechanism
from mb_sensors import sensors_of

STEP, SIGMA = 2e-3, 1e-4            # s, rad
ARM = {
    'name': 'arm', 'gravity': [0.0, -9.81],
    'points': {'O': {'fixed': [0.0, 0.0]}, 'A': {'start': [0.0, -0.3]}},
    'bodies': {'arm': {'points': ['O', 'A'], 'length': 0.3, 'mass': 1.0}},
    'coordinates': {'turn': {'kind': 'angle', 'body': 'arm'}}, 'independent': ['turn'],
    'sensors': {'encoder': {'kind': 'angle_encoder', 'body': 'arm', 'sigma': SIGMA,
                            'rate': 1.0 / STEP}},
}
LUGRE = {'kind': 'lugre', 'coordinate': 'turn', 'stiffness': 40.0, 'damping': 0.3, 'coulomb': 0.4,
         'viscous': 0.01}
WAYS = {'kind': 'directional_friction', 'coordinate': 'turn', 'coulomb_forward': 0.4,
        'coulomb_backward': 0.4, 'transition_velocity': 0.05}


def arm(rub):
    return Mechanism(ARM | {'forces': {'rub': rub}}, 'arm.yaml')


def recorded(rub, duration, friction=lambda t: {}):
    """Return torques, readings and motions (k) of an arm; friction(t): numbers that change."""
    rng, stepper = np.random.default_rng(3), make_stepper(arm(rub))
    mechanism, numbers, torques, readings, motions = stepper.mechanism, {}, [], [], []
    for k in range(int(duration / STEP)):
        t = k * STEP
        if friction(t) != numbers:
            numbers = friction(t)
            z, zd = stepper.z.copy(), stepper.zd.copy()
            stepper = make_stepper(arm(rub | numbers))
            stepper.reset(z, zd)
        torques.append(0.9 * np.sin(3.0 * t) + 0.5 * np.sin(7.3 * t))
        stepper.step(STEP, [torques[-1], *np.zeros(mechanism.g - 1)])
        readings.append(stepper.z[0] + SIGMA * rng.standard_normal())
        motions.append(np.r_[stepper.z, stepper.zd])
    return torques, readings, np.array(motions)


def observed(rub, torques, readings, psds, **settings):
    """Return the Estimates of an augmented_ekf."""
    mechanism = arm(rub)
    observer = make_filter('augmented_ekf', mechanism, sensors_of(mechanism, ['encoder']), STEP,
                           coordinate_psds=psds, gate=0.0, **settings)
    estimates = []
    for torque, reading in zip(torques, readings, strict=True):
        observer.predict(STEP, [torque, *np.zeros(mechanism.g - 1)])
        observer.correct([reading])
        estimates.append(observer.estimate)
    return estimates


def test_bristles_and_their_friction_are_estimated_with_their_deviations():
    torques, readings, motions = recorded(LUGRE, 6.0)
    estimates = observed(
        LUGRE | {'coulomb': 0.3}, torques, readings, (1e-5, 1e-9),
        parameters=('forces.rub.coulomb',), parameter_deviations=(0.3,), parameter_walks=(1e-3,))
    settled = slice(1000, None)
    found = np.array([e.zd[1] for e in estimates])[settled]
    deviation = np.sqrt([e.covariance[3, 3] for e in estimates])[settled]
    error = found - motions[settled, 3]
    assert np.std(motions[settled, 3]) > 5e-3
    assert np.sqrt(np.mean(error ** 2)) < 3e-4
    assert np.mean(abs(error) < 1.96 * deviation) > 0.85
    last = estimates[-1]
    spread = np.sqrt(last.parameter_covariance[0, 0])
    assert abs(last.parameters['forces.rub.coulomb'] - 0.4) < min(3.0 * spread, 0.02)


def test_friction_of_each_direction_is_followed_while_one_changes():
    def warming(t):
        return {'coulomb_forward': 0.4 - 0.15 * np.floor(t) / 12.0}

    torques, readings, _ = recorded(WAYS, 12.0, warming)
    names = ('forces.rub.coulomb_forward', 'forces.rub.coulomb_backward')
    estimates = observed(WAYS, torques, readings, (1e-4,), parameters=names,
                         parameter_deviations=(0.2,), parameter_walks=(0.1,))
    for name, expected in zip(names, (0.2625, 0.4), strict=True):
        k = names.index(name)
        spread = np.sqrt(estimates[-1].parameter_covariance[k, k])
        assert spread < 0.05
        assert abs(estimates[-1].parameters[name] - expected) < 3.0 * spread
