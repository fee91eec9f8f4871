"""Motions of the parallel robot's platform, given in closed form, and what its sensors read."""

import numpy as np

from mb_sensors.readings import true_values


def figure_of_eight(t):
    """Return z, zd, zdd (k, 3) of a platform that also turns, up to 0.8 m/s and 10 m/s^2."""
    amplitude, rate = np.array([0.06, 0.04, 0.3]), np.array([8.0, 16.0, 5.0])
    phase = np.asarray(t)[:, None] * rate
    return (amplitude * np.sin(phase), amplitude * rate * np.cos(phase),
            -amplitude * rate ** 2 * np.sin(phase))


def ideal_readings(robot, sensors, z, zd, zdd):
    """Return what Sensors read without noise (k, channels) at z, zd, zdd (k, g)."""
    q, qd, qdd, near = [], [], [], None
    for state in zip(z, zd, zdd, strict=True):
        near = robot.assemble(state[0], near=near)
        q.append(near)
        qd.append(robot.velocity(near, state[1]))
        qdd.append(robot.acceleration(near, qd[-1], state[2]))
    return np.hstack([true_values(robot, sensor, np.array(q), np.array(qd), np.array(qdd))
                      for sensor in sensors])
