"""Trees of joints in the plane: what closes their loops, loads and inertia of their bodies."""

from mb_model.jit import kernel
from mb_model.kernels.added import evaluate_row, turning
from mb_model.kernels.joints import acceleration_at, position_at, velocity_at


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
    x, y = position_at(work.pose, k + 1, model.body_centre[body])
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


@kernel
def closing_rows(model):
    """Return how many rows gap has."""
    return 2 * model.cuts + model.loops


@kernel
def evaluate_loops(model, work):
    """After pose_bodies: write gap and gap_s."""
    for row in range(closing_rows(model)):
        for k in range(model.joints):
            work.gap_s[row, k] = 0.0
    for c in range(model.cuts):
        joint, point = model.cut_joint[c], model.cut_point[c]
        x, y = position_at(work.pose, joint + 1, model.cut_offset[c])
        work.gap[2 * c], work.gap[2 * c + 1] = x - work.q[point], y - work.q[point + 1]
        _add_path(model, work, joint, x, y, 1.0, 0.0, 2 * c)
        _add_path(model, work, joint, x, y, 0.0, 1.0, 2 * c + 1)
        if point < model.n:
            joint = model.point_joint[point // 2]
            _add_path(model, work, joint, x, y, -1.0, 0.0, 2 * c)
            _add_path(model, work, joint, x, y, 0.0, -1.0, 2 * c + 1)
    for c in range(model.loops):
        k, row = model.loop_constraint[c], 2 * model.cuts + c
        evaluate_row(model, work, k)
        constraint = model.constraint_row[k]
        work.gap[row] = work.phi[constraint]
        for p in range(model.moving // 2):
            gx, gy = work.phi_q[constraint, 2 * p], work.phi_q[constraint, 2 * p + 1]
            if gx != 0.0 or gy != 0.0:
                _add_path(model, work, model.point_joint[p], work.q[2 * p], work.q[2 * p + 1],
                          gx, gy, row)


@kernel
def loop_accelerations(model, work, out):
    """After accelerate_bodies: write the second derivative of gap."""
    for c in range(model.cuts):
        joint, point = model.cut_joint[c], model.cut_point[c]
        x, y = position_at(work.pose, joint + 1, model.cut_offset[c])
        ax, ay = acceleration_at(work.twist[joint + 1], work.twist_dot[joint + 1], x, y)
        out[2 * c], out[2 * c + 1] = ax, ay
        if point < model.n:
            out[2 * c] -= work.qdd[point]
            out[2 * c + 1] -= work.qdd[point + 1]
    for c in range(model.loops):
        k = model.loop_constraint[c]
        total = turning(model, work, k)
        for column in range(model.moving):
            total += work.phi_q[model.constraint_row[k], column] * work.qdd[column]
        out[2 * model.cuts + c] = total


@kernel
def _add_path(model, work, joint, x, y, gx, gy, row):
    """Add (gx, gy) times the velocity at (x, y) per rate of every joint up to the ground."""
    k = joint
    while k >= 0:
        vx = work.axis[k, 0] - work.axis[k, 2] * y
        vy = work.axis[k, 1] + work.axis[k, 2] * x
        work.gap_s[row, k] += gx * vx + gy * vy
        k = model.joint_parent[k] - 1
