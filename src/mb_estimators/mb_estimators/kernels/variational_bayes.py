"""Correction by readings whose variances are unknown: of inverse-gamma distributions."""


from mb_estimators.kernels.correction import CORRECTED, NOT_POSITIVE, apply_correction, assess
from mb_estimators.kernels.gain import kalman_gain
from mb_model.jit import entry, kernel

_ITERATIONS = 10
_SETTLED = 1e-3           # of a variance


@entry
def correct_variational_bayes(models, works, channels, filters, adaptives, readings):
    """Correct the state and the distribution of the noise of every reading together.

    Between readings the distributions keep their means and spread: a.shape and a.scale shrink by
    1 - 1/window.  Then, with R = scale / shape, state and scale are improved in turn.
    Source: Sarkka and Nummenmaa 2009, Sec. III.  Returns what kernels.correction.correct does.
    """
    model, work, f, a = models[0], works[0], filters[0], adaptives[0]
    status = assess(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    for reading in range(f.count):
        channel = f.present[reading]
        a.shape[channel] = (1.0 - 1.0 / a.window) * a.shape[channel] + 0.5
        a.spread[channel] = (1.0 - 1.0 / a.window) * a.scale[channel]
    for _ in range(_ITERATIONS):
        change = _improve_scales(f, a)
        if not kalman_gain(f):
            return NOT_POSITIVE
        if change < _SETTLED:
            break
    return apply_correction(model, work, f)


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
