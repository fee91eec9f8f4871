"""Forward dynamics, and a step of the formulation that most use."""

from mb_model.jit import entry
from mb_model.kernels import index3_al, matrix_r, penalty, sparse_dynamics, step_state
from mb_model.kernels.storage import by_storage

_forward = by_storage(matrix_r.forward_dynamics, sparse_dynamics.forward_dynamics)
_multipliers = by_storage(matrix_r.solve_multipliers, sparse_dynamics.solve_multipliers)
_step_index3, _augmented = index3_al.step, penalty.augmented_accelerations
_begin_renewal, _end_renewal = step_state.begin_renewal, step_state.end_renewal


@entry
def forward_dynamics(models, works):
    """See kernels.matrix_r.forward_dynamics; writes the multipliers lam as well."""
    if not _forward(models[0], works[0]):
        return False
    _multipliers(models[0], works[0])
    return True


@entry
def step_index3_al(models, works, h):
    """See kernels.index3_al.step; returns whether it could."""
    return _step_index3(models[0], works[0], h) > 0


@entry
def renew_index3_al(models, works):
    """Find the accelerations of the present state anew if the forces from outside have changed.

    Returns False, the state unchanged, where they cannot be solved for.
    """
    model, work = models[0], works[0]
    return not _begin_renewal(model, work) or _end_renewal(
        model, work, _augmented(model, work))
