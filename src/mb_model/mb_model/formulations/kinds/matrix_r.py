"""The equations of motion of the degrees of freedom alone: see kernels.matrix_r."""

from mb_model.formulations.formulation import FormulationKind, Integrates
from mb_model.jit import kernel
from mb_model.kernels import matrix_r
from mb_model.kernels.position import SOLVED, solve_position
from mb_model.kernels.step_state import begin_accelerations

_forward, _inverse = matrix_r.forward_dynamics, matrix_r.inverse_dynamics


@kernel
def accelerations(model, work):
    """At positions and rates of the degrees of freedom, forces: write all of q, qd, qdd, zdd.

    Returns False where they cannot be solved for.
    """
    begin_accelerations(model, work)
    return solve_position(model, work) == SOLVED and _forward(model, work)


@kernel
def inverse(model, work):
    """At work.q (solved), zd, zdd: write forces.  Returns False at a singular position."""
    return _inverse(model, work, work.forces)


FORMULATION = FormulationKind(
    'matrix_r', 'the equations of motion of the degrees of freedom alone', Integrates.INDEPENDENT,
    accelerations, inverse, multipliers=matrix_r.solve_multipliers, rolls=True)
