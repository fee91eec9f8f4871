"""The mass matrix, body by body."""


from mb_model.jit import kernel
from mb_model.kernels.mass import add_body, mass_share


@kernel
def fill_mass_matrix(model, work):
    """Write work.M: for each body the mass matrix of x, y of its first and of its second point.

    Of bodies in space work.shares, a number for each pair of nodes.
    """
    for k in range(model.bodies):
        for a in range(4):
            for b in range(4):
                work.M[k, a, b] = 0.0
        add_body(model, k, 0, 2, work.M[k])
    pair = 0
    for k in range(model.solids):
        for s in range(model.solid_terms[k], model.solid_terms[k + 1]):
            for t in range(model.solid_terms[k], model.solid_terms[k + 1]):
                work.shares[pair] = mass_share(model, k, s, t)
                pair += 1


@kernel
def coordinate(model, k, a):
    """Return the coordinate that row a of the block of body k belongs to."""
    return model.body_index[k, a // 2] + a % 2


@kernel
def multiply_mass(model, work, v, out):
    """Write out = M v (n)."""
    n = model.n
    for row in range(n):
        out[row] = 0.0
    for k in range(model.bodies):
        for a in range(4):
            row = coordinate(model, k, a)
            for b in range(4):
                column = coordinate(model, k, b)
                if row < n and column < n:
                    out[row] += work.M[k, a, b] * v[column]
    pair = 0
    for k in range(model.solids):
        for s in range(model.solid_terms[k], model.solid_terms[k + 1]):
            for t in range(model.solid_terms[k], model.solid_terms[k + 1]):
                row, column = model.solid_node[s], model.solid_node[t]
                if row < n and column < n:
                    for axis in range(3):
                        out[row + axis] += work.shares[pair] * v[column + axis]
                pair += 1
