"""What a filter knows of bodies that roll: they do not slip, and so errors of its state do not.

With the slip s, differentiated as ds = D dz + A dzd, and the impulses Y that stop a slip, errors
become dzd - Y ds, which make nothing slip.  So neither noise nor correction adds uncertainty
where the bodies cannot go.  What is left is SLIP, which keeps P positive definite.
"""

from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    congruence,
    differentiate_slips,
    forward_dynamics,
    linearise,
    solve_multipliers,
    stop_slips,
)

SLIP = 1e-3        # m/s: deviation of slips that a filter believes in


@kernel
def _hold_covariance(model, work, f):
    """After differentiate_slips: P = T P T^T + SLIP^2 Y Y^T with T = I - Y [D, A]."""
    g, left = model.g, f.left
    for i in range(f.states):
        for j in range(f.states):
            left[i, j] = 1.0 if i == j else 0.0
    for row in range(2 * model.rolls):
        for k in range(g):
            for i in range(g):
                left[g + k, i] -= work.slip_stop[row, k] * work.slip_by_z[row, i]
                left[g + k, g + i] -= work.slip_stop[row, k] * work.slip_z[row, i]
    congruence(left, f.P, f.states, f.states, f.product, f.P)
    for row in range(2 * model.rolls):
        for k in range(g):
            for i in range(g):
                f.P[g + k, g + i] += SLIP * SLIP * work.slip_stop[row, k] * work.slip_stop[row, i]


@entry
def hold_bodies(models, works, filters):
    """Let nothing slip in z, zd and their errors.  Returns False at a singular position."""
    model, work, f = models[0], works[0], filters[0]
    if not forward_dynamics(model, work):
        return False
    stop_slips(model, work)
    if not forward_dynamics(model, work):
        return False
    solve_multipliers(model, work)
    linearise(model, work)
    differentiate_slips(model, work)
    _hold_covariance(model, work, f)
    return True
