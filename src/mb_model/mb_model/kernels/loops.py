"""Closing the loops of a tree of joints: by what joins bodies beside the tree.

The joint coordinates split into independent and dependent ones, chosen by pivoting; so
sd = joint_R sd_i.  Source: Pyrhonen et al. 2023b, Eqs. (4) and (5).
"""


from mb_model.jit import kernel
from mb_model.kernels.linear_algebra import SINGULAR, lu_factor, lu_solve
from mb_model.kernels.newton import has_converged
from mb_model.kernels.tree import closing_rows, evaluate_loops, pose_bodies

CLOSING_ITERATIONS = 20
_TOLERANCE = 1e-13        # of the last increment, in radians and sizes of the mechanism
_NOTHING = 1e-10          # of the largest slope: in a row of such it is rounding
_ROUNDING = 1e-9          # an increment this small that shrinks no more is rounding


@kernel
def scale_closing_row(matrix, row, columns, overall):
    """Divide a row by its largest entry, unless it is nothing beside the largest one overall."""
    largest = _NOTHING * overall
    for k in range(columns):
        largest = max(largest, abs(matrix[row, k]))
    for k in range(columns):
        matrix[row, k] /= max(largest, 1e-300)


@kernel
def closing_has_converged(change, last):
    """Return whether an increment of the dependent joints is the last one."""
    return has_converged(change, last, _TOLERANCE, _ROUNDING, 0.25)


@kernel
def choose_joints(model, work):
    """At s: choose dependent joints and as many closing equations by pivoting for size.

    Returns False in a position where fewer equations decide the motion.
    """
    pose_bodies(model, work)
    evaluate_loops(model, work)
    rows, size = closing_rows(model), model.joints - model.g
    matrix, overall = work.closing_matrix, 0.0
    for row in range(rows):
        work.closing_rows[row] = row
        for k in range(model.joints):
            matrix[row, k] = work.gap_s[row, k] * model.joint_size[k]
            overall = max(overall, abs(matrix[row, k]))
    for row in range(rows):
        scale_closing_row(matrix, row, model.joints, overall)
    for k in range(model.joints):
        work.joint_dependent[k] = k
    for step in range(size):
        if not eliminate(matrix, step, rows, model.joints, work.closing_rows,
                         work.joint_dependent):
            return False
    for k in range(model.g):
        work.joint_independent[k] = work.joint_dependent[size + k]
    return True


@kernel
def eliminate(matrix, step, rows, columns, row_order, column_order):
    """One step of Gauss's elimination with complete pivoting; False without a pivot."""
    pivot_row, pivot_column, pivot = step, step, 0.0
    for row in range(step, rows):
        for column in range(step, columns):
            if abs(matrix[row, column]) > pivot:
                pivot_row, pivot_column, pivot = row, column, abs(matrix[row, column])
    if not pivot > SINGULAR:
        return False
    row_order[step], row_order[pivot_row] = row_order[pivot_row], row_order[step]
    column_order[step], column_order[pivot_column] = (
        column_order[pivot_column], column_order[step])
    for column in range(columns):
        matrix[step, column], matrix[pivot_row, column] = (
            matrix[pivot_row, column], matrix[step, column])
    for row in range(rows):
        matrix[row, step], matrix[row, pivot_column] = (
            matrix[row, pivot_column], matrix[row, step])
    for row in range(step + 1, rows):
        factor = matrix[row, step] / matrix[step, step]
        for column in range(step, columns):
            matrix[row, column] -= factor * matrix[step, column]
    return True


@kernel
def close_loops(model, work):
    """Newton's iteration for the dependent joints of s; write gap_s, its factor and joint_R.

    Returns False where they do not close, or only across a singular position.
    """
    size = model.joints - model.g
    first_sign, last, closed = 0.0, 1e300, False
    for _ in range(CLOSING_ITERATIONS):
        pose_bodies(model, work)
        evaluate_loops(model, work)
        sign = _factor(model, work, size)
        if sign == 0.0:
            return False
        if first_sign == 0.0:
            first_sign = sign
        change = solve_loops(model, work, work.gap, work.joint_change)
        for j in range(size):
            k = work.joint_dependent[j]
            work.s[k] -= work.joint_change[k]
        closed = closing_has_converged(change, last)
        if closed or not change < 1e6:
            break
        last = change
    if not closed or sign != first_sign:
        return False
    pose_bodies(model, work)
    for i in range(model.g):
        independent = work.joint_independent[i]
        for row in range(closing_rows(model)):
            work.gap_column[row] = -work.gap_s[row, independent]
        solve_loops(model, work, work.gap_column, work.joint_change)
        for k in range(model.joints):
            work.joint_R[k, i] = work.joint_change[k]
        work.joint_R[independent, i] = 1.0
    return True


@kernel
def solve_loops(model, work, right, out):
    """Write out (joints): dependent joints that make gap_s out = right, independent ones 0.

    Returns the sum of their sizes.
    """
    size, total = model.joints - model.g, 0.0
    for row in range(size):
        work.closing_vector[row] = right[work.closing_rows[row]]
    lu_solve(work.large, work.large_pivots, work.closing_vector, size)
    for k in range(model.joints):
        out[k] = 0.0
    for j in range(size):
        k = work.joint_dependent[j]
        out[k] = work.closing_vector[j]
        total += abs(out[k]) / model.joint_size[k]
    return total


@kernel
def _factor(model, work, size):
    """Factorise gap_s of closing_rows and dependent joints into large; return its sign."""
    for row in range(size):
        for j in range(size):
            work.large[row, j] = work.gap_s[work.closing_rows[row], work.joint_dependent[j]]
    return lu_factor(work.large, work.large_pivots, size)
