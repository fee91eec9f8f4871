"""Mass matrix, gravity and energies of bodies in natural coordinates, in the plane and in space."""

from mb_model.jit import entry, kernel


@entry
def mass_matrix(model, M):
    """Write the mass matrix M (n_total, n_total), which is constant.

    A body's centre of gravity and every point of it move linearly with its two basic points, which
    gives a block of four numbers per body; a body in space does with its nodes, which gives a
    number per pair of them.  Source: Garcia de Jalon and Bayo 1994, Sec. 4.2.
    """
    for row in range(model.n_total):
        for column in range(model.n_total):
            M[row, column] = 0.0
    for k in range(model.bodies):
        add_body(model, k, model.body_index[k, 0], model.body_index[k, 1], M)
    for k in range(model.masses):
        i, j, mass = model.mass_node[k, 0], model.mass_node[k, 1], model.mass_value[k]
        for axis in range(3):
            M[i + axis, j + axis] += mass
            if i != j:
                M[j + axis, i + axis] += mass


@kernel
def add_body(model, k, i, j, M):
    """Add the mass of body k to M, the x of its two points at i and j there."""
    mass, length = model.body_mass[k], model.body_length[k]
    x, y = model.body_centre[k, 0] / length, model.body_centre[k, 1] / length
    inertia = model.body_inertia[k] / (length * length) + mass * (x * x + y * y)
    first, mixed, across = mass * (1.0 - 2.0 * x) + inertia, mass * x - inertia, mass * y
    for axis in range(2):
        M[i + axis, i + axis] += first
        M[j + axis, j + axis] += inertia
        M[i + axis, j + axis] += mixed
        M[j + axis, i + axis] += mixed
    M[i, j + 1] -= across
    M[j + 1, i] -= across
    M[i + 1, j] += across
    M[j, i + 1] += across


@entry
def add_gravity(model, Q):
    """Add the generalized forces of gravity to Q (n_total) [N]."""
    for k in range(model.bodies):
        i, j = model.body_index[k, 0], model.body_index[k, 1]
        x = model.body_centre[k, 0] / model.body_length[k]
        y = model.body_centre[k, 1] / model.body_length[k]
        fx, fy = model.body_mass[k] * model.gravity[0], model.body_mass[k] * model.gravity[1]
        Q[i] += (1.0 - x) * fx - y * fy
        Q[i + 1] += (1.0 - x) * fy + y * fx
        Q[j] += x * fx + y * fy
        Q[j + 1] += x * fy - y * fx
    for k in range(model.weights):
        for axis in range(3):
            Q[model.weight_node[k] + axis] += model.weight_value[k] * model.gravity[axis]


@kernel
def gravity_energy(model, q):
    """Return the potential energy of gravity, 0 at the origin [J]."""
    potential = 0.0
    for k in range(model.bodies):
        i, j = model.body_index[k, 0], model.body_index[k, 1]
        x = model.body_centre[k, 0] / model.body_length[k]
        y = model.body_centre[k, 1] / model.body_length[k]
        dx, dy = q[j] - q[i], q[j + 1] - q[i + 1]
        potential -= model.body_mass[k] * (model.gravity[0] * (q[i] + x * dx - y * dy)
                                           + model.gravity[1] * (q[i + 1] + x * dy + y * dx))
    for k in range(model.weights):
        for axis in range(3):
            potential -= (model.weight_value[k] * model.gravity[axis]
                          * q[model.weight_node[k] + axis])
    return potential
