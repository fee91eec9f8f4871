"""Motions that excite the dynamics of a robot and an arm, and the forces their drives need."""

import numpy as np

from mb_estimators import DynamicsSamples
from mb_model import load_mechanism
from mb_sensors.recorded_motion import RecordedMotion

ROBOT, ARM = load_mechanism('three_rrr'), load_mechanism('six_axis_arm')
PERIOD = 8e-3
_RATES = np.array([[5.0, 7.3, 4.1], [13.1, 11.7, 17.3]])        # rad/s
_SIZES = np.array([[0.05, 0.05, 0.15], [0.012, 0.015, 0.06]])


def motion(duration=6.0, period=PERIOD, pace=1.0):
    """Return stamps (k) [ns] and z, zd, zdd (k, g): two oscillations of each degree of freedom."""
    t, rates = np.arange(0.0, duration, period), pace * _RATES
    phase = t[:, None, None] * rates + [[0.0, 1.0, 2.0], [0.5, 1.5, 2.5]]
    parts = (_SIZES * np.sin(phase), _SIZES * rates * np.cos(phase),
             -_SIZES * rates ** 2 * np.sin(phase))
    return np.round(1e9 * t).astype(int), *(part.sum(axis=1) for part in parts)


def torques(mechanism, z, zd, zdd):
    """Return what the drives need for a motion (k, d), by another formulation than the fit's."""
    rows, q = [], mechanism.q0
    for at in zip(z, zd, zdd, strict=True):
        q = mechanism.assemble(at[0], q)
        force = mechanism.inverse_dynamics(*at, near=q, formulation='index3_al')
        rows.append(np.linalg.solve(mechanism.R(q)[mechanism.indices(mechanism.drives)].T, force))
    return np.array(rows)


def noisy(exact, seed, torque_deviation, deviations):
    """Return DynamicsSamples with white errors: of torques, and deviations of z, zd, zdd (3)."""
    random = np.random.default_rng(seed)
    stamps, u = exact.motion.stamps, exact.torques
    spread = np.diag(np.repeat(np.square(deviations), ROBOT.g))
    states = [getattr(exact.motion, name) + deviation * random.standard_normal(exact.motion.z.shape)
              for name, deviation in zip(('z', 'zd', 'zdd'), deviations, strict=True)]
    return DynamicsSamples(
        RecordedMotion(stamps, *states, np.broadcast_to(spread, (len(stamps), *spread.shape))),
        u + torque_deviation * random.standard_normal(u.shape))


def samples(mechanism, pace=1.0):
    """Return exact DynamicsSamples of the motion by a mechanism with other parameters."""
    stamps, *states = motion(pace=pace)
    return DynamicsSamples(RecordedMotion(stamps, *states), torques(mechanism, *states))


def arm_samples(arm, t):
    """Return exact DynamicsSamples of an arm in space at times (k) [s]."""
    rates = np.linspace(2.0, 7.0, ARM.g)
    phase = t[:, None] * rates + np.arange(ARM.g)
    states = (ARM.z0 + 0.3 * np.sin(phase), 0.3 * rates * np.cos(phase),
              -0.3 * rates ** 2 * np.sin(phase))
    return DynamicsSamples(RecordedMotion(np.round(1e9 * t).astype(int), *states),
                           torques(arm, *states))
