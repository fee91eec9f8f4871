"""Every formulation of the equations of motion by its number: forward, inverse, multipliers."""

from numba import int64

from mb_model.jit import also, kernel, separate
from mb_model.kernels import (
    closed_form,
    coordinate_partitioning,
    lagrange,
    loops,
    matrix_r,
    penalty,
    semi_recursive,
)
from mb_model.kernels.formulation_numbers import (
    CLOSED_FORM,
    COORDINATE_PARTITIONING,
    LAGRANGE,
    MATRIX_R,
    PENALTY,
    SEMI_RECURSIVE,
)
from mb_model.kernels.position import SOLVED, solve_position
from mb_model.kernels.sparse_dynamics import not_offered
from mb_model.kernels.step_state import begin_accelerations, end_accelerations
from mb_model.kernels.storage import by_storage
from mb_model.kernels.velocity import solve_velocity
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK

_matrix_r = by_storage(matrix_r.forward_dynamics, not_offered)
_matrix_r_inverse = matrix_r.inverse_dynamics
_solve_multipliers = matrix_r.solve_multipliers
_partitioned = by_storage(coordinate_partitioning.accelerations, not_offered)
_partitioned_inverse = coordinate_partitioning.inverse
_lagrange, _lagrange_inverse = lagrange.accelerations, lagrange.inverse
_closed_form = by_storage(closed_form.accelerations, not_offered)
_closed_form_inverse = closed_form.inverse
_penalty, _penalty_inverse = penalty.accelerations, penalty.inverse
_joints = by_storage(semi_recursive.accelerations, not_offered)
_joints_inverse = semi_recursive.inverse
_choose_joints = by_storage(loops.choose_joints, not_offered)
_AUGMENTED_PASSES = penalty.AUGMENTED_PASSES


@kernel
def integrates_all(formulation):
    """Return whether all coordinates are integrated; else the degrees of freedom alone."""
    return formulation in (PENALTY, LAGRANGE, CLOSED_FORM)


@kernel
def _passes(formulation):
    return 1 if formulation == PENALTY else _AUGMENTED_PASSES


@kernel
def choose_coordinates(model, work, formulation):
    """Before a step: choose what is integrated in it; False where that is not possible."""
    return formulation != SEMI_RECURSIVE or _choose_joints(model, work)


@also(SPARSE_MODEL, SPARSE_WORK, int64)
@separate(MODEL, WORK, int64)
def accelerations(model, work, formulation):
    """At work.q, qd (of the integrated coordinates), forces: write qdd, z, zd, zdd, and q, qd.

    The semi-recursive formulation has s, sd, sdd instead, and writes the others from them.
    Returns False where they cannot be found; work is not to be relied on then.
    """
    if formulation == SEMI_RECURSIVE:
        return _joints(model, work)
    begin_accelerations(model, work)
    if formulation == MATRIX_R:
        return solve_position(model, work) == SOLVED and _matrix_r(model, work)
    if formulation == COORDINATE_PARTITIONING:
        solved = (solve_position(model, work) == SOLVED and solve_velocity(model, work)
                  and _partitioned(model, work))
    elif formulation == LAGRANGE:
        solved = _lagrange(model, work)
    elif formulation == CLOSED_FORM:
        solved = _closed_form(model, work)
    else:
        solved = _penalty(model, work, _passes(formulation))
    return end_accelerations(model, work, solved)


@kernel
def balance(model, work, formulation):
    """Accelerations, and the multipliers that belong to them: M qdd + phi_q^T lam = Q."""
    if not accelerations(model, work, formulation):
        return False
    if formulation in (MATRIX_R, COORDINATE_PARTITIONING):
        _solve_multipliers(model, work)
    return True


@kernel
def inverse_dynamics(model, work, formulation):
    """At work.q (solved), zd, zdd: write work.forces (g), what the motion needs beside the model's.

    Returns False at a singular position.
    """
    if formulation == SEMI_RECURSIVE:
        return _joints_inverse(model, work)
    if formulation == MATRIX_R:
        return _matrix_r_inverse(model, work, work.forces)
    if formulation == COORDINATE_PARTITIONING:
        return _partitioned_inverse(model, work)
    if formulation == LAGRANGE:
        return _lagrange_inverse(model, work)
    if formulation == CLOSED_FORM:
        return _closed_form_inverse(model, work)
    return _penalty_inverse(model, work, _passes(formulation))
