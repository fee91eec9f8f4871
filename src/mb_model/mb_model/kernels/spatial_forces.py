"""Forces of a mechanism in space, see space.force: of the model, and loads from outside."""

from numba import float64, int64, void

from mb_model.jit import by_number, kernel
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK
from mb_model.registry.spatial import ELEMENTS, IN_SPACE, kernels

_VECTOR = WORK['q']

_add, _change, _value_change, _weight_change, _add_slopes, _energy, _power = (
    by_number(kernels(ELEMENTS, name)) for name in (
        'add', 'change', 'value_change', 'weight_change', 'add_slopes', 'energy', 'power'))


@IN_SPACE.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def add_forces(model, work):
    """Add the generalized forces at work.q, qd to work.Q."""
    for k in range(model.elements):
        _add(model.element_kind[k], model, model.element_index[k], model.element_value[k], work.q,
             work.qd, work.Q)
    for k in range(work.loads):
        _add(work.load_kind[k], model, work.load_index[k], work.load_value[k], work.q, work.qd,
             work.Q)


@IN_SPACE.separate(void, MODEL, WORK, int64, WORK['q'])
def add_element(model, work, k, out):
    """Add the generalized forces of element k at work.q, qd to out (n_total).

    Loads from outside are no elements of the model, so they are not among these.
    """
    _add(model.element_kind[k], model, model.element_index[k], model.element_value[k], work.q,
         work.qd, out)


@IN_SPACE.separate(void, MODEL, WORK, float64, float64, WORK['tangent'])
def add_slopes(model, work, stiffness_share, damping_share, out):
    """Add shares of stiffness and damping (>= 0) to out."""
    for k in range(model.elements):
        _add_slopes(model.element_kind[k], model, model.element_index[k], model.element_value[k],
                    work.q, work.qd, stiffness_share, damping_share, out)


@IN_SPACE.separate(float64, MODEL, WORK, _VECTOR, _VECTOR, _VECTOR)
def change(model, work, dq, dqd, e):
    """Return e^T dQ for the changes dq, dqd (n_total)."""
    total = 0.0
    for k in range(model.elements):
        total += _change(model.element_kind[k], model, model.element_index[k],
                         model.element_value[k], work.q, work.qd, dq, dqd, e)
    for k in range(work.loads):
        total += _change(work.load_kind[k], model, work.load_index[k], work.load_value[k], work.q,
                         work.qd, dq, dqd, e)
    return total


@kernel
def is_changed(changes):
    """Return whether one of changes (k) is not zero."""
    changed = False
    for k in range(changes.size):
        changed = changed or changes[k] != 0.0
    return changed


@IN_SPACE.separate(float64, MODEL, WORK, _VECTOR)
def value_change(model, work, e):
    """Return e^T dQ for changes of the numbers of the model's forces and of weights of terms."""
    total = 0.0
    for k in range(model.elements):
        if is_changed(work.d_element_value[k]):
            total += _value_change(
                model.element_kind[k], model, model.element_index[k], model.element_value[k],
                work.d_element_value[k], work.q, work.qd, e)
        if work.moving_terms:
            total += _weight_change(model.element_kind[k], model, work.d_term_weight,
                                   model.element_index[k], model.element_value[k], work.q, work.qd,
                                   e)
    return total


@IN_SPACE.separate(float64, MODEL, _VECTOR, later=(SPARSE_MODEL, _VECTOR))
def energy(model, q):
    """Return the energy stored in springs [J]."""
    total = 0.0
    for k in range(model.elements):
        total += _energy(model.element_kind[k], model, model.element_index[k],
                         model.element_value[k], q)
    return total


@IN_SPACE.separate((float64, float64), MODEL, _VECTOR, _VECTOR,
                   later=(SPARSE_MODEL, _VECTOR, _VECTOR))
def power(model, q, qd):
    """Return (driving, lost) power [W]."""
    driven, lost = 0.0, 0.0
    for k in range(model.elements):
        driving, losing = _power(model.element_kind[k], model, model.element_index[k],
                                 model.element_value[k], q, qd)
        driven += driving
        lost += losing
    return driven, lost
