"""Prediction of z, zd and parameters of the model together."""


from mb_estimators.kernels.covariance import add_acceleration_noise, keep_positive, propagate
from mb_estimators.kernels.parameter_observation import acceleration_by_parameter
from mb_estimators.kernels.stiff_steps import (
    accumulate_transition,
    end_sub_steps,
    is_stiff,
    what_is_left,
)
from mb_estimators.kernels.transition import linear_transition
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    MATRIX_R,
    forward_dynamics,
    index3_al_step,
    linearise,
    prepare_derivatives,
    rosenbrock_substep as substep,
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
