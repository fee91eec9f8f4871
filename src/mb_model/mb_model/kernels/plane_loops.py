"""What closes the loops of a tree of joints in the plane: cut joints, sliders, welded angles."""

from mb_model.jit import kernel
from mb_model.kernels.added import evaluate_row, turning
from mb_model.kernels.joints import acceleration_at, place_on


@kernel
def closing_rows(model):
    """Return how many rows gap has."""
    return 2 * model.cuts + model.loops


@kernel
def evaluate_loops(model, work):
    """After place_bodies: write gap and gap_s."""
    for row in range(closing_rows(model)):
        for k in range(model.joints):
            work.gap_s[row, k] = 0.0
    for c in range(model.cuts):
        joint, point = model.cut_joint[c], model.cut_point[c]
        x, y = place_on(work.pose, joint + 1, model.cut_place[c])
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
        x, y = place_on(work.pose, joint + 1, model.cut_place[c])
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
