"""Mass matrix, gravity and energies of bodies in natural coordinates, in the plane and in space."""

from mb_model.jit import entry, kernel


@entry
def mass_matrix(model, M):
    """Write the mass matrix M (n_total, n_total), which is constant.

    A body's centre of gravity and every point of it move linearly with its two basic points, which
    gives a block of four numbers per body; a body in space does with its nodes, which gives a
    number for each pair of them.  Source: Garcia de Jalon and Bayo 1994, Sec. 4.2.
    """
    for row in range(model.n_total):
        for column in range(model.n_total):
            M[row, column] = 0.0
    for row in range(model.n):
        M[row, row] = model.own_inertia[row]
    for k in range(model.bodies):
        add_body(model, k, model.body_index[k, 0], model.body_index[k, 1], M)
    for k in range(model.solids):
        add_solid(model, k, M)


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


@kernel
def second_moment(mass, centre, inertia, line, i, j):
    """Return element i, j of the integral of (1, x, y, z) (1, x, y, z)^T dm of a body in space.

    inertia: xx yy zz xy xz yz about the centre of gravity; line: direction of a slender body, whose
    inertia across it is all that counts, else zero.
    """
    if i == 0 or j == 0:
        return mass * (1.0 if i == 0 else centre[i - 1]) * (1.0 if j == 0 else centre[j - 1])
    shared = mass * centre[i - 1] * centre[j - 1]
    half = 0.5 * (inertia[0] + inertia[1] + inertia[2])
    if line[0] != 0.0 or line[1] != 0.0 or line[2] != 0.0:
        return shared + half * line[i - 1] * line[j - 1]
    if i == j:
        return shared + half - inertia[i - 1]
    return shared - inertia[i + j]


@kernel
def _at_centre(model, k, t):
    """Return the weight of term t in the centre of gravity of body k."""
    centre, weight = model.solid_centre[k], model.solid_weight[t]
    return weight[0] + weight[1] * centre[0] + weight[2] * centre[1] + weight[3] * centre[2]


@kernel
def mass_share(model, k, s, t):
    """Return what body k in space has in M between the nodes of its terms s and t."""
    mass, centre, inertia = model.solid_mass[k], model.solid_centre[k], model.solid_inertia[k]
    line, share = model.solid_line[k], 0.0
    for i in range(4):
        for j in range(4):
            share += (model.solid_weight[s, i] * model.solid_weight[t, j]
                      * second_moment(mass, centre, inertia, line, i, j))
    return share


@kernel
def add_solid(model, k, M):
    """Add the mass of body k in space to M: W P W^T for its nodes with weights W.

    Source: Garcia de Jalon and Bayo 1994, Sec. 4.2.
    """
    for s in range(model.solid_terms[k], model.solid_terms[k + 1]):
        for t in range(model.solid_terms[k], model.solid_terms[k + 1]):
            share = mass_share(model, k, s, t)
            for axis in range(3):
                M[model.solid_node[s] + axis, model.solid_node[t] + axis] += share


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
    for k in range(model.solids):
        for t in range(model.solid_terms[k], model.solid_terms[k + 1]):
            weight = model.solid_mass[k] * _at_centre(model, k, t)
            for axis in range(3):
                Q[model.solid_node[t] + axis] += weight * model.gravity[axis]


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
    for k in range(model.solids):
        for t in range(model.solid_terms[k], model.solid_terms[k + 1]):
            weight = model.solid_mass[k] * _at_centre(model, k, t)
            for axis in range(3):
                potential -= weight * model.gravity[axis] * q[model.solid_node[t] + axis]
    return potential
