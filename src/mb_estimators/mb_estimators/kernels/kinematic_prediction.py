"""Prediction by kinematics alone: Taylor's series, or measured accelerations as inputs."""

from math import isfinite

from mb_estimators.kernels.covariance import propagate
from mb_estimators.kernels.motion_observation import list_present, observe_motion, settle_position
from mb_estimators.kernels.motion_prediction import add_walk, predict_motion
from mb_estimators.records.filter import L
from mb_model.jit import INTEGER, REAL, RecordType, entry, kernel
from mb_model.kernel_api import add_information, cholesky_factor, cholesky_solve
from mb_model.record import G

STAGES = RecordType(
    'mb_estimators.kernels.kinematic_prediction.STAGES', scheme=[
    ('count', INTEGER),                                # of stages, 1, 2 or 4
    ('share', REAL, (4,)),                             # of the step at which a stage is
    ('weight', REAL, (4,)),                            # of its slope
    ('difference', REAL, (G,)),                        # walk of the differences of zd by h, per h
], scratch=[
    ('x0', REAL, (L,)),                                # before the step
    ('slope', REAL, (L,)), ('sum', REAL, (L,)),        # of z, zd: of the last stage, weighed sum
    ('by_state', REAL, (L, L)), ('sum_by_state', REAL, (L, L)),    # their derivatives
    ('next_by_state', REAL, (L, L)),
    # of the accelerations that accelerometers read, see solve_inputs: information, covariance, and
    # derivative by the state
    ('information', REAL, (G, G)), ('covariance', REAL, (G, G)), ('zdd_by_state', REAL, (G, L)),
])


@kernel
def solve_inputs(model, work, channels, f, s, limit):
    """Find the accelerations zdd_u that accelerometers read, the last readings in f.readings.

    Weighted least squares of J dzdd = reading - h, J = h_qdd R: Eq. (86), of what sensors read, not
    of the accelerations of the coordinates themselves.  Writes zdd_u to f.x, its covariance
    N = (J^T W J)^-1 to s.covariance and its derivative by the states, -N J^T W H but zero by zdd,
    to s.zdd_by_state (g, states).  Returns False if they do not determine it
    within a variance `limit`.
    """
    g = model.g
    list_present(f, f.readings[:channels.size])
    if f.count == 0 or not settle_position(model, work, f) or not observe_motion(
            model, work, channels, f, f.readings[:]):
        return False
    normal, covariance, by_state = s.information, s.covariance, s.zdd_by_state
    for i in range(g):
        for j in range(g):
            normal[i, j] = 0.0
    add_information(f.H[:, 2 * g:3 * g], f.variance, f.present, f.count, g, normal)
    if not cholesky_factor(normal, g):
        return False
    for i in range(g):
        for j in range(g):
            covariance[i, j] = 1.0 if i == j else 0.0
        cholesky_solve(normal, covariance[i], g)
        if not covariance[i, i] < limit:
            return False
    for i in range(g):
        for column in range(f.states):
            by_state[i, column] = 0.0
        for a in range(f.count):
            gain = 0.0
            for j in range(g):
                gain += covariance[i, j] * f.H[a, 2 * g + j]
            gain /= f.variance[f.present[a]]
            f.x[2 * g + i] += gain * f.residual[a]
            for column in range(f.states):
                if column < 2 * g or column >= f.motion:
                    by_state[i, column] -= gain * f.H[a, column]
    return True


@entry
def predict_kinematic(models, works, channels, filters, disturbances, stages, inputs_below, h):
    """Move z, zd, zdd (and the jerk) on by h [s]; propagate their covariance.

    inputs_below: a variance; accelerometers that determine all accelerations better than that are
    the inputs of the step (0: never).  Else, and without them, the last state of each degree of
    freedom, zdd or the jerk, stays, and walks randomly by f.acceleration_walk.  Beside, where
    stages.difference is not 0, zdd is the difference of zd by h, in which zd is disturbed.
    Source: Rodriguez et al. 2023, Eqs. (83)-(87).
    Returns False if the mechanism cannot move so.
    """
    model, work, f = models[0], works[0], filters[0]
    disturbances[0].elapsed += h
    if not (inputs_below > 0.0
            and _move_by_inputs(model, work, channels, f, stages[0], inputs_below, h)):
        _add_differences(f, stages[0], model.g, h)
        return predict_motion(filters, model.g, h)
    propagate(f)
    _add_input_noise(f, stages[0].covariance, model.g, h)
    add_walk(f, model.g, h)
    total = 0.0
    for i in range(f.motion):
        total += f.x[i] + f.P[i, i]
    return isfinite(total)


