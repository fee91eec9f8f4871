"""The mass matrix, body by body, and Lagrange's equations with it, as one band."""

from mb_model.jit import kernel
from mb_model.kernels.mass import add_body, mass_share
from mb_model.kernels.sparse_band import band_factor, band_solve, band_stride


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
        out[row] += model.own_inertia[row] * v[row]
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


@kernel
def solve_augmented(model, work, right):
    """Solve [M, phi_q^T; phi_q, 0] x = right (n + m) in place; return False if it is singular."""
    n, size, width = model.n, model.n + model.m, model.augmented_width
    stride, band, index = band_stride(width, width), work.large, model.augmented_index
    for k in range(size * stride):
        band[k] = 0.0
    for row in range(n):
        band[index[row] * stride + width] = model.own_inertia[row]
    for k in range(model.bodies):
        for a in range(4):
            for b in range(4):
                row, column = coordinate(model, k, a), coordinate(model, k, b)
                if row < n and column < n:
                    band[index[row] * (stride - 1) + width + index[column]] += work.M[k, a, b]
    pair = 0
    for k in range(model.solids):
        for s in range(model.solid_terms[k], model.solid_terms[k + 1]):
            for t in range(model.solid_terms[k], model.solid_terms[k + 1]):
                row, column = model.solid_node[s], model.solid_node[t]
                for axis in range(3 if row < n and column < n else 0):
                    band[index[row + axis] * (stride - 1) + width + index[column + axis]] += (
                        work.shares[pair])
                pair += 1
    for k in range(model.m):
        row = index[n + k]
        for c in range(model.row_width[k]):
            column = index[model.row_coordinate[k, c]]
            band[row * (stride - 1) + width + column] = work.phi_q[k, c]
            band[column * (stride - 1) + width + row] = work.phi_q[k, c]
    if band_factor(band, work.large_pivots, size, width, width) == 0.0:
        return False
    for k in range(size):
        work.ordered[index[k]] = right[k]
    band_solve(band, work.large_pivots, work.ordered, size, width, width)
    for k in range(size):
        right[k] = work.ordered[index[k]]
    return True
