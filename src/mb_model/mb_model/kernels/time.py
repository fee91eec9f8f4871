"""Time, and the coordinates that are prescribed as functions of it.

A prescribed coordinate p follows a driven entry s, behind the fixed points in q, qd and qdd, by the
constraint q[p] - q[s] = 0, so that -phi_t and -phi_tt of its equation are qd[s] and qdd[s].
"""


from mb_model.jit import kernel
from mb_model.kernels.programs import run


@kernel
def set_time(model, work, t):
    """Write work.t and the driven entries of work.q, qd and qdd."""
    work.t = t
    for k in range(model.driven):
        row = model.n_total - model.driven + k
        run(model.driven_operations[k], model.driven_numbers[k], t, work.stack)
        work.q[row], work.qd[row], work.qdd[row] = (
            work.stack[0, 0], work.stack[0, 1], work.stack[0, 2])


@kernel
def add_driven(model, rates, factor, out):
    """Add factor times the driven entries of rates to their equations of out (m).

    With qd and factor -1 this is phi_t, with qdd phi_tt.
    """
    for k in range(model.driven):
        out[model.driven_row[k]] += factor * rates[model.n_total - model.driven + k]


@kernel
def rest_driven(model, work):
    """Move the driven entries of work.q to where their coordinates are."""
    for k in range(model.driven):
        work.q[model.n_total - model.driven + k] = work.q[model.driven_coordinate[k]]
