"""Steps of the filter of pulses: errorEKF_FE whose force is coloured noise, and hypotheses."""

from math import exp

from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    add_force,
    apply_correction,
    move_model,
    observe_model,
)
from mb_estimators.kernels.covariance import keep_positive, propagate
from mb_estimators.kernels.gain import copy_innovation, kalman_gain
from mb_estimators.kernels.gate import leave_out_incredible
from mb_estimators.kernels.pulses import (
    add_force_noise,
    answer,
    begin_hypotheses,
    end_hypotheses,
    hold_known,
    judge_hypotheses,
    limit_innovation,
    move_hypotheses,
    take_up_lash,
    weigh_hypotheses,
)
from mb_estimators.kernels.sensor_states import correct_biases
from mb_estimators.kernels.transition import linear_transition
from mb_model.jit import entry
from mb_model.kernel_api import (
    carry_errors,
    carry_vectors,
    force_derivative,
    forward_dynamics,
    index3_al_step,
    linearise,
)

_step = index3_al_step


@entry
def predict_pulses(models, works, filters, pulses, h):
    """Step the model by h [s] with the index-3 formulation, P by the exact f_x, and hypotheses.

    As errorEKF_FE (Rodriguez et al. 2023, Sec. 7.3), with acceleration errors that
    decay: a force of coloured noise, stronger where the machine is fast or the known force is large
    or jumps.  Returns False if the model cannot.
    """
    model, work, f, p = models[0], works[0], filters[0], pulses[0]
    g = model.g
    if not forward_dynamics(model, work):
        return False
    linearise(model, work)
    force_derivative(model, work, p.by_known)
    linear_transition(model, work, f, h)
    for k in range(g):
        f.transition[2 * g + k, 2 * g + k] = exp(-h / p.time)
    hold_known(p, g, h)
    begin_hypotheses(p, g, h)
    if _step(model, work, h) < 0:
        return False
    propagate(f)
    add_force_noise(work, f, p, g, h)
    move_hypotheses(f, p, g, h)
    return keep_positive(f)


@entry
def correct_pulses(models, works, channels, filters, pulses, readings):
    """Correct model, f.P and hypotheses by readings (NaN where there is none).

    As kernels.correction.correct; readings far from the prediction count less, but the innovation
    that f has at the end, which gates judge, is the one that was expected before.  A pulse that was
    there and is over is then taken into the states.
    Returns CORRECTED or why not; then the state and f.P are as they were.
    """
    model, work, f, p = models[0], works[0], filters[0], pulses[0]
    p.ended = p.adopted_now = 0
    status = observe_model(model, work, channels, f, readings)
    if status != CORRECTED:
        return status
    leave_out_incredible(f, False)
    f.nis = 0.0
    if f.count == 0:
        return CORRECTED
    take_up_lash(f, p, model.g)
    if not kalman_gain(f):
        return NOT_POSITIVE
    copy_innovation(f, p, f.count)
    if limit_innovation(f, p.limit) and not kalman_gain(f):
        return NOT_POSITIVE
    status = apply_correction(model, work, f)
    if status != CORRECTED:
        return status
    weigh_hypotheses(f, p)
    copy_innovation(p, f, f.count)
    judge_hypotheses(p)
    answer(p, model.g)
    if end_hypotheses(f, p):
        if not move_model(model, work, f):
            return IMPOSSIBLE
        add_force(model, work, f)
        correct_biases(f)
    return CORRECTED


@entry
def follow_with_effects(pulses, g, indices, changes):
    """After follow_bodies has moved references: carry what pulses do to the states over.

    Effects are errors, as the columns of f.P are.  indices, changes: as in follow_bodies.
    """
    p = pulses[0]
    effects, count = p.effect[:].T, p.effect.shape[0]
    carry_errors(changes, indices, g, effects, count)
    carry_vectors(changes, indices, 2 * g, effects, count)
