"""Forces and inertia under changes of the model's numbers that move no points: dQ - dM qdd."""


from mb_model.jit import kernel
from mb_model.kernels.force_elements import value_change
from mb_model.kernels.mass import second_moment
from mb_model.kernels.spatial_forces import is_changed, value_change as spatial_value_change


@kernel
def force_change_by_values(model, work, direction):
    """Return direction^T dQ for the changes of the forces' numbers."""
    total = 0.0
    for k in range(model.forces):
        if is_changed(work.d_force_value[k]):
            total += value_change(model.force_kind[k], model.force_index[k], model.force_value[k],
                                  work.d_force_value[k], work.q, work.qd, direction)
    if model.elements > 0:
        total += spatial_value_change(model, work, direction)
    return total


@kernel
def body_change(model, work, out):
    """Write out (n_total) = dQ - dM qdd for the changes of gravity, bodies and armatures."""
    for row in range(model.n_total):
        out[row] = 0.0
    pulled = is_changed(work.d_gravity)
    for k in range(model.bodies):
        if (pulled or work.d_mass[k] != 0.0 or work.d_inertia[k] != 0.0 or work.d_length[k] != 0.0
                or is_changed(work.d_centre[k])):
            _add_planar_body(model, work, k, out)
    for k in range(model.solids):
        if (pulled or work.d_solid_mass[k] != 0.0 or is_changed(work.d_solid_centre[k])
                or is_changed(work.d_solid_inertia[k])):
            _add_solid(model, work, k, out)
    for row in range(model.n):
        out[row] -= work.d_own_inertia[row] * work.qdd[row]


@kernel
def _add_planar_body(model, work, k, out):
    """Add what body k of a planar mechanism has in body_change."""
    i, j, qdd = model.body_index[k, 0], model.body_index[k, 1], work.qdd
    mass, length, stretch = model.body_mass[k], model.body_length[k], work.d_length[k]
    x, y = model.body_centre[k, 0] / length, model.body_centre[k, 1] / length
    dx = (work.d_centre[k, 0] - x * stretch) / length
    dy = (work.d_centre[k, 1] - y * stretch) / length
    d_mass, square = work.d_mass[k], x * x + y * y
    spin = (work.d_inertia[k] - 2.0 * stretch / length * model.body_inertia[k]) / (length * length)
    second = spin + d_mass * square + 2.0 * mass * (x * dx + y * dy)
    along, across = d_mass * x + mass * dx, d_mass * y + mass * dy
    first, mixed = d_mass - 2.0 * along + second, along - second
    fx, fy = model.gravity[0], model.gravity[1]
    gx, gy = mass * work.d_gravity[0], mass * work.d_gravity[1]
    pull_x, pull_y = (along * fx + across * fy + x * gx + y * gy,
                      along * fy - across * fx + x * gy - y * gx)
    ix, iy, jx, jy = qdd[i], qdd[i + 1], qdd[j], qdd[j + 1]
    out[i] += d_mass * fx + gx - pull_x - (first * ix + mixed * jx - across * jy)
    out[i + 1] += d_mass * fy + gy - pull_y - (first * iy + mixed * jy + across * jx)
    out[j] += pull_x - (second * jx + mixed * ix + across * iy)
    out[j + 1] += pull_y - (second * jy + mixed * iy - across * ix)


@kernel
def _add_solid(model, work, k, out):
    """Add what body k in space has in body_change: W (P_0 dg + dP (e_0 g - W^T qdd)).

    W: its nodes' weights, P: the integral of (1, x, y, z) (1, x, y, z)^T dm, P_0 its first column.
    """
    mass, centre, inertia, line = (model.solid_mass[k], model.solid_centre[k],
                                   model.solid_inertia[k], model.solid_line[k])
    begin, end = model.solid_terms[k], model.solid_terms[k + 1]
    for axis in range(3):
        a0, a1, a2, a3 = model.gravity[axis], 0.0, 0.0, 0.0
        for t in range(begin, end):
            weight, qdd = model.solid_weight[t], work.qdd[model.solid_node[t] + axis]
            a0 -= weight[0] * qdd
            a1 -= weight[1] * qdd
            a2 -= weight[2] * qdd
            a3 -= weight[3] * qdd
        for i in range(4):
            push = (second_moment(mass, centre, inertia, line, i, 0) * work.d_gravity[axis]
                    + _second_moment_change(model, work, k, i, 0) * a0
                    + _second_moment_change(model, work, k, i, 1) * a1
                    + _second_moment_change(model, work, k, i, 2) * a2
                    + _second_moment_change(model, work, k, i, 3) * a3)
            for s in range(begin, end):
                out[model.solid_node[s] + axis] += model.solid_weight[s, i] * push


@kernel
def _second_moment_change(model, work, k, i, j):
    """Return the change of second_moment of body k with its mass, centre and inertia."""
    mass, centre, line = model.solid_mass[k], model.solid_centre[k], model.solid_line[k]
    d_mass, d_centre, d_inertia = (
        work.d_solid_mass[k], work.d_solid_centre[k], work.d_solid_inertia[k])
    if i == 0 and j == 0:
        return d_mass
    if i == 0 or j == 0:
        axis = max(i, j) - 1
        return d_mass * centre[axis] + mass * d_centre[axis]
    shared = (d_mass * centre[i - 1] * centre[j - 1]
              + mass * (d_centre[i - 1] * centre[j - 1] + centre[i - 1] * d_centre[j - 1]))
    half = 0.5 * (d_inertia[0] + d_inertia[1] + d_inertia[2])
    if line[0] != 0.0 or line[1] != 0.0 or line[2] != 0.0:
        return shared + half * line[i - 1] * line[j - 1]
    if i == j:
        return shared + half - d_inertia[i - 1]
    return shared - d_inertia[i + j]
