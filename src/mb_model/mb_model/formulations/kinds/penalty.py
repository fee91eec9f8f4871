"""The penalty method: violated constraints push back like stiff damped springs.

See kernels.penalty, which the augmented Lagrangian uses, too.
"""

from mb_model.formulations.formulation import FormulationKind, Integrates
from mb_model.formulations.stabilisation import PenaltySettings
from mb_model.jit import kernel
from mb_model.kernels import penalty
from mb_model.kernels.step_state import begin_accelerations, end_accelerations

_accelerations, _inverse = penalty.accelerations, penalty.inverse


@kernel
def accelerations(model, work):
    """At work.q, qd, forces: write qdd, lam, z, zd, zdd.

    Returns False where the masses do not decide qdd.
    """
    begin_accelerations(model, work)
    return end_accelerations(model, work, _accelerations(model, work, 1))


@kernel
def inverse(model, work):
    """At work.q (solved), zd, zdd: write forces, lam, qd, qdd.  False at a singular position."""
    return _inverse(model, work, 1)


FORMULATION = FormulationKind(
    'penalty', 'violated constraints push back like stiff damped springs', Integrates.COORDINATES,
    accelerations, inverse, Settings=PenaltySettings, sparse_dimensions=(2, 3))
