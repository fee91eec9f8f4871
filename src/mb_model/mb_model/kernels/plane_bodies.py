"""Loads and inertia of the bodies of a tree in the plane."""

from mb_model.jit import kernel
from mb_model.kernels.joints import acceleration_at, place_on, velocity_at


@kernel
def add_loads(model, work):
    """Add the forces on points in Q to the load of their bodies."""
    for p in range(model.moving // 2):
        load, fx, fy = work.load[model.point_joint[p] + 1], work.Q[2 * p], work.Q[2 * p + 1]
        load[0] += fx
        load[1] += fy
        load[2] += work.q[2 * p] * fy - work.q[2 * p + 1] * fx


@kernel
def add_bodies(model, work):
    """Add what the bodies have in M_bar (lower triangle) and Q_bar."""
    for k in range(model.joints):
        _add_body(model, work, k)


@kernel
def _add_body(model, work, k):
    """Add the same of the body of joint k."""
    body, load = model.joint_body[k], work.load[k + 1]
    mass, inertia = model.body_mass[body], model.body_inertia[body]
    x, y = place_on(work.pose, k + 1, model.body_centre[body])
    ax, ay = acceleration_at(work.twist[k + 1], work.twist_dot[k + 1], x, y)
    fx, fy = load[0] - mass * ax, load[1] - mass * ay
    moment = load[2] - inertia * work.twist_dot[k + 1, 2] - mass * (x * ay - y * ax)
    for i in range(model.g):
        flow = work.flow[i, k + 1]
        work.Q_bar[i] += flow[0] * fx + flow[1] * fy + flow[2] * moment
        vx, vy = velocity_at(flow, x, y)
        for j in range(i + 1):
            wx, wy = velocity_at(work.flow[j, k + 1], x, y)
            work.M_bar[i, j] += (mass * (vx * wx + vy * wy)
                                 + inertia * flow[2] * work.flow[j, k + 1, 2])
