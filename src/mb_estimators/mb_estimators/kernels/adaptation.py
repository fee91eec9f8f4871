"""Noises of plant and sensors, estimated from corrections while a filter runs.

By the greatest likelihood over a moving window, in a memory that fades, or by variational Bayes.
"""

from mb_estimators.kernels.correction import CORRECTED, NOT_POSITIVE, apply_correction, assess
from mb_estimators.kernels.covariance import copy_square
from mb_estimators.kernels.gain import copy_innovation, explained_variance, kalman_gain
from mb_estimators.records.filter import K
from mb_model.jit import INTEGER, REAL, RecordType, entry, kernel
from mb_model.record import G

ADAPTIVE = RecordType(
    'mb_estimators.kernels.adaptation.ADAPTIVE', noise=[
    ('plant', INTEGER), ('sensors', INTEGER),          # 1: adapt this noise
    ('window', INTEGER),                               # readings that count
    ('elapsed', REAL),                                 # since the last correction [s]
    ('corrections', INTEGER),                          # that informed about the plant
    ('taken', INTEGER, (K,)),                          # readings of each channel
    ('smallest_walk', REAL, (G,)),                     # floors, above 0
    ('smallest_variance', REAL, (K,)),
    ('drift', REAL, (G,)),                             # mean of the plant noise per time
    ('centred', INTEGER, (K,)),                        # 1: the mean of this noise is estimated
    ('mean', REAL, (K,)),                              # of the noise of each channel
    ('shape', REAL, (K,)),                             # of each channel's inverse-gamma variance
    ('scale', REAL, (K,)),
    ('spread', REAL, (K,)),                            # scale before the present readings
    ('nominal', REAL),                                 # readings that a prediction counts as
], prediction=[     # how the present readings fitted it, before they changed noises
    ('residual', REAL, (K,)), ('residual_covariance', REAL, (K, K)), ('nis', REAL),
])


@kernel
def plant_share(f, i):
    """Return dx dx^T - K S K^T of state i, which is dx dx^T + P+ - P-.

    Zero in the mean if f.acceleration_walk is right.  Source: Rodriguez et al. 2023, Eq. (91).
    """
    return f.dx[i] * f.dx[i] - explained_variance(f, i)


@kernel
def sensor_share(f, a):
    """Return y y^T - H P- H^T of present reading a, in the mean the variance of its noise.

    Source: Rodriguez et al. 2023, Eq. (92).
    """
    predicted = f.residual_covariance[a, a] - f.variance[f.present[a]]
    return f.residual[a] * f.residual[a] - predicted


@entry
def adapt_maximum_likelihood(filters, adaptives, plant, sensors, steady):
    """Estimate f.acceleration_walk and f.sensor_variance anew, after a correction.

    plant (window, g + 1): terms of the sum of Eq. (91), and the times they took; sensors (window,
    channels): terms of Eq. (92).  Negative results become their absolute values, as in the source.
    Noise that has walked into the accelerations counts by the time it had.
    steady: leave P+ - f_x P f_x^T, which vanishes in the mean of a steady state, out of Eq. (91);
    the rest, K y y^T K^T, scatters less, and follows changes of P late.
    Source: Rodriguez et al. 2023, Sec. 10.1; for `steady` Mohamed and Schwarz 1999 (Q = K C K^T).
    """
    f, a = filters[0], adaptives[0]
    if a.plant == 1 and a.elapsed > 0.0:
        _adapt_plant(f, a, plant, steady)
    if a.sensors == 1:
        _adapt_sensors(f, a, sensors)
    a.elapsed = 0.0


@kernel
def _adapt_plant(f, a, plant, steady):
    """Eq. (91), of the accelerations alone: the others have no noise (Eq. 94)."""
    g, row = f.motion // 3, a.corrections % a.window
    a.corrections += 1
    plant[row, g] = a.elapsed
    time = plant[:, g].sum()
    for i in range(g):
        if steady:
            plant[row, i] = f.dx[2 * g + i] ** 2
        else:
            plant[row, i] = plant_share(f, 2 * g + i) + f.acceleration_walk[i] * a.elapsed
        walk = abs(plant[:, i].sum()) / time
        f.acceleration_walk[i] = max(walk, a.smallest_walk[i])


@kernel
def _adapt_sensors(f, a, sensors):
    """Eq. (92), of every channel with a reading."""
    for reading in range(f.count):
        channel = f.present[reading]
        sensors[a.taken[channel] % a.window, channel] = sensor_share(f, reading)
        a.taken[channel] += 1
        variance = abs(sensors[:, channel].mean())
        f.sensor_variance[channel] = max(variance, a.smallest_variance[channel])


