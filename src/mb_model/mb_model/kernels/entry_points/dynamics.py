"""Forward dynamics, and a step of the formulation that most use."""

from mb_model.jit import entry
from mb_model.kernels import index3_al, matrix_r, sparse_dynamics
from mb_model.kernels.storage import by_storage

_forward = by_storage(matrix_r.forward_dynamics, sparse_dynamics.forward_dynamics)
_multipliers = by_storage(matrix_r.solve_multipliers, sparse_dynamics.solve_multipliers)
_step_index3 = index3_al.step


@entry
def forward_dynamics(models, works):
    """See kernels.matrix_r.forward_dynamics; writes the multipliers lam as well."""
    if not _forward(models[0], works[0]):
        return False
    _multipliers(models[0], works[0])
    return True


@entry
def step_index3_al(models, works, h):
    """See kernels.index3_al.step."""
    return _step_index3(models[0], works[0], h)
