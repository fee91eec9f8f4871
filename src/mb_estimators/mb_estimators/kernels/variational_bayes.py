"""Correction by readings of unknown variances, from a prediction of unknown covariance.

Variances of readings have inverse-gamma distributions, the covariance an inverse-Wishart one.
"""


from mb_estimators.kernels.correction import CORRECTED, NOT_POSITIVE, apply_correction, assess
from mb_estimators.kernels.gain import kalman_gain
from mb_model.jit import entry, kernel

_ITERATIONS = 10
_SETTLED = 1e-3           # of a variance


@entry
def correct_variational_bayes(models, works, channels, filters, adaptives, readings):
    """Correct the state, the noise of every reading and the covariance of the prediction together.

    Between readings the distributions of noises keep their means and spread: a.shape and a.scale
    shrink by 1 - 1/window.  Then, with R = scale / shape, state and noises are improved in turn.
    With a.sensors: Sarkka and Nummenmaa 2009, Sec. III, the inverse-Wishart distribution of single
    channels; with a.plant: Huang et al. 2018, the covariance of the prediction in place of the
    plant's: Rodriguez et al. 2023, Sec. 10 [19].  Returns what kernels.correction.correct does.
    """
    model, work, f, a = models[0], works[0], filters[0], adaptives[0]
    status = assess(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    _begin(f, a)
    for _ in range(_ITERATIONS):
        change = 0.0
        if a.plant == 1:
            change = _improve_prediction(f, a)
        if a.sensors == 1:
            change = max(change, _improve_scales(f, a))
        if not kalman_gain(f):
            _return_to_nominal(f)
            return NOT_POSITIVE
        if change < _SETTLED:
            break
    status = apply_correction(model, work, f)
    if status != CORRECTED:
        _return_to_nominal(f)
    return status


@kernel
def _begin(f, a):
    """Keep the nominal prediction in f.P0, and let distributions of noises forget."""
    for i in range(f.states):
        for j in range(f.states):
            f.P0[i, j] = f.P[i, j]
    if a.sensors == 1:
        for reading in range(f.count):
            channel = f.present[reading]
            a.shape[channel] = (1.0 - 1.0 / a.window) * a.shape[channel] + 0.5
            a.spread[channel] = (1.0 - 1.0 / a.window) * a.scale[channel]


@kernel
def _return_to_nominal(f):
    """Put f.P back to what _begin has kept."""
    for i in range(f.states):
        for j in range(f.states):
            f.P[i, j] = f.P0[i, j]


@kernel
def _improve_prediction(f, a):
    """P = (nominal P0 + P+ + dx dx^T) / (nominal + 1); return the largest change of a variance.

    P+ and dx are of the correction with the present P: P+ = P - K S K^T.
    """
    largest, share = 0.0, 1.0 / (a.nominal + 1.0)
    for i in range(f.states):
        before = f.P[i, i]
        for j in range(i + 1):
            found = f.P[i, j] + f.dx[i] * f.dx[j]
            for k in range(f.count):
                for m in range(f.count):
                    found -= f.gain[i, k] * f.residual_covariance[k, m] * f.gain[j, m]
            f.P[i, j] = share * (a.nominal * f.P0[i, j] + found)
            f.P[j, i] = f.P[i, j]
        largest = max(largest, abs(f.P[i, i] - before) / f.P[i, i])
    return largest


@kernel
def _improve_scales(f, a):
    """Add half of what the corrected state expects of the noise squared; return the largest change.

    The reading's error at the corrected state is R S^-1 y; its uncertainty H P+ H^T = H K R.
    """
    largest = 0.0
    for reading in range(f.count):
        channel = f.present[reading]
        variance = f.variance[channel]
        error = variance * f.weighted[reading]
        passed = 0.0
        for i in range(f.states):
            passed += f.H[reading, i] * f.gain[i, reading]
        a.scale[channel] = a.spread[channel] + 0.5 * (error * error + passed * variance)
        improved = max(a.scale[channel] / a.shape[channel], a.smallest_variance[channel])
        largest = max(largest, abs(improved - variance) / improved)
        f.sensor_variance[channel] = improved
        f.variance[channel] = improved
    return largest
