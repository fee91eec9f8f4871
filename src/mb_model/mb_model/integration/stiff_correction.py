"""Newton's correction of the accelerations at the end of an implicit step, for stiff forces.

The accelerations f that a formulation finds at the end, where a was assumed, change with a like
-M^-1 (h^2/4 K + h/2 C), K and C being stiffness and damping of the forces.  So

    (M + h^2/4 K + h/2 C) (next a - a) = M (f - a)

is Newton's step but for what the motion changes of inertia and constraints, which is little.  M is
of all coordinates with a penalty on the constraints, or of the independent joints.
"""


from mb_model.jit import kernel
from mb_model.kernels.forces import add_slopes
from mb_model.kernels.linear_algebra import lu_factor, lu_solve
from mb_model.kernels.semi_recursive import rates_of_joint, reduce_inertia
from mb_model.kernels.storage import (
    add_row,
    factor_tangent,
    multiply_mass,
    row_product,
    solve_tangent,
)


@kernel
def correct_coordinates(model, work, h, assumed):
    """Replace f in work.qdd by the next a; False if the forces are too unstable for it."""
    n, difference, change = model.n, work.assumed_error, work.correction
    for row in range(n):
        difference[row] = work.qdd[row] - assumed[row]
    multiply_mass(model, work, difference, change)
    for k in range(model.m):
        add_row(model, work, k, model.stiffness[k] * row_product(model, work, k, difference),
                change)
    if not factor_tangent(model, work, 1.0, 0.25 * h * h, 0.5 * h):
        return False
    solve_tangent(model, work, change)
    for row in range(n):
        work.qdd[row] = assumed[row] + change[row]
    return True


@kernel
def correct_joints(model, work, h, assumed):
    """Replace f in the independent joints of work.sdd by the next a; False as above."""
    n, g, slopes, rates = model.n, model.g, work.tangent, work.joint_directions
    change = work.joint_correction
    reduce_inertia(model, work)
    for row in range(n):
        for column in range(n):
            slopes[row, column] = 0.0
    add_slopes(model, work, 0.25 * h * h, 0.5 * h, slopes)
    for i in range(g):
        rates_of_joint(model, work, i, rates[i])
    for i in range(g):
        change[i] = 0.0
        for j in range(g):
            k = work.joint_independent[j]
            change[i] += work.M_bar[i, j] * (work.sdd[k] - assumed[k])
            total = work.M_bar[i, j]
            for row in range(n):
                for column in range(n):
                    total += rates[i, row] * slopes[row, column] * rates[j, column]
            work.newton[i, j] = total
    if lu_factor(work.newton, work.newton_pivots, g) == 0.0:
        return False
    lu_solve(work.newton, work.newton_pivots, change, g)
    for i in range(g):
        k = work.joint_independent[i]
        work.sdd[k] = assumed[k] + change[i]
    return True
