"""Coordinates added to the points' (angles, distances, travels), from where the points are."""


from mb_model.jit import kernel
from mb_model.kernels.constraints import coordinate_one, evaluate_one, second_one


@kernel
def added_values(model, work):
    """Write the added coordinates of q, and the rows of phi_q of the constraints that define them.

    Angles are taken next to their old values.
    """
    for column in range(model.moving, model.n):
        k = model.added_constraint[column - model.moving]
        work.q[column] = coordinate_one(
            model.constraint_kind[k], model.constraint_index[k], model.constraint_value[k], work.q,
            work.q[column])
        evaluate_row(model, work, k)


@kernel
def added_rates(model, work, v):
    """Write the added coordinates of rates v (n) from the others."""
    for column in range(model.moving, model.n):
        v[column] = _by_points(model, work, column, v)


@kernel
def added_accelerations(model, work):
    """Write the added coordinates of qdd from the others and qd."""
    for column in range(model.moving, model.n):
        k, row = model.added_constraint[column - model.moving], _row(model, column)
        work.qdd[column] = (_by_points(model, work, column, work.qdd)
                            - turning(model, work, k) / work.phi_q[row, column])


@kernel
def _by_points(model, work, column, v):
    """Return the rate of an added coordinate for the rates v of the points."""
    row, total = _row(model, column), 0.0
    for other in range(model.moving):
        total -= work.phi_q[row, other] * v[other]
    return total / work.phi_q[row, column]


@kernel
def forces_to_points(model, work):
    """Replace forces on added coordinates in Q by forces on points with the same power."""
    for column in range(model.moving, model.n):
        if work.Q[column] != 0.0:
            row = _row(model, column)
            push = work.Q[column] / work.phi_q[row, column]
            for other in range(model.moving):
                work.Q[other] -= push * work.phi_q[row, other]


@kernel
def evaluate_row(model, work, k):
    """Write phi and phi_q of constraint k, which has one row."""
    row = model.constraint_row[k]
    for column in range(model.n_total):
        work.phi_q[row, column] = 0.0
    evaluate_one(model.constraint_kind[k], model.constraint_index[k], model.constraint_value[k],
                 work.q, work.phi, work.phi_q, row)


@kernel
def turning(model, work, k):
    """Return phi_q_dot qd of constraint k, which has one row."""
    row, total = model.constraint_row[k], 0.0
    for column in range(model.n_total):
        work.phi_q_dot[row, column] = 0.0
    second_one(model.constraint_kind[k], model.constraint_index[k], model.constraint_value[k],
               work.q, work.qd, work.phi_q_dot, row)
    for column in range(model.n):
        total += work.phi_q_dot[row, column] * work.qd[column]
    return total


@kernel
def _row(model, column):
    return model.constraint_row[model.added_constraint[column - model.moving]]
