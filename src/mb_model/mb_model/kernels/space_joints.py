"""Kinematics by recursion along a tree of joints in space, as kernels.joints in the plane.

A joint turns about the axis z of its frame, which is at joint_offset in its parent, turned by
work.turn, or slides along it; joints of several coordinates are chains without masses between.
Source: Pyrhonen et al. 2023b, Eqs. (1) and (2).
"""

from math import cos, sin

from numba import void

from mb_model.jit import kernel
from mb_model.kernels.joints import PRISMATIC
from mb_model.kernels.twists import (
    acceleration_at,
    position_at,
    turned,
    turning_of,
    velocity_at,
)
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK
from mb_model.registry.spatial import IN_SPACE
from mb_model.space.vectors import cross, plus

_VECTOR, _MATRIX = WORK['s'], WORK['axis']


@kernel
def node_at(pose, kind, offset):
    """Return the position (kind 1) or direction (kind 0) of an offset in the frame of a pose."""
    x, y, z = turned(pose, offset)
    return kind * pose[9] + x, kind * pose[10] + y, kind * pose[11] + z


@IN_SPACE.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def pose_bodies(model, work):
    """From s write pose, axis and the moving nodes of q."""
    pose, axis = work.pose, work.axis
    pose[0, 0] = pose[0, 4] = pose[0, 8] = 1.0
    for k in range(model.joints):
        parent, frame = pose[model.joint_parent[k]], work.turn[k]
        own = pose[k + 1]
        x, y, z = position_at(parent, model.joint_offset[k])
        first = turned(parent, (frame[0], frame[3], frame[6]))
        second = turned(parent, (frame[1], frame[4], frame[7]))
        third = turned(parent, (frame[2], frame[5], frame[8]))
        travel = model.joint_pitch[k] * work.s[k]
        if model.joint_kind[k] == PRISMATIC:
            travel, c, s, turns = work.s[k], 1.0, 0.0, 0.0
        else:
            c, s, turns = cos(work.s[k]), sin(work.s[k]), 1.0
        moment = cross((x, y, z), third)
        for row in range(3):
            own[3 * row] = c * first[row] + s * second[row]
            own[3 * row + 1] = c * second[row] - s * first[row]
            own[3 * row + 2] = third[row]
            axis[k, row] = (turns * (moment[row] + model.joint_pitch[k] * third[row])
                            + (1.0 - turns) * third[row])
            axis[k, 3 + row] = turns * third[row]
        own[9], own[10], own[11] = plus((x, y, z), third, travel)
    for p in range(model.moving // 3):
        link = pose[model.point_joint[p] + 1]
        x, y, z = node_at(link, model.point_kind[p], model.point_offset[p])
        work.q[3 * p], work.q[3 * p + 1], work.q[3 * p + 2] = x, y, z


@kernel
def at(v, offset):
    """Return the entries of v (n_total) of a point or node, its x at an offset."""
    return v[offset], v[offset + 1], v[offset + 2]


@IN_SPACE.separate(void, MODEL, _MATRIX, _VECTOR, _MATRIX,
                    later=(SPARSE_MODEL, _MATRIX, _VECTOR, _MATRIX))
def spread(model, axis, rates, twist):
    """Write the twists that joint rates give: twist = T R_d rates."""
    for k in range(model.joints):
        for row in range(6):
            twist[k + 1, row] = twist[model.joint_parent[k], row] + axis[k, row] * rates[k]


@IN_SPACE.separate(void, MODEL, WORK, _MATRIX, _VECTOR,
                    later=(SPARSE_MODEL, SPARSE_WORK, _MATRIX, _VECTOR))
def rates_of_points(model, work, twist, out):
    """Write the rates of the moving nodes that twists give to out (n)."""
    for p in range(model.moving // 3):
        out[3 * p], out[3 * p + 1], out[3 * p + 2] = velocity_at(
            twist[model.point_joint[p] + 1], model.point_kind[p], at(work.q, 3 * p))


@IN_SPACE.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def move_bodies(model, work):
    """From sd write twist, axis_dot and the velocities of the moving nodes in qd."""
    spread(model, work.axis, work.sd, work.twist)
    for k in range(model.joints):
        carrier, axis = work.twist[model.joint_parent[k]], work.axis[k]
        turns = cross(turning_of(carrier), turning_of(axis))
        slides, shifts = cross(turning_of(carrier), axis), cross(carrier, turning_of(axis))
        for row in range(3):
            work.axis_dot[k, row] = slides[row] + shifts[row]
            work.axis_dot[k, 3 + row] = turns[row]
    rates_of_points(model, work, work.twist, work.qd)


@IN_SPACE.separate(void, MODEL, WORK, _VECTOR, later=(SPARSE_MODEL, SPARSE_WORK, _VECTOR))
def accelerate_bodies(model, work, sdd):
    """From joint accelerations write twist_dot, and qdd of the moving nodes."""
    for k in range(model.joints):
        for row in range(6):
            work.twist_dot[k + 1, row] = (
                work.twist_dot[model.joint_parent[k], row] + work.axis[k, row] * sdd[k]
                + work.axis_dot[k, row] * work.sd[k])
    for p in range(model.moving // 3):
        body = model.point_joint[p] + 1
        work.qdd[3 * p], work.qdd[3 * p + 1], work.qdd[3 * p + 2] = acceleration_at(
            work.twist[body], work.twist_dot[body], model.point_kind[p], at(work.q, 3 * p))
