"""The positive definite matrices M + C + K + phi_q^T alpha phi_q, stored by their profile.

Row i holds its entries from the first that is not zero to the diagonal: entry (i, j) of the lower
triangle is a[start[i] + j], for first[i] <= j <= i.  The Cholesky factor fills the same entries.
Source: George and Liu 1981 (Computer solution of large sparse positive definite systems), Ch. 4.
"""

from math import sqrt

from mb_model.jit import entry, kernel
from mb_model.kernels.force_elements import LOCAL_INDEX, add_slopes, points_of
from mb_model.kernels.sparse_augmented import coordinate


@entry
def profile_factor(a, start, first, n):
    """Factorise in place, a = L L^T; return False if a is not positive definite (or not finite)."""
    for i in range(n):
        row, diagonal = start[i], a[start[i] + i]
        for j in range(first[i], i):
            other, total = start[j], a[row + j]
            for k in range(max(first[i], first[j]), j):
                total -= a[row + k] * a[other + k]
            total /= a[other + j]
            a[row + j] = total
            diagonal -= total * total
        if not diagonal > 0.0:
            return False
        a[row + i] = sqrt(diagonal)
    return True


@entry
def profile_solve(lower, start, first, b, n):
    """Solve a x = b in place, from profile_factor."""
    for i in range(n):
        row, total = start[i], b[i]
        for j in range(first[i], i):
            total -= lower[row + j] * b[j]
        b[i] = total / lower[row + i]
    for i in range(n - 1, -1, -1):
        row = start[i]
        b[i] /= lower[row + i]
        for j in range(first[i], i):
            b[j] -= lower[row + j] * b[i]


@kernel
def factor_tangent(model, work, penalty, stiffness_share, damping_share):
    """Factorise M + shares of K and C + phi_q^T alpha phi_q into work.tangent.

    alpha is penalty times model.stiffness.  Returns False if it is not positive definite.
    """
    n, tangent = model.n, work.tangent
    for k in range(model.start[n - 1] + n):
        tangent[k] = 0.0
    for row in range(n):
        _add(model, tangent, row, row, model.own_inertia[row])
    for k in range(model.bodies):
        for a in range(4):
            for b in range(4):
                _add(model, tangent, coordinate(model, k, a), coordinate(model, k, b),
                     work.M[k, a, b])
    pair = 0
    for k in range(model.solids):
        for s in range(model.solid_terms[k], model.solid_terms[k + 1]):
            for t in range(model.solid_terms[k], model.solid_terms[k + 1]):
                for axis in range(3):
                    _add(model, tangent, model.solid_node[s] + axis, model.solid_node[t] + axis,
                         work.shares[pair])
                pair += 1
    for k in range(model.m):
        for a in range(model.row_width[k]):
            scaled = penalty * model.stiffness[k] * work.phi_q[k, a]
            start = model.start[model.tangent_index[model.row_coordinate[k, a]]]
            for b in range(a + 1):
                column = model.tangent_index[model.row_coordinate[k, b]]
                tangent[start + column] += scaled * work.phi_q[k, b]
    _add_slopes(model, work, stiffness_share, damping_share)
    return profile_factor(tangent, model.start, model.first, n)


@kernel
def _add_slopes(model, work, stiffness_share, damping_share):
    """Add stiffness and damping of each force, through the coordinates that it addresses.

    The slopes of bushings in space are left out: iterations take longer, their result is the same.
    """
    matrix, q, v = work.local_matrix, work.local_q, work.local_v
    for k in range(model.forces):
        kind, index = model.force_kind[k], model.force_index[k]
        width = 2 * points_of(kind)
        for a in range(max(width, 1)):
            q[a], v[a] = work.q[index[a // 2] + a % 2], work.qd[index[a // 2] + a % 2]
            for b in range(max(width, 1)):
                matrix[a, b] = 0.0
        add_slopes(kind, LOCAL_INDEX, model.force_value[k], q, v, stiffness_share, damping_share,
                   matrix)
        for a in range(max(width, 1)):
            for b in range(max(width, 1)):
                _add(model, work.tangent, index[a // 2] + a % 2, index[b // 2] + b % 2,
                     matrix[a, b])


@kernel
def _add(model, tangent, row, column, value):
    """Add an entry, if it is one of the lower triangle."""
    if row < model.n and column < model.n:
        i, j = model.tangent_index[row], model.tangent_index[column]
        if j <= i:
            tangent[model.start[i] + j] += value


@kernel
def solve_tangent(model, work, b):
    """Solve tangent x = b (n) in place."""
    for k in range(model.n):
        work.ordered[model.tangent_index[k]] = b[k]
    profile_solve(work.tangent, model.start, model.first, work.ordered, model.n)
    for k in range(model.n):
        b[k] = work.ordered[model.tangent_index[k]]
