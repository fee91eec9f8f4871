"""Readings of FLYWHEEL, and the least squares of its motion under a force, as a graph has it."""

from free_motion import FLYWHEEL
import numpy as np

DT, STEPS = 0.01, 30
SIGMAS = np.array([0.02, 0.05])                                     # of FLYWHEEL's encoder and gyro
VARIANCE, PSD, INITIAL = 4e-3, 1e-3, 0.03
INERTIA = 1.0                                                       # of its wheel, 3 kg 1 m^2 / 3
SETTINGS = {'acceleration_variance': VARIANCE, 'acceleration_psd': PSD,
            'initial_variance': INITIAL}
TORQUE, DEVIATION, WALK = 0.5, 0.3, 0.2         # of a constant torque, the last two as shares of it
TORQUE_MOMENTS = (TORQUE, DEVIATION * TORQUE, (WALK * TORQUE) ** 2)
PUSHED = FLYWHEEL.replace(forces={'push': {
    'kind': 'constant', 'coordinate': 'theta', 'force': TORQUE}})
PUSH = {'parameters': ['forces.push.force'], 'parameter_deviations': [DEVIATION],
        'parameter_walks': [WALK]}


def flywheel_readings():
    """Readings of both sensors at every step, some missing."""
    random = np.random.default_rng(3)
    t = DT * np.arange(STEPS + 1)
    readings = np.column_stack([0.3 + 2.0 * t + 0.4 * t ** 2, 2.0 + 0.8 * t])
    readings += SIGMAS * random.normal(size=readings.shape)
    readings[1:][random.random((STEPS, 2)) < 0.3] = np.nan
    return readings


def least_squares_rows(readings, torque=None):
    """Return matrix and right side of the dense system of all states z, zd, force.

    torque: (value, deviation, growth of its variance per time) of a torque that is estimated at
    each step, the last states.
    """
    count = len(readings)
    size = (4 if torque else 3) * count
    rows, right = [], []

    def add(coefficients, value, sigma):
        row = np.zeros(size)
        for place, number in coefficients.items():
            row[place] = number
        rows.append(row / sigma)
        right.append(value / sigma)

    for k, start in enumerate((0.3, 2.0, 0.0)):
        add({k: 1.0}, start, np.sqrt(INITIAL))
    if torque:
        add({3 * count: 1.0}, torque[0], torque[1])
    for k in range(count - 1):
        z, zd, f, z1, zd1, f1 = range(3 * k, 3 * k + 6)
        add({z: -1, z1: 1, zd: -DT / 2, zd1: -DT / 2}, 0.0, np.sqrt(PSD * DT ** 3 / 12))
        by_torque = {3 * count + k: -DT / INERTIA} if torque else {}
        add({zd: -1, zd1: 1, f: -DT / 2 / INERTIA, f1: -DT / 2 / INERTIA} | by_torque, 0.0,
            np.sqrt(PSD * DT))
        if torque:
            add({3 * count + k: -1.0, 3 * count + k + 1: 1.0}, 0.0, np.sqrt(torque[2] * DT))
        add({f: -1 / INERTIA, f1: 1 / INERTIA}, 0.0, np.sqrt(VARIANCE))
    for k, row in enumerate(readings):
        for channel in np.flatnonzero(np.isfinite(row)):
            add({3 * k + channel: 1.0}, row[channel], SIGMAS[channel])
    return np.array(rows), np.array(right)
