"""A motion of the 3-RRR robot, and what its encoders and an IMU on its platform read."""

import numpy as np

from mb_model import load_mechanism
from mb_sensors.recorded_motion import RecordedMotion

ROBOT = load_mechanism('three_rrr')
START, PERIOD = 5_000_000_000, 2e-3         # ns, s
RATES, SIZES = np.array([11.0, 8.0, 13.0]), np.array([0.05, 0.06, 0.2])
SIGMAS = np.array([2.7e-3, 3.9e-2, 3.9e-2])      # of the file


def truth(t, turning=1.0):
    """Return z, zd, zdd (k, g): a different oscillation of each degree of freedom."""
    phase, sizes = np.outer(t, RATES), SIZES * [1.0, 1.0, turning]
    return (sizes * np.sin(phase), sizes * RATES * np.cos(phase),
            -sizes * RATES ** 2 * np.sin(phase))


def motion(duration, turning=1.0):
    """Return the exact RecordedMotion."""
    t = np.arange(0.0, duration, PERIOD)
    return RecordedMotion(START + np.round(1e9 * t).astype(int), *truth(t, turning))


def encoder_readings(t, sigma, seed=0):
    """Return the angles of the drives (k, g), within a turn as absolute encoders measure them."""
    places, q, rows = ROBOT.indices(ROBOT.drives), ROBOT.q0, []
    for z in truth(t)[0]:
        q = ROBOT.assemble(z, q)
        rows.append(q[places])
    noise = sigma * np.random.default_rng(seed).standard_normal((len(t), 3))
    return np.mod(np.array(rows) + noise, 2.0 * np.pi)


def imu_readings(moved, place, orientation, biases, delay=0.0, seed=None):
    """Return rate and specific force along x and y (k, 3) of an IMU on the platform.

    By the acceleration of a point of a rigid body whose origin E is z itself.  biases: x, y, rate;
    delay [s]: of stamps; seed: of white noise, None for none.
    """
    turned = 1.0 if np.ptp(moved.z[:, 2]) > 0.0 else 0.0
    z, zd, zdd = truth((moved.stamps - START) / 1e9 - delay, turned)
    arm = np.exp(1j * z[:, 2]) * complex(*place)
    acceleration = zdd[:, 0] + 1j * zdd[:, 1] + (1j * zdd[:, 2] - zd[:, 2] ** 2) * arm
    felt = acceleration * np.exp(-1j * (z[:, 2] + orientation))
    read = np.stack([zd[:, 2] + biases[2], felt.real + biases[0], felt.imag + biases[1]], axis=1)
    if seed is not None:
        read += SIGMAS * np.random.default_rng(seed).standard_normal(read.shape)
    return read
