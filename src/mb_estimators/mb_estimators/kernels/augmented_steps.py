"""Prediction and correction of z, zd and parameters of the model together."""

from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    SINGULAR,
    apply_correction,
    observe_model,
    weigh_readings,
)
from mb_estimators.kernels.covariance import add_acceleration_noise, keep_positive, propagate
from mb_estimators.kernels.parameters import (
    acceleration_by_parameter,
    change_model,
    motion_by_parameters,
    observe_parameters,
)
from mb_estimators.kernels.transition import (
    accumulate_transition,
    end_sub_steps,
    is_stiff,
    linear_transition,
    what_is_left,
)
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    MATRIX_R,
    SOLVED,
    forward_dynamics,
    index3_al_step,
    linearise,
    prepare_derivatives,
    rosenbrock_substep as substep,
    solve_multipliers,
    solve_position,
)

_step = index3_al_step


@entry
def predict_augmented(models, works, filters, parameters, estimated, h):
    """Step the model by h [s] with the index-3 formulation; propagate P by the exact f_x.

    To the f_x of errorEKF_EJ the parameters add, at constant z and zd, the columns
    [h^2/2 dzdd/ds; h dzdd/ds; I]: they walk randomly, and change the accelerations by
    their exact derivatives.  Source: Rodriguez et al. 2023, Eq. (77) and Sec. 9.
    A stiff model goes by exponential sub-steps, as in predict_index3_exact.
    Returns False if the model cannot.
    """
    model, work, f, e = models[0], works[0], filters[0], estimated[0]
    if not forward_dynamics(model, work):
        return False
    linearise(model, work)
    if is_stiff(model, work, h):
        return _predict_stiff(model, work, f, parameters, e, h)
    _write_transition(model, work, f, parameters, e, h)
    if _step(model, work, h) < 0:
        return False
    propagate(f)
    _add_noise(f, e, model.g, h)
    return keep_positive(f)


@kernel
def _write_transition(model, work, f, parameters, e, h):
    """After linearise: write f.transition over h [s], its columns of the parameters too."""
    g = model.g
    linear_transition(model, work, f, h)
    prepare_derivatives(model, work)
    for c in range(e.count):
        acceleration_by_parameter(model, work, parameters, e, c)
        for k in range(g):
            f.transition[k, e.first + c] = 0.5 * h * h * work.zdd_parameter[k]
            f.transition[g + k, e.first + c] = h * work.zdd_parameter[k]


@kernel
def _add_noise(f, e, g, h):
    """Add the plant noise, and the walk of the parameters, to P."""
    add_acceleration_noise(f.P, f.acceleration_psd, g, h)
    for c in range(e.count):
        f.P[e.first + c, e.first + c] += e.walk[c] * h


@kernel
def _predict_stiff(model, work, f, parameters, e, h):
    """Step model and P in exponential sub-steps; leave the transition of all in f.transition.

    The parameters change the accelerations as they do at the end of each sub-step.
    """
    t, left, proposed = work.t, h, h
    while left > 0.0:
        done, proposed = substep(model, work, left, proposed, h, MATRIX_R)
        if done == 0.0:
            return False
        _write_transition(model, work, f, parameters, e, done)
        propagate(f)
        _add_noise(f, e, model.g, done)
        accumulate_transition(f, left == h)
        left = what_is_left(left, done)
    end_sub_steps(model, work, t + h)
    return keep_positive(f)


@kernel
def change_forces(work, e, before, after):
    """Let known forces act with gains and offsets that belong to s = after, not before, any more.

    Accelerations then follow from what the readings say of the forces.
    """
    for c in range(e.count):
        if e.force_of[c] >= 0:
            work.forces[e.force_of[c]] += e.by_parameter[c] * e.unit[c] * (after[c] - before[c])


@kernel
def correct_parameters(model, work, f, parameters, e):
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
    change_forces(work, e, e.s0, e.s)
    change_model(model, work, parameters, e, e.s)
    return solve_position(model, work) == SOLVED


@kernel
def return_parameters(model, work, parameters, e):
    """Go back to where correct_parameters began."""
    change_forces(work, e, e.s, e.s0)
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
    f.nis, f.rejected_count = 0.0, 0
    status = observe_model(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    if not forward_dynamics(model, work):
        return SINGULAR
    solve_multipliers(model, work)
    motion_by_parameters(model, work, parameters, e)
    observe_parameters(model, work, channels, f, e)
    status = weigh_readings(f, False)
    if status != CORRECTED or f.count == 0:
        return status
    status = IMPOSSIBLE
    if correct_parameters(model, work, f, parameters, e):
        status = apply_correction(model, work, f)
    if status != CORRECTED:
        return_parameters(model, work, parameters, e)
    return status
