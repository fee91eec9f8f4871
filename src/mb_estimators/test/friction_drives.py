"""Recordings of machines that rub, from noisy encoders and noisy forces of drives."""

import numpy as np

from mb_estimators import DynamicsSamples, HeldTorques
from mb_model import load_mechanism, make_stepper
from mb_model.mechanism import Mechanism
from mb_sensors import motion_of_encoders, sensors_of

STEP, DURATION, SIGMA = 2e-3, 16.0, 2e-4          # s, s, rad
FORCE_SIGMA, KNOT_SPACING = 0.02, 0.02            # N m, s
ENCODERS = ['shoulder_encoder', 'elbow_encoder']
PENDULUM = {
    'shoulder_friction': {
        'kind': 'directional_friction', 'coordinate': 'shoulder', 'coulomb_forward': 0.16,
        'coulomb_backward': 0.11, 'viscous_forward': 0.01, 'viscous_backward': 0.02,
        'transition_velocity': 0.3},
    'elbow_friction': {'kind': 'friction', 'coordinate': 'elbow', 'coulomb': 0.1, 'static': 0.15,
                       'viscous': 0.005, 'transition_velocity': 0.3}}
RUB = {'kind': 'load_friction', 'coordinate': 'q', 'coulomb': 0.5, 'static': 0.5, 'viscous': 0.05,
       'load_share': 0.2, 'transition_velocity': 0.1}
LEVER = {
    'name': 'lever', 'points': {'S': {'fixed': [0, 0]}, 'H': {'start': [0.5, 0]}},
    'bodies': {'lever': {'points': {'S': [0, 0], 'H': [0.5, 0]}, 'mass': 2.0,
                         'centre_of_gravity': [0.4, 0], 'inertia': 0.03}},
    'coordinates': {'q': {'kind': 'angle', 'body': 'lever'}}, 'forces': {'rub': RUB},
    'independent': ['q'], 'drives': ['q'], 'start': {'q': 0},
    'sensors': {'encoder': {'kind': 'angle_encoder', 'body': 'lever', 'sigma': SIGMA,
                            'rate': 500.0}}}


def pendulum():
    """Return the double pendulum with friction that differs by direction in its shoulder."""
    return Mechanism({**load_mechanism('geared_double_pendulum').raw, 'forces': PENDULUM},
                     'machine.yaml')


def lever(**changes):
    """Return the lever, with changes of its friction."""
    return Mechanism(LEVER | {'forces': {'rub': RUB | changes}}, 'lever.yaml')


def recorded(mechanism, encoders, seed, drive, start=None):
    """Return DynamicsSamples under forces drive(t, random numbers (4) of 0 to 6, z, zd)."""
    rng, stepper, torques, readings = np.random.default_rng(seed), make_stepper(mechanism), [], []
    phases = rng.uniform(0.0, 6.0, 4)
    if start is not None:
        stepper.reset(start)
    for k in range(int(DURATION / STEP)):
        torque = np.asarray(drive(k * STEP, phases, stepper.z, stepper.zd))
        for _ in range(4):
            stepper.step(STEP / 4.0, torque)
        torques.append(torque + FORCE_SIGMA * rng.standard_normal(torque.size))
        readings.append(stepper.z + SIGMA * rng.standard_normal(torque.size))
    stamps = np.round(1e9 * STEP * (1 + np.arange(len(readings)))).astype(np.int64)
    # a torque holds until its stamp, as a step has it
    held = HeldTorques(stamps - int(1e9 * STEP), np.array(torques))
    motion = motion_of_encoders(mechanism, sensors_of(mechanism, encoders), stamps,
                                np.array(readings), KNOT_SPACING)
    motion = motion[held.known(motion.stamps)]
    return DynamicsSamples(motion, held.around(motion.stamps), 0.75 * KNOT_SPACING)


def swinging_pendulum(mechanism, seed):
    """Return DynamicsSamples of the pendulum under torques of two frequencies in each joint."""
    def drive(t, phases, z, zd):
        return [1.3 * np.sin(2.1 * t + phases[0]) + 0.6 * np.sin(4.7 * t + phases[1]),
                0.5 * np.sin(3.3 * t + phases[2]) + 0.3 * np.sin(7.9 * t + phases[3])]
    return recorded(mechanism, ENCODERS, seed, drive)


def swinging_lever(mechanism, seed):
    """Return DynamicsSamples of the hanging lever under torques of two frequencies."""
    def drive(t, phases, z, zd):
        return [4.0 * np.sin(1.7 * t + phases[0]) + 2.5 * np.sin(4.1 * t + phases[1])]
    return recorded(mechanism, ['encoder'], seed, drive, [-0.5 * np.pi])


def held_lever(mechanism, seed, middle, swing):
    """Return DynamicsSamples of the lever that a controller moves about an angle."""
    def drive(t, phases, z, zd):
        wanted = middle + swing * (np.sin(1.3 * t + phases[0]) + 0.4 * np.sin(2.9 * t + phases[1]))
        return 60.0 * (wanted - z) - 4.0 * zd
    return recorded(mechanism, ['encoder'], seed, drive, [middle])
