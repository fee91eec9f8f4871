"""Kinematics by recursion along a tree of joints, each with one coordinate.

A twist (u, v, w) is the velocity of the point of a body that is at the origin just now, and the
turning rate; so velocities of bodies add up from joint to joint, Z = T R_d sd with the columns of
R_d in work.axis.  Source: Pyrhonen et al. 2023b, Eqs. (1) and (2).
Poses and twists are counted from the ground (0); joint k carries body k + 1.
"""

from math import cos, sin

from mb_model.jit import kernel

REVOLUTE = 0              # coordinate: angle of the body in the parent's frame
PRISMATIC = 1             # coordinate: travel along an axis of the parent


@kernel
def pose_bodies(model, work):
    """From s write pose, axis and the moving points of q."""
    pose, axis = work.pose, work.axis
    pose[0, 2] = 1.0
    for k in range(model.joints):
        parent, body = model.joint_parent[k], k + 1
        c, s = pose[parent, 2], pose[parent, 3]
        px, py = model.joint_offset[k, 0], model.joint_offset[k, 1]
        x, y = pose[parent, 0] + c * px - s * py, pose[parent, 1] + s * px + c * py
        if model.joint_kind[k] == PRISMATIC:
            ux, uy = model.joint_axis[k, 0], model.joint_axis[k, 1]
            axis[k, 0], axis[k, 1], axis[k, 2] = c * ux - s * uy, s * ux + c * uy, 0.0
            x, y = x + work.s[k] * axis[k, 0], y + work.s[k] * axis[k, 1]
            angle = pose[parent, 4] + model.joint_angle[k]
        else:
            axis[k, 0], axis[k, 1], axis[k, 2] = y, -x, 1.0
            angle = pose[parent, 4] + work.s[k]
        c, s = cos(angle), sin(angle)
        px, py = model.joint_own[k, 0], model.joint_own[k, 1]
        pose[body, 0], pose[body, 1] = x - c * px + s * py, y - s * px - c * py
        pose[body, 2], pose[body, 3], pose[body, 4] = c, s, angle
    for p in range(model.moving // 2):
        work.q[2 * p], work.q[2 * p + 1] = position_at(
            work.pose, model.point_joint[p] + 1, model.point_offset[p])


@kernel
def position_at(pose, body, offset):
    """Return the position (x, y) of an offset in the frame of a body."""
    c, s = pose[body, 2], pose[body, 3]
    return (pose[body, 0] + c * offset[0] - s * offset[1],
            pose[body, 1] + s * offset[0] + c * offset[1])


@kernel
def velocity_at(twist, x, y):
    """Return the velocity of the point of a body at (x, y)."""
    return twist[0] - twist[2] * y, twist[1] + twist[2] * x


@kernel
def acceleration_at(twist, twist_dot, x, y):
    """Return the acceleration of the point of a body at (x, y)."""
    vx, vy = velocity_at(twist, x, y)
    ax, ay = velocity_at(twist_dot, x, y)
    return ax - twist[2] * vy, ay + twist[2] * vx


@kernel
def spread(model, axis, rates, twist):
    """Write the twists that joint rates give: twist = T R_d rates."""
    for k in range(model.joints):
        for row in range(3):
            twist[k + 1, row] = twist[model.joint_parent[k], row] + axis[k, row] * rates[k]


@kernel
def move_bodies(model, work):
    """From sd write twist, axis_dot and the velocities of the moving points in qd."""
    spread(model, work.axis, work.sd, work.twist)
    for k in range(model.joints):
        carrier, axis = work.twist[model.joint_parent[k]], work.axis[k]
        if model.joint_kind[k] == PRISMATIC:
            work.axis_dot[k, 0], work.axis_dot[k, 1] = -carrier[2] * axis[1], carrier[2] * axis[0]
        else:
            vx, vy = velocity_at(carrier, -axis[1], axis[0])
            work.axis_dot[k, 0], work.axis_dot[k, 1] = vy, -vx
    rates_of_points(model, work, work.twist, work.qd)


@kernel
def rates_of_points(model, work, twist, out):
    """Write the velocities of the moving points that twists give to out (n)."""
    for p in range(model.moving // 2):
        out[2 * p], out[2 * p + 1] = velocity_at(
            twist[model.point_joint[p] + 1], work.q[2 * p], work.q[2 * p + 1])


@kernel
def accelerate_bodies(model, work, sdd):
    """From joint accelerations write twist_dot, and qdd of the moving points."""
    for k in range(model.joints):
        for row in range(3):
            work.twist_dot[k + 1, row] = (
                work.twist_dot[model.joint_parent[k], row] + work.axis[k, row] * sdd[k]
                + work.axis_dot[k, row] * work.sd[k])
    for p in range(model.moving // 2):
        body = model.point_joint[p] + 1
        work.qdd[2 * p], work.qdd[2 * p + 1] = acceleration_at(
            work.twist[body], work.twist_dot[body], work.q[2 * p], work.q[2 * p + 1])
