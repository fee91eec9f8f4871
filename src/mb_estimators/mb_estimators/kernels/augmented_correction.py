"""Correction of z, zd and parameters of the model together."""


from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    SINGULAR,
    apply_correction,
)
from mb_estimators.kernels.gain import kalman_gain
from mb_estimators.kernels.gate import leave_out_impossible
from mb_estimators.kernels.observation import observe
from mb_estimators.kernels.parameter_observation import motion_by_parameters, observe_parameters
from mb_estimators.kernels.parameter_values import change_model
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    SOLVED,
    forward_dynamics,
    solve_multipliers,
    solve_position,
    solve_velocity,
)


@kernel
def _change_forces(work, e, before, after):
    """Let known forces act with gains and offsets that belong to s = after, not before, any more.

    Accelerations then follow from what the readings say of the forces.
    """
    for c in range(e.count):
        if e.force_of[c] >= 0:
            work.forces[e.force_of[c]] += e.by_parameter[c] * e.unit[c] * (after[c] - before[c])


@kernel
def _correct_parameters(model, work, f, parameters, e):
    """Add the correction f.dx to the parameters; close the mechanism with them at the same z.

    Returns whether it closes.
    """
    for row in range(model.n):
        e.q0[row] = work.q[row]
    for c in range(e.count):
        e.s0[c] = e.s[c]
        e.s[c] += f.dx[e.first + c]
        for row in range(model.n):
            work.q[row] += e.q_s[row, c] * f.dx[e.first + c]
    _change_forces(work, e, e.s0, e.s)
    change_model(model, work, parameters, e, e.s)
    return solve_position(model, work) == SOLVED


@kernel
def _return_parameters(model, work, parameters, e):
    """Go back to where _correct_parameters began."""
    _change_forces(work, e, e.s, e.s0)
    for c in range(e.count):
        e.s[c] = e.s0[c]
    change_model(model, work, parameters, e, e.s)
    for row in range(model.n):
        work.q[row] = e.q0[row]
    forward_dynamics(model, work)
    solve_multipliers(model, work)


@entry
def correct_augmented(models, works, channels, filters, parameters, estimated, readings):
    """Correct the model, its parameters and f.P by readings (NaN where there is none).

    As kernels.correction.correct; readings depend on parameters through positions, velocities and
    accelerations of the mechanism.  What sensors know of it, such as gravity, stays.
    Returns CORRECTED or why not; then the state and f.P are as they were.
    """
    model, work, f, e = models[0], works[0], filters[0], estimated[0]
    if not solve_velocity(model, work) or not observe(model, work, channels, f, readings):
        return SINGULAR
    f.nis, f.rejected_count = 0.0, 0
    if f.count == 0:
        return CORRECTED
    if not forward_dynamics(model, work):
        return SINGULAR
    solve_multipliers(model, work)
    motion_by_parameters(model, work, parameters, e)
    observe_parameters(model, work, channels, f, e)
    leave_out_impossible(f)
    if f.count == 0:
        return CORRECTED
    if not kalman_gain(f):
        return NOT_POSITIVE
    status = IMPOSSIBLE
    if _correct_parameters(model, work, f, parameters, e):
        status = apply_correction(model, work, f)
    if status != CORRECTED:
        _return_parameters(model, work, parameters, e)
    return status
