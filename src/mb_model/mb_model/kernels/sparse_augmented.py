"""Lagrange's equations for accelerations and multipliers together, as one band."""


from mb_model.jit import kernel
from mb_model.kernels.sparse_band import band_factor, band_solve, band_stride
from mb_model.kernels.sparse_bodies import coordinate


@kernel
def solve_augmented(model, work, right):
    """Solve [M, phi_q^T; phi_q, 0] x = right (n + m) in place; return False if it is singular."""
    n, size, width = model.n, model.n + model.m, model.augmented_width
    stride, band, place = band_stride(width, width), work.large, model.augmented_place
    for k in range(size * stride):
        band[k] = 0.0
    for k in range(model.bodies):
        for a in range(4):
            for b in range(4):
                row, column = coordinate(model, k, a), coordinate(model, k, b)
                if row < n and column < n:
                    band[place[row] * (stride - 1) + width + place[column]] += work.M[k, a, b]
    pair = 0
    for k in range(model.solids):
        for s in range(model.solid_terms[k], model.solid_terms[k + 1]):
            for t in range(model.solid_terms[k], model.solid_terms[k + 1]):
                row, column = model.solid_node[s], model.solid_node[t]
                for axis in range(3 if row < n and column < n else 0):
                    band[place[row + axis] * (stride - 1) + width + place[column + axis]] += (
                        work.shares[pair])
                pair += 1
    for k in range(model.m):
        row = place[n + k]
        for c in range(model.row_width[k]):
            column = place[model.row_coordinate[k, c]]
            band[row * (stride - 1) + width + column] = work.phi_q[k, c]
            band[column * (stride - 1) + width + row] = work.phi_q[k, c]
    if band_factor(band, work.large_pivots, size, width, width) == 0.0:
        return False
    for k in range(size):
        work.ordered[place[k]] = right[k]
    band_solve(band, work.large_pivots, work.ordered, size, width, width)
    for k in range(size):
        right[k] = work.ordered[place[k]]
    return True
