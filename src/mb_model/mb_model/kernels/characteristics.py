"""Forces on coordinates by expressions: f(x) + g(v) of a coordinate x and its rate v.

Programs of the model (see kernels.programs) run on the stack of a workspace.
"""

from numba import float64, void

from mb_model.jit import kernel
from mb_model.kernels.programs import EXPRESSIONS, run
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK

_VECTOR, _MATRIX = WORK['q'], WORK['M']


@kernel
def _value(model, work, k, part, x):
    """Return (value, derivative) of f (part 0) or g (part 1) of force k at x."""
    run(model.curve_operations[k, part], model.curve_numbers[k, part], x, work.stack)
    return work.stack[0, 0], work.stack[0, 1]


@EXPRESSIONS.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def add_curves(model, work):
    """Add the forces at work.q, qd to work.Q."""
    for k in range(model.curves):
        coordinate = model.curve_coordinate[k]
        work.Q[coordinate] += (_value(model, work, k, 0, work.q[coordinate])[0]
                          + _value(model, work, k, 1, work.qd[coordinate])[0])


@EXPRESSIONS.separate(float64, MODEL, WORK, _VECTOR, _VECTOR, _VECTOR)
def curve_change(model, work, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd (n_total)."""
    total = 0.0
    for k in range(model.curves):
        coordinate = model.curve_coordinate[k]
        total += e[coordinate] * (
            _value(model, work, k, 0, work.q[coordinate])[1] * dq[coordinate]
            + _value(model, work, k, 1, work.qd[coordinate])[1] * dqd[coordinate])
    return total


@EXPRESSIONS.separate(void, MODEL, WORK, float64, float64, _MATRIX)
def add_curve_slopes(model, work, stiffness_share, damping_share, out):
    """Add shares of stiffness and damping to out, where they are positive."""
    for k in range(model.curves):
        coordinate = model.curve_coordinate[k]
        out[coordinate, coordinate] += (
            stiffness_share * max(-_value(model, work, k, 0, work.q[coordinate])[1], 0.0)
            + damping_share * max(-_value(model, work, k, 1, work.qd[coordinate])[1], 0.0))


@EXPRESSIONS.separate((float64, float64), MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def curve_power(model, work):
    """Return (power of f, power lost by g) at work.q, qd [W].

    What f stores is not known: its power counts as of forces from outside.
    """
    driven, lost = 0.0, 0.0
    for k in range(model.curves):
        coordinate = model.curve_coordinate[k]
        rate = work.qd[coordinate]
        driven += rate * _value(model, work, k, 0, work.q[coordinate])[0]
        lost -= rate * _value(model, work, k, 1, rate)[0]
    return driven, lost
