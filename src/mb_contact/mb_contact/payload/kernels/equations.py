"""The equations of motion of an instant, without solving them for masses."""

from mb_contact.payload.kernels.noise import state_derivatives
from mb_contact.payload.kernels.residual import residual
from mb_model.jit import entry


@entry
def equations(models, works, circuits, fluids, instants, known, q, P):
    """At works.z, zd, zdd, fluids.p: write residual, by_mass, by_factor, by_state, moving.

    known, q, P: as in residual.  Returns False where there is no position, or no finite result.
    """
    if not residual(models[0], works[0], circuits[0], fluids[0], instants[0], known, q, P):
        return False
    state_derivatives(models[0], works[0], circuits[0], fluids[0], instants[0])
    return True
