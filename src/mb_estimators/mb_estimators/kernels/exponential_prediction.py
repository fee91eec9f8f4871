"""Prediction by the matrix exponential: of the motion in sub-steps, of the covariance with them."""


from mb_estimators.kernels.covariance import keep_positive, propagate
from mb_estimators.kernels.exponential_transition import exponential_step, state_of
from mb_estimators.kernels.parameter_observation import accelerations_by_parameters
from mb_estimators.kernels.stiff_steps import accumulate_transition, end_sub_steps, what_is_left
from mb_model.jit import entry, kernel
from mb_model.kernel_api import MATRIX_R, forward_dynamics, rosenbrock_substep as substep


@entry
def predict_exponential(models, works, filters, exponentials, parameters, estimated, h):
    """Step z, zd over h [s] in sub-steps by their local error; propagate P in each by exp(J t).

    Pyrhonen et al. 2023a, Eqs. (22)-(27), (47), (54), with the exponential whole, and with the term
    of mb_model.integration.exponential_rosenbrock for what is not linear.  Parameters change the
    accelerations as at the start of each sub-step.
    Leaves the transition of the whole step in f.transition.  Returns False if the model cannot.
    """
    model, work, f, e = models[0], works[0], filters[0], exponentials[0]
    if not forward_dynamics(model, work):
        return False
    t, left, proposed = work.t, h, h
    while left > 0.0:
        accelerations_by_parameters(model, work, parameters, estimated[0], e.zdd_s)
        done, proposed = substep(model, work, left, proposed, h, MATRIX_R)
        if done == 0.0 or not exponential_step(f, e, work.A, work.B, model.g, done):
            return False
        propagate(f)
        _add_noise(f, e, model.g)
        accumulate_transition(f, left == h)
        left = what_is_left(left, done)
    end_sub_steps(model, work, t + h)
    return keep_positive(f)


@kernel
def _add_noise(f, e, g):
    """Add e.noise to P."""
    n = 2 * g + e.count
    for i in range(n):
        row = state_of(e, g, i)
        for j in range(n):
            f.P[row, state_of(e, g, j)] += e.noise[i, j]
