"""Coloured noise, shaped from white noise by Gauss-Markov models whose states are estimated too.

They stand behind the biases: noise of a sensor is a bias that decays, noise of the plant one that
no sensor reads.
"""

from math import sqrt

from mb_estimators.kernels.covariance import keep_positive
from mb_estimators.kernels.gain import explained_variance
from mb_estimators.records.filter import B
from mb_model.jit import INTEGER, REAL, RecordType, entry, kernel
from mb_model.kernel_api import forward_dynamics

SHAPING = RecordType(
    'mb_estimators.kernels.shaping.SHAPING', noise=[
    ('count', INTEGER),                                # coloured noises, the last states
    ('first', INTEGER),                                # the first of them among the biases
    ('disturbs', INTEGER, (B,)),                       # a degree of freedom, or -1: a sensor
    ('variance', REAL, (B,)),                          # of what comes in with a step dt
    ('weight', REAL, (B,)),                            # W: what is left of it after a step dt
    ('window', INTEGER),                               # readings that W is learnt by; 0: it stays
    ('before', REAL, (B,)),                            # normalised correction of the reading before
    ('whole', INTEGER),                                # 1: W changes at the end of a window alone
    ('taken', INTEGER), ('products', REAL, (B,)),      # corrections of this window, and their sum
])


_LARGEST_WEIGHT = 0.99    # what lasts for longer, the walk of the accelerations follows anyway
_CREDIBLE = 3.0           # standard deviations of a correction; more is an outlier


@entry
def colour(models, works, filters, shapings, h):
    """Let the coloured noises act on the accelerations for a step h [s], and go on.

    After f_x, and with it, the transition of Eq. (101), of noises omega and weights W:
    zdd += s omega, omega = W^s omega with s = h / f.dt.  The white noise of several shorter steps
    adds up to the noise of one step f.dt.  A change of zdd is a force, as in corrections.
    Source: Rodriguez et al. 2023, Eqs. (96), (97), (100) to (102).
    Returns False if the dynamics have no solution or f.P is not positive definite.
    """
    model, work, f, shaping = models[0], works[0], filters[0], shapings[0]
    g, steps = model.g, h / f.dt
    for c in range(shaping.count):
        noise, state = shaping.first + c, f.motion + shaping.first + c
        disturbed = shaping.disturbs[c]
        if disturbed >= 0:
            _feed(f, 2 * g + disturbed, state, steps)
            for k in range(g):
                change = work.M_bar[k, disturbed] * steps * f.bias[noise]
                f.force[k] += change
                work.forces[k] += change
        weight = shaping.weight[c] ** steps
        f.bias[noise] *= weight
        _decay(f, state, weight)
        f.P[state, state] += stationary(shaping, c) * (1.0 - weight * weight)
    return forward_dynamics(model, work) and keep_positive(f)


@entry
def stationary(shaping, c):
    """Return the variance of a noise that has lasted: sigma^2 / (1 - W^2)."""
    return shaping.variance[c] / (1.0 - shaping.weight[c] * shaping.weight[c])


@kernel
def _feed(f, to, state, steps):
    """Add so many times a state to another: in f.transition and f.P."""
    for j in range(f.states):
        f.transition[to, j] += steps * f.transition[state, j]
        f.P[to, j] += steps * f.P[state, j]
    for j in range(f.states):
        f.P[j, to] += steps * f.P[j, state]


@kernel
def _decay(f, state, weight):
    """Multiply a state by a weight: in f.transition and f.P."""
    for j in range(f.states):
        f.transition[state, j] *= weight
        f.P[state, j] *= weight
    for j in range(f.states):
        f.P[j, state] *= weight


@entry
def learn_weights(filters, shapings):
    """After a correction, move W of the plant noises to where innovations are white.

    If the last two corrections of an acceleration had the same sign, its noise lasts longer than
    W says: W grows by their product, each divided by its standard deviation, and by 1 / window.
    That is an integral controller of the correlation of the innovation, in the direction in which
    the noise is seen; the correlation falls as W grows.  With shaping.whole the products of a
    window sum up, and W grows by their mean at its end: the correlation of innovations of one W.
    Source: Rodriguez et al. 2023, Sec. 11.1, which leaves open how the correlation is used.
    """
    f, shaping = filters[0], shapings[0]
    shaping.taken += 1
    ends = shaping.whole == 0 or shaping.taken >= shaping.window
    for c in range(shaping.count):
        if shaping.disturbs[c] < 0:
            continue
        correction = _normalised(f, f.motion // 3 * 2 + shaping.disturbs[c])
        shaping.products[c] += correction * shaping.before[c] / shaping.window
        shaping.before[c] = correction
        if ends:
            shaping.weight[c] = min(max(shaping.weight[c] + shaping.products[c], 0.0),
                                    _LARGEST_WEIGHT)
            shaping.products[c] = 0.0
    if ends:
        shaping.taken = 0


@kernel
def _normalised(f, state):
    """Return the correction of a state, of unit variance K S K^T if the filter is consistent."""
    variance = explained_variance(f, state)
    if not variance > 0.0:
        return 0.0
    return min(max(f.dx[state] / sqrt(variance), -_CREDIBLE), _CREDIBLE)
