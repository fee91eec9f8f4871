"""Twists (u, w) in space: velocity of the point of a body that is at the origin, turning rate.

Both have x, y, z; so twists of bodies add up from joint to joint.  Wrenches are (force, moment
about the origin).
"""

from mb_model.jit import kernel
from mb_model.space.vectors import cross


@kernel
def turned(pose, vector):
    """Return the matrix in a pose (12) times a vector (3)."""
    x, y, z = vector[0], vector[1], vector[2]
    return (pose[0] * x + pose[1] * y + pose[2] * z, pose[3] * x + pose[4] * y + pose[5] * z,
            pose[6] * x + pose[7] * y + pose[8] * z)


@kernel
def position_at(pose, offset):
    """Return the position of an offset (3) in the frame of a pose (12)."""
    x, y, z = turned(pose, offset)
    return pose[9] + x, pose[10] + y, pose[11] + z


@kernel
def turning_of(twist):
    """Return the turning rate of a twist."""
    return twist[3], twist[4], twist[5]


@kernel
def velocity_at(twist, kind, x):
    """Return the rate of a point (kind 1) at x (3) of a body, or of its vector (kind 0) x."""
    rx, ry, rz = cross(turning_of(twist), x)
    return kind * twist[0] + rx, kind * twist[1] + ry, kind * twist[2] + rz


@kernel
def acceleration_at(twist, twist_dot, kind, x):
    """Return the second derivative of the same."""
    ax, ay, az = velocity_at(twist_dot, kind, x)
    bx, by, bz = cross(turning_of(twist), velocity_at(twist, kind, x))
    return ax + bx, ay + by, az + bz


@kernel
def add_push(kind, x, force, wrench):
    """Add to a wrench a force (3) on a point (kind 1) at x, or on a vector (kind 0)."""
    moment = cross(x, force)
    for axis in range(3):
        wrench[axis] += kind * force[axis]
        wrench[3 + axis] += moment[axis]