@kernel
def _move_by_inputs(model, work, channels, f, s, limit, h):
    """Move f.x by the accelerations read, in the stages of s; write f.transition.

    The readings stay during the step, the accelerations change with the state.  zdd becomes the
    mean over the step, which is the numerical derivative of zd.  A single stage takes zdd for
    constant: Taylor's series.  Source: Rodriguez et al. 2023, Eq. (87), explicit schemes of which
    each stage needs the one before.  Returns False, f.x as it was, if they do not determine it.
    """
    g, size = model.g, f.states
    _begin(f, s, g)
    for stage in range(s.count):
        reach = h * s.share[stage]
        for i in range(2 * g):
            f.x[i] = s.x0[i] + reach * s.slope[i]
        if not solve_inputs(model, work, channels, f, s, limit):
            for i in range(3 * g):
                f.x[i] = s.x0[i]
            return False
        _differentiate(f, s, g, reach)
        for i in range(2 * g):
            s.slope[i] = f.x[g + i]
            s.sum[i] += s.weight[stage] * s.slope[i]
            for column in range(size):
                s.by_state[i, column] = s.next_by_state[i, column]
                s.sum_by_state[i, column] += s.weight[stage] * s.by_state[i, column]
    _end(f, s, g, h)
    return True


@kernel
def _begin(f, s, g):
    """Keep f.x; begin without slopes."""
    for i in range(3 * g):
        s.x0[i] = f.x[i]
    for i in range(2 * g):
        s.slope[i], s.sum[i] = 0.0, 0.0
        for column in range(f.states):
            s.by_state[i, column], s.sum_by_state[i, column] = 0.0, 0.0


@kernel
def _differentiate(f, s, g, reach):
    """Write how the slopes zd, zdd of a stage depend on the state before the step.

    s.zdd_by_state: how zdd depends on the state of the stage; that is the state before the step and
    `reach` times the slopes of the stage before.
    """
    for k in range(g):
        for column in range(f.states):
            s.next_by_state[k, column] = reach * s.by_state[g + k, column]
            by_zdd = s.zdd_by_state[k, column]
            for i in range(2 * g):
                by_zdd += s.zdd_by_state[k, i] * reach * s.by_state[i, column]
            s.next_by_state[g + k, column] = by_zdd
        s.next_by_state[k, g + k] += 1.0


@kernel
def _end(f, s, g, h):
    """Put f.x at the end of the step; write f.transition."""
    F = f.transition
    for i in range(f.states):
        for column in range(f.states):
            F[i, column] = 1.0 if i == column else 0.0
    if s.count == 1:        # Taylor's series: positions move by the mean speed
        for k in range(g):
            s.sum[k] += 0.5 * h * s.sum[g + k]
            for column in range(f.states):
                s.sum_by_state[k, column] += 0.5 * h * s.sum_by_state[g + k, column]
    for i in range(2 * g):
        f.x[i] = s.x0[i] + h * s.sum[i]
        for column in range(f.states):
            F[i, column] += h * s.sum_by_state[i, column]
    for k in range(g):
        f.x[2 * g + k] = s.sum[g + k]
        for column in range(f.states):
            F[2 * g + k, column] = s.sum_by_state[g + k, column]


@kernel
def _add_input_noise(f, covariance, g, h):
    """Add the noise of zdd_u (g, g), which z, zd and zdd have in common, to P."""
    for i in range(3 * g):
        for j in range(3 * g):
            f.P[i, j] += _reach(i // g, h) * _reach(j // g, h) * covariance[i % g, j % g]


@kernel
def _add_differences(f, s, g, h):
    """Add the noise of what zd changes by in a step, which zdd = (zd - zd before) / h takes over.

    zd = zd before + h (zdd before + w): before the step, as its prediction moves z, zd by zdd + w.
    """
    for k in range(g):
        f.P[2 * g + k, 2 * g + k] += s.difference[k] * h


@kernel
def _reach(order, h):
    """Return by what an acceleration during the step moves z, zd and zdd."""
    if order == 0:
        return 0.5 * h * h
    return h if order == 1 else 1.0
