"""Closing the loops of a large tree of joints in space: cluster by cluster.

A cluster is what loops join: joints between the bodies of loops that share joints, all carried by
one body.  Where a cluster is closed, what carries it moves it as a whole.  So each has equations,
dependent and independent joints of its own, chosen and solved as in kernels.loops; a joint in no
loop is a cluster without equations.  Source: local constraint embedding of Jain 2012 (Multibody
graph transformations and analysis, part II), Sec. 4.
"""

from mb_model.jit import kernel
from mb_model.kernels.linear_algebra import lu_factor, lu_solve
from mb_model.kernels.loops import (
    CLOSING_ITERATIONS,
    closing_has_converged,
    eliminate,
    scale_closing_row,
)
from mb_model.kernels.space_joints import pose_bodies
from mb_model.kernels.space_loops import evaluate_loops


@kernel
def dependent_count(model, c):
    """Return how many joints of cluster c depend on its others."""
    return model.cluster_begin[c + 1] - model.cluster_begin[c] - model.cluster_freedoms[c]


@kernel
def joint_in_order(model, work, c, j):
    """Return joint j of cluster c, the dependent ones first."""
    begin = model.cluster_begin[c]
    return model.cluster_joint[begin + work.cluster_order[begin + j]]


@kernel
def choose_joints(model, work):
    """At s: choose dependent joints and closing equations of each cluster by pivoting for size.

    Returns False in a position where fewer equations decide the motion of a cluster.
    """
    pose_bodies(model, work)
    evaluate_loops(model, work)
    free = depending = 0
    for c in range(model.clusters):
        if not _choose(model, work, c):
            return False
        size = dependent_count(model, c)
        for j in range(model.cluster_begin[c + 1] - model.cluster_begin[c]):
            k = joint_in_order(model, work, c, j)
            if j < size:
                work.joint_dependent[depending] = k
                depending += 1
            else:
                work.joint_independent[free] = k
                free += 1
    return True


@kernel
def _choose(model, work, c):
    begin, first = model.cluster_begin[c], model.cluster_rows[c]
    columns, rows = model.cluster_begin[c + 1] - begin, model.cluster_rows[c + 1] - first
    matrix = work.closing_matrix[first:first + rows]
    row_order, order = work.closing_rows[first:first + rows], work.cluster_order[begin:]
    overall = 0.0
    for row in range(rows):
        row_order[row] = row
        for k in range(columns):
            matrix[row, k] = (work.gap_s[model.cluster_row[first + row], k]
                              * model.joint_size[model.cluster_joint[begin + k]])
            overall = max(overall, abs(matrix[row, k]))
    for row in range(rows):
        scale_closing_row(matrix, row, columns, overall)
    for k in range(columns):
        order[k] = k
    for step in range(dependent_count(model, c)):
        if not eliminate(matrix, step, rows, columns, row_order, order):
            return False
    return True


@kernel
def close_loops(model, work):
    """Newton's iteration for the dependent joints of s; write gap_s, factors and cluster_R.

    Returns False where they do not close, or only across a singular position.
    """
    last = 1e300
    for iteration in range(CLOSING_ITERATIONS):
        pose_bodies(model, work)
        evaluate_loops(model, work)
        change = 0.0
        for c in range(model.clusters):
            sign = _factor(model, work, c)
            if sign == 0.0 or (iteration > 0 and sign != work.closing_sign[c]):
                return False
            work.closing_sign[c] = sign
            change += solve_cluster(model, work, c, work.gap, work.joint_change)
            for j in range(dependent_count(model, c)):
                k = joint_in_order(model, work, c, j)
                work.s[k] -= work.joint_change[k]
        change /= model.clusters
        if closing_has_converged(change, last):
            pose_bodies(model, work)
            for c in range(model.clusters):
                _spread_independent(model, work, c)
            return True
        if not change < 1e6:
            return False
        last = change
    return False


@kernel
def _factor(model, work, c):
    """Factorise gap_s of a cluster's closing rows and dependent joints; return its sign."""
    begin, first, size = model.cluster_begin[c], model.cluster_rows[c], dependent_count(model, c)
    for i in range(size):
        row = model.cluster_row[first + work.closing_rows[first + i]]
        for j in range(size):
            work.closing_factor[begin + i, j] = work.gap_s[row, work.cluster_order[begin + j]]
    return lu_factor(work.closing_factor[begin:begin + size],
                     work.closing_pivots[begin:begin + size], size)


@kernel
def solve_cluster(model, work, c, right, out):
    """Write out at the dependent joints of cluster c: gap_s out = right; 0 at independent ones.

    Returns the sum of their sizes.
    """
    begin, first, size = model.cluster_begin[c], model.cluster_rows[c], dependent_count(model, c)
    for i in range(size):
        work.closing_vector[i] = right[model.cluster_row[first + work.closing_rows[first + i]]]
    lu_solve(work.closing_factor[begin:begin + size], work.closing_pivots[begin:begin + size],
             work.closing_vector, size)
    total = 0.0
    for j in range(model.cluster_begin[c + 1] - begin):
        k = joint_in_order(model, work, c, j)
        out[k] = work.closing_vector[j] if j < size else 0.0
        total += abs(out[k]) / model.joint_size[k]
    return total


@kernel
def _spread_independent(model, work, c):
    """Write cluster_R: the rates of the joints of cluster c per rate of each independent one."""
    begin, first, size = model.cluster_begin[c], model.cluster_rows[c], dependent_count(model, c)
    for i in range(model.cluster_freedoms[c]):
        slot = work.cluster_order[begin + size + i]
        for row in range(first, model.cluster_rows[c + 1]):
            work.gap_column[model.cluster_row[row]] = -work.gap_s[model.cluster_row[row], slot]
        solve_cluster(model, work, c, work.gap_column, work.joint_change)
        for j in range(model.cluster_begin[c + 1] - begin):
            work.cluster_R[begin + j, i] = work.joint_change[model.cluster_joint[begin + j]]
        work.cluster_R[begin + slot, i] = 1.0


@kernel
def spread_rates(model, work):
    """Write sd: the independent joint rates decide."""
    independent = work.independent_rates
    for c in range(model.clusters):
        begin, end, size = (model.cluster_begin[c], model.cluster_begin[c + 1],
                            dependent_count(model, c))
        freedoms = model.cluster_freedoms[c]
        for i in range(freedoms):
            independent[i] = work.sd[joint_in_order(model, work, c, size + i)]
        for j in range(begin, end):
            rate = 0.0
            for i in range(freedoms):
                rate += work.cluster_R[j, i] * independent[i]
            work.sd[model.cluster_joint[j]] = rate
