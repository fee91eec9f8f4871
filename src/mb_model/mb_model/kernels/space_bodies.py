"""Loads and inertia of the bodies of a tree in space."""

from numba import void

from mb_model.jit import kernel
from mb_model.kernels.space_joints import at
from mb_model.kernels.twists import (
    acceleration_at,
    add_push,
    position_at,
    turned,
    turning_of,
    velocity_at,
)
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK
from mb_model.registry.spatial import IN_SPACE
from mb_model.space.vectors import cross


@IN_SPACE.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def add_loads(model, work):
    """Add the forces on nodes in Q to the load of their bodies."""
    for p in range(model.moving // 3):
        add_push(model.point_kind[p], at(work.q, 3 * p), at(work.Q, 3 * p),
                 work.load[model.point_joint[p] + 1])


@kernel
def _of_body(model, k, offset, kind):
    """Return an offset (kind 1) or direction (kind 0) of body k in the frame of its joint."""
    turn, at_ = model.solid_turn[k], model.solid_offset[k]
    x, y, z = turned(turn, offset)
    return kind * at_[0] + x, kind * at_[1] + y, kind * at_[2] + z


@kernel
def centre_of(model, work, k):
    """Return the centre of gravity of body k."""
    return position_at(work.pose[model.solid_joint[k] + 1], _of_body(
        model, k, model.solid_centre[k], 1.0))


@kernel
def _element(own, a, b, c, i, j):
    """Return element i, j of the inertia `own` in axes a, b, c."""
    return (own[0] * a[i] * a[j] + own[1] * b[i] * b[j] + own[2] * c[i] * c[j]
            + own[3] * (a[i] * b[j] + b[i] * a[j]) + own[4] * (a[i] * c[j] + c[i] * a[j])
            + own[5] * (b[i] * c[j] + c[i] * b[j]))


@kernel
def inertia_of(model, work, k):
    """Return xx, yy, zz, xy, xz, yz of the inertia of body k about its centre, in global axes.

    Of a slender body the inertia of its line, which has none about itself.
    """
    own, line = model.solid_inertia[k], model.solid_line[k]
    pose = work.pose[model.solid_joint[k] + 1]
    if line[0] != 0.0 or line[1] != 0.0 or line[2] != 0.0:
        half = 0.5 * (own[0] + own[1] + own[2])
        x, y, z = turned(pose, _of_body(model, k, line, 0.0))
        return (half * (1.0 - x * x), half * (1.0 - y * y), half * (1.0 - z * z),
                -half * x * y, -half * x * z, -half * y * z)
    a = turned(pose, _of_body(model, k, (1.0, 0.0, 0.0), 0.0))
    b = turned(pose, _of_body(model, k, (0.0, 1.0, 0.0), 0.0))
    c = turned(pose, _of_body(model, k, (0.0, 0.0, 1.0), 0.0))
    return (_element(own, a, b, c, 0, 0), _element(own, a, b, c, 1, 1),
            _element(own, a, b, c, 2, 2), _element(own, a, b, c, 0, 1),
            _element(own, a, b, c, 0, 2), _element(own, a, b, c, 1, 2))


@kernel
def times(inertia, w):
    """Return an inertia (6) times a vector (3)."""
    return (inertia[0] * w[0] + inertia[3] * w[1] + inertia[4] * w[2],
            inertia[3] * w[0] + inertia[1] * w[1] + inertia[5] * w[2],
            inertia[4] * w[0] + inertia[5] * w[1] + inertia[2] * w[2])


@kernel
def need_of(model, work, k, centre, inertia, twist, twist_dot):
    """Return the wrench that body k needs for a motion: (force, moment about the origin)."""
    mass = model.solid_mass[k]
    a = acceleration_at(twist, twist_dot, 1.0, centre)
    force = mass * a[0], mass * a[1], mass * a[2]
    w = turning_of(twist)
    growth, swirl = times(inertia, turning_of(twist_dot)), cross(w, times(inertia, w))
    arm = cross(centre, force)
    return (force[0], force[1], force[2], growth[0] + swirl[0] + arm[0],
            growth[1] + swirl[1] + arm[1], growth[2] + swirl[2] + arm[2])


@kernel
def _add_body(model, work, k):
    """Add the same of body k, but for its load."""
    link, mass = model.solid_joint[k] + 1, model.solid_mass[k]
    centre, inertia = centre_of(model, work, k), inertia_of(model, work, k)
    need = need_of(model, work, k, centre, inertia, work.twist[link], work.twist_dot[link])
    for i in range(model.g):
        flow = work.flow[i, link]
        for row in range(6):
            work.Q_bar[i] -= flow[row] * need[row]
        v, w = velocity_at(flow, 1.0, centre), times(inertia, turning_of(flow))
        for j in range(i + 1):
            other = work.flow[j, link]
            u, o = velocity_at(other, 1.0, centre), turning_of(other)
            work.M_bar[i, j] += (mass * (v[0] * u[0] + v[1] * u[1] + v[2] * u[2])
                                 + w[0] * o[0] + w[1] * o[1] + w[2] * o[2])


@IN_SPACE.separate(void, MODEL, WORK)
def add_bodies(model, work):
    """Add what the bodies have in M_bar (lower triangle) and Q_bar."""
    for link in range(1, model.joints + 1):
        load = work.load[link]
        for i in range(model.g):
            for row in range(6):
                work.Q_bar[i] += work.flow[i, link, row] * load[row]
    for k in range(model.solids):
        if model.solid_joint[k] >= 0:
            _add_body(model, work, k)
