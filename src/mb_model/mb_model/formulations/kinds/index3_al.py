"""Index-3 augmented Lagrangian in dependent coordinates: see kernels.index3_al.

No other integrator than the trapezoidal rule: the equations are of positions at the end of a
step, with that rule put in, and the projections undo what it does to velocities.
"""

from dataclasses import dataclass

from mb_model.formulations.formulation import FormulationKind, Integrates
from mb_model.jit import kernel
from mb_model.kernels import entry_points, penalty
from mb_model.record import ITERATIONS, TOLERANCE
from mb_model.settings import Settings, setting

_inverse, _PASSES = penalty.inverse, penalty.AUGMENTED_PASSES


@dataclass(frozen=True)
class Index3Settings(Settings):
    """When Newton's iteration of a step ends."""

    newton_tolerance: float = setting(TOLERANCE, unit='1/s', above=0.0,
                                      help='Last increment of the coordinates over the step, in '
                                           'radians and sizes of the mechanism')
    iterations: int = setting(ITERATIONS, at_least=1, help='The most of them')


@kernel
def inverse(model, work):
    """At work.q (solved), zd, zdd: write forces, lam, qd, qdd.  False at a singular position."""
    return _inverse(model, work, _PASSES)


def _step():
    return entry_points.step_index3_al


def _renewal():
    return entry_points.renew_index3_al


FORMULATION = FormulationKind(
    'index3_al', 'index-3 augmented Lagrangian, projected', Integrates.COORDINATES,
    penalty.augmented_accelerations, inverse, Settings=Index3Settings, sparse_dimensions=(2, 3),
    steps={'trapezoidal': _step}, renewal=_renewal)
