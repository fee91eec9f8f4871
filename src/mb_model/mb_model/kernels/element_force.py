"""What one force of a mechanism in space does by itself; all of them: see spatial_forces."""

from numba import int64, void

from mb_model.jit import by_number
from mb_model.record import MODEL, WORK
from mb_model.registry.spatial import ELEMENTS, IN_SPACE, kernels

_add = by_number(kernels(ELEMENTS, 'add'))


@IN_SPACE.separate(void, MODEL, WORK, int64, WORK['q'])
def add_element(model, work, k, out):
    """Add the generalized forces of element k at work.q, qd to out (n_total).

    Loads from outside are no elements of the model, so they are not among these.
    """
    _add(model.element_kind[k], model, model.element_index[k], model.element_value[k], work.q,
         work.qd, out)
