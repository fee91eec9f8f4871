"""The force of a tyre in space for peers: written anew from what its file says, in numpy."""

import numpy as np


def tyre_force(values, centre, speed, axis, spin):
    """Return force (3) and moment about the centre (3) of a tyre with Fiala's curve on z = 0.

    values: radius, stiffness, damping, cornering stiffness, slip stiffness, friction, standstill
    speed; speed: of the centre; axis, spin: of the wheel, all in global axes.
    """
    radius, stiffness, damping, cornering, slip, friction, standstill = values[:7]
    up = np.array([0.0, 0.0, 1.0])
    ahead = np.cross(axis, up)
    lean = np.linalg.norm(ahead)                     # cosine of camber
    ahead /= lean
    spoke = np.cross(axis, ahead)                    # in the wheel's plane, downwards
    spoke *= -np.sign(spoke[2])
    reach = centre[2] / lean
    if reach >= radius:
        return np.zeros(3), np.zeros(3)
    arm = reach * spoke
    rim = speed + np.cross(spin, arm)
    load = (stiffness * (radius - reach) - damping * rim[2] / lean) / lean
    if load <= 0.0:
        return np.zeros(3), np.zeros(3)
    across = np.cross(up, ahead)
    pace = np.hypot(speed @ ahead, standstill)
    wanted = -np.array([slip * (rim @ ahead), cornering * (rim @ across)]) / pace
    size, most = np.hypot(*wanted), friction * load
    if size >= 3.0 * most:
        given = most / size * wanted
    else:
        given = wanted * (1.0 - size / (3.0 * most) + size ** 2 / (27.0 * most ** 2))
    force = load * up + given[0] * ahead + given[1] * across
    return force, np.cross(arm, force)
