"""The mass matrix, body by body."""


from mb_model.jit import kernel
from mb_model.kernels.mass import add_body


@kernel
def fill_mass_matrix(model, work):
    """Write work.M: for each body the mass matrix of x, y of its first and of its second point."""
    for k in range(model.bodies):
        for a in range(4):
            for b in range(4):
                work.M[k, a, b] = 0.0
        add_body(model, k, 0, 2, work.M[k])


@kernel
def coordinate(model, k, a):
    """Return the coordinate that row a of the block of body k belongs to."""
    return model.body_index[k, a // 2] + a % 2


@kernel
def multiply_mass(model, work, v, out):
    """Write out = M v (n_total)."""
    for row in range(model.n_total):
        out[row] = 0.0
    for k in range(model.bodies):
        for a in range(4):
            row = coordinate(model, k, a)
            for b in range(4):
                out[row] += work.M[k, a, b] * v[coordinate(model, k, b)]