@entry
def adapt_sage_husa(filters, adaptives):
    """Estimate f.acceleration_walk, f.sensor_variance and means of both, after a correction.

    Each becomes (1 - d) times what it was and d times what the correction says, d = 1 / window.
    Means are a.drift, and a.mean of channels that are a.centred, whose readings come without it.
    Source: Sage and Husa 1969; Rodriguez et al. 2023, Sec. 10.
    """
    f, a = filters[0], adaptives[0]
    part = 1.0 / a.window
    if a.plant == 1 and a.elapsed > 0.0:
        g = f.motion // 3
        for i in range(g):
            a.drift[i] += part * f.dx[2 * g + i] / a.elapsed
            walk = f.acceleration_walk[i] + part * plant_share(f, 2 * g + i) / a.elapsed
            f.acceleration_walk[i] = max(walk, a.smallest_walk[i])
    if a.sensors == 1:
        for reading in range(f.count):
            channel = f.present[reading]
            variance = (1.0 - part) * f.sensor_variance[channel] + part * sensor_share(f, reading)
            f.sensor_variance[channel] = max(variance, a.smallest_variance[channel])
            if a.centred[channel] == 1:
                a.mean[channel] += part * f.residual[reading]
    a.elapsed = 0.0


@entry
def drift(works, filters, adaptives, h):
    """Let the accelerations drift for h [s] by the mean of their noise: a force M_bar drift h."""
    work, f, a = works[0], filters[0], adaptives[0]
    g = f.motion // 3
    for k in range(g):
        for j in range(g):
            f.force[k] += work.M_bar[k, j] * a.drift[j] * h


_ITERATIONS = 10
_SETTLED = 1e-3           # of a variance


@entry
def correct_variational_bayes(models, works, channels, filters, adaptives, readings):
    """Correct the state, the noise of every reading and the covariance of the prediction together.

    Between readings the distributions of noises keep their means and spread: a.shape and a.scale
    shrink by 1 - 1/window.  Then, with R = scale / shape, state and noises are improved in turn.
    With a.sensors: Sarkka and Nummenmaa 2009, Sec. III, the inverse-Wishart distribution of single
    channels; with a.plant: Huang et al. 2018, the covariance of the prediction in place of the
    plant's: Rodriguez et al. 2023, Sec. 10 [19].  The innovation that f has at the end, which gates
    judge, is the one that was expected before: a reading does not widen what it is judged by.
    Returns what kernels.correction.correct does.
    """
    model, work, f, a = models[0], works[0], filters[0], adaptives[0]
    status = assess(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    copy_innovation(f, a, f.count)
    _begin(f, a)
    for _ in range(_ITERATIONS):
        change = 0.0
        if a.plant == 1:
            change = _improve_prediction(f, a)
        if a.sensors == 1:
            change = max(change, _improve_scales(f, a))
        if not kalman_gain(f):
            copy_square(f.P0, f.P, f.states)
            return NOT_POSITIVE
        if change < _SETTLED:
            break
    status = apply_correction(model, work, f)
    copy_innovation(a, f, f.count)
    if status != CORRECTED:
        copy_square(f.P0, f.P, f.states)
    return status


@kernel
def _begin(f, a):
    """Keep the nominal prediction in f.P0, and let distributions of noises forget."""
    copy_square(f.P, f.P0, f.states)
    if a.sensors == 1:
        for reading in range(f.count):
            channel = f.present[reading]
            a.shape[channel] = (1.0 - 1.0 / a.window) * a.shape[channel] + 0.5
            a.spread[channel] = (1.0 - 1.0 / a.window) * a.scale[channel]


@kernel
def _improve_prediction(f, a):
    """P = (nominal P0 + P+ + dx dx^T) / (nominal + 1); return the largest change of a variance.

    P+ and dx are of the correction with the present P: P+ = P - K S K^T.
    """
    largest, share = 0.0, 1.0 / (a.nominal + 1.0)
    for i in range(f.states):
        before = f.P[i, i]
        for j in range(i + 1):
            informed = f.P[i, j] + f.dx[i] * f.dx[j]
            for k in range(f.count):
                for m in range(f.count):
                    informed -= f.gain[i, k] * f.residual_covariance[k, m] * f.gain[j, m]
            f.P[i, j] = share * (a.nominal * f.P0[i, j] + informed)
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
