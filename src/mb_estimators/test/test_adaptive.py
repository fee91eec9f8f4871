"""adaptive_error_ekf_fe finds noises that are known, and never loses its covariance."""

from copy import deepcopy

from free_motion import SLED, TextbookFilter
import numpy as np
import pytest
from scipy import stats

from mb_estimators import FilterError, make_filter
from mb_estimators.filters.noise_adaptation import confused, confused_means

DT = 0.005
NAME = 'adaptive_error_ekf_fe'
WALK, DEVIATIONS = 1e-2, np.array([0.02, 0.2])       # of the truth, per step and of the sensors
DOUBT = 'cannot distinguish the noise of {} from the noise of the plant'
MEAN_DOUBT = 'cannot distinguish the mean noise of {} from the motion'
F = np.array([[1.0, DT, DT ** 2 / 2.0], [0.0, 1.0, DT], [0.0, 0.0, 1.0]])
H = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
SENSORS = {'encoder': {'kind': 'linear_encoder', 'coordinate': 's'},
           'feeler': {'kind': 'accelerometer', 'body': 'block', 'at': 'B', 'axes': ['x']}}


def make(sensor_factor=1.0, walk=WALK, **tuning):
    """A filter of a sled whose position and acceleration are read."""
    mechanism = SLED.replace(sensors={
        name: SENSORS[name] | {'sigma': float(sigma * np.sqrt(sensor_factor))}
        for name, sigma in zip(SENSORS, DEVIATIONS, strict=True)})
    return make_filter(NAME, mechanism, list(SENSORS), DT, acceleration_variance=walk,
                       initial_variance=1e-3, **tuning)


def sled_readings(seed, count, walk=WALK):
    """Readings (count, 2) of a sled whose acceleration walks randomly."""
    random = np.random.default_rng(seed)
    x, truth = np.array([0.3, 2.0, 0.0]), []
    for _ in range(count):
        x = F @ x + [0.0, 0.0, random.normal(scale=np.sqrt(walk))]
        truth.append(H @ x)
    return np.array(truth) + random.normal(size=(count, 2)) * DEVIATIONS


@pytest.mark.parametrize(('method', 'adapt', 'factor'), [
    ('maximum_likelihood', 'plant', 10.0), ('maximum_likelihood', 'sensors', 0.1),
    ('covariance_matching', 'plant', 10.0), ('covariance_matching', 'plant', 0.1),
    ('sage_husa', 'plant', 0.1), ('sage_husa', 'sensors', 10.0),
    ('variational_bayes', 'sensors', 0.1), ('variational_bayes', 'sensors', 10.0)])
def test_known_noises_are_found(method, adapt, factor):
    """From wrong ones; mean over time against the truth, by the t-interval of the seeds."""
    plant, found = adapt == 'plant', []
    for seed in range(6):
        filter_ = make(1.0 if plant else factor, WALK * (factor if plant else 1.0),
                       method=method, adapt=adapt, window=100)
        late = []
        for k, reading in enumerate(sled_readings(seed, 2000)):
            filter_.predict(DT)
            filter_.correct(reading)
            if k > 1000:
                late.append(filter_.acceleration_variance / WALK if plant
                            else filter_.sensor_variance / DEVIATIONS ** 2)
        found.append(np.mean(late, axis=0))
    low, high = stats.t.interval(
        0.999, len(found) - 1, np.mean(found, axis=0), stats.sem(found, axis=0))
    assert (low < 1.0).all()
    assert (high > 1.0).all()
    assert (high - low < 0.5).all()


@pytest.mark.parametrize('method', ['maximum_likelihood', 'covariance_matching'])
def test_noises_of_a_window_are_those_of_the_equations(method):
    """Eqs. (91) and (92) with whole matrices, beside a textbook filter; steps vary, readings lack.

    A row of the window belongs to the time since the last reading, in which the noise walked.
    """
    window, noise, variances = 20, 0.4, np.array([0.02, 0.05]) ** 2
    filter_ = make_filter(NAME, SLED, list(SLED.sensors), DT, method=method, adapt='both',
                          window=window, acceleration_variance=noise * DT, initial_variance=0.01)
    textbook = TextbookFilter(np.array([0.3, 2.0, 0.0]), 0.01 * np.eye(3), noise,
                              np.array([[1.0, 0.0], [1.0, 0.0]]), np.diag(variances))
    walks, times = [noise * DT] * window, [DT] * window
    squares = [[variance] * window for variance in variances]
    random = np.random.default_rng(5)
    elapsed, quiet = 0.0, deepcopy(textbook)
    for _ in range(300):
        h = DT * random.uniform(0.2, 1.0)
        elapsed += h
        quiet.noise = 0.0
        for each in (filter_, textbook, quiet):
            each.predict(h)
        reading = textbook.x[0] + random.normal(size=2) * [0.03, 0.04]
        reading[random.random(2) < 0.3] = np.nan
        before, P = textbook.x, textbook.P
        y = textbook.correct(reading)[0]
        fit = filter_.correct(reading)
        np.testing.assert_allclose(fit.residual, y, atol=1e-6)
        if len(y) == 0:
            continue
        dx = textbook.x - before
        rest = textbook.P - quiet.P if method == 'maximum_likelihood' else np.zeros((3, 3))
        walks.append((np.outer(dx, dx) + rest)[2, 2])
        times.append(elapsed)
        for channel, residual in zip(fit.channels, y, strict=True):
            squares[channel].append(residual ** 2 - P[0, 0])
        textbook.noise = abs(sum(walks[-window:])) / sum(times[-window:])
        textbook.R = np.diag([abs(np.mean(row[-window:])) for row in squares])
        elapsed, quiet = 0.0, deepcopy(textbook)
    np.testing.assert_allclose(filter_.acceleration_variance, textbook.noise * DT, rtol=1e-4)
    np.testing.assert_allclose(filter_.sensor_variance, np.diag(textbook.R), rtol=1e-4)
    np.testing.assert_allclose(filter_.estimate.covariance, textbook.P, rtol=1e-4, atol=1e-12)


def test_noises_have_a_floor_and_begin_anew():
    filter_ = make(adapt='both', floor=0.5, window=10)
    start = filter_.estimate
    for _ in range(200):
        filter_.predict(DT)
        filter_.correct([filter_.estimate.z[0], filter_.estimate.zdd[0]])     # no noise at all
    np.testing.assert_allclose(filter_.acceleration_variance, 0.5 * WALK)
    np.testing.assert_allclose(filter_.sensor_variance, 0.5 * DEVIATIONS ** 2)
    filter_.reset(SLED.z0, SLED.zd0)
    np.testing.assert_allclose(filter_.acceleration_variance, WALK)
    np.testing.assert_allclose(filter_.sensor_variance, DEVIATIONS ** 2)
    np.testing.assert_array_equal(filter_.estimate.covariance, start.covariance)


@pytest.mark.parametrize('adapt', ['plant', 'both'])
def test_variational_bayes_of_predictions_is_that_of_the_equations(adapt):
    """Huang et al. 2018 with whole matrices, R diagonal; readings lack."""
    window, weight, noise, variances = 20, 4.0, 0.4, np.array([0.02, 0.05]) ** 2
    filter_ = make_filter(NAME, SLED, list(SLED.sensors), DT, method='variational_bayes',
                          adapt=adapt, window=window, acceleration_variance=noise * DT,
                          initial_variance=0.01, nominal_weight=weight)
    both = np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    x, P, random = np.array([0.3, 2.0, 0.0]), 0.01 * np.eye(3), np.random.default_rng(7)
    shape, scale = np.full(2, window / 2.0), window / 2.0 * variances
    for _ in range(200):
        filter_.predict(DT)
        x, P = F @ x, F @ P @ F.T + np.diag([0.0, 0.0, noise * DT])
        reading = x[0] + random.normal(size=2) * [0.06, 0.04]
        reading[random.random(2) < 0.3] = np.nan
        filter_.correct(reading)
        there = np.isfinite(reading)
        if not there.any():
            continue
        H, y = both[there], (reading - both @ x)[there]
        freedom = 3 + weight + 1.0                  # Huang's t, with T = weight P
        shape[there] = (1.0 - 1.0 / window) * shape[there] + 0.5
        spread = (1.0 - 1.0 / window) * scale[there]
        nominal = guess = P
        R = np.diag(variances[there])
        for _ in range(11):
            K = guess @ H.T @ np.linalg.inv(H @ guess @ H.T + R)
            after, left = x + K @ y, np.eye(3) - K @ H
            best = left @ guess
            before = np.concatenate([guess.diagonal(), R.diagonal()])
            A = best + np.outer(after - x, after - x)
            seen = (y - H @ (after - x)) ** 2 + (H @ best @ H.T).diagonal()
            guess = (weight * nominal + A) / (freedom + 1.0 - 3 - 1.0)
            if adapt == 'both':
                R = np.diag((spread + 0.5 * seen) / shape[there])
            now = np.concatenate([guess.diagonal(), R.diagonal()])
            if np.abs(now / before - 1.0).max() < 1e-9:
                break
        if adapt == 'both':
            scale[there], variances[there] = spread + 0.5 * seen, R.diagonal()
        K = guess @ H.T @ np.linalg.inv(H @ guess @ H.T + R)
        x, P = x + K @ y, (np.eye(3) - K @ H) @ guess
        P = 0.5 * (P + P.T)
    np.testing.assert_allclose(filter_.sensor_variance, variances, rtol=0.02)
    np.testing.assert_allclose(filter_.estimate.covariance, P, rtol=0.05, atol=1e-7)
    np.testing.assert_allclose(filter_.estimate.z, x[0], atol=1e-3)


@pytest.mark.parametrize(('H', 'mixed'), [
    ([[1.0, 0.0]], [True]), ([[1.0, 0.0], [2.0, 0.0]], [False, False]),
    ([[1.0, 0.0], [0.0, 1.0]], [True, True]),
    ([[1.0, 0.0], [0.0, 5.0], [1.0, 0.0]], [False, True, False]),
    ([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [False, False, False]),
    ([[0.0, 0.0], [1.0, 0.0]], [False, True])])
def test_noises_are_distinguished_where_readings_overlap(H, mixed):
    """A single reading of a position: none; two of one: both.  Of position, speed and their sum:
    the covariances between the three leave no freedom.
    """
    np.testing.assert_array_equal(confused(np.array(H)), mixed)


def test_a_filter_says_whose_noise_it_cannot_distinguish_from_the_plants():
    filter_ = make(adapt='both')
    assert filter_.doubt == ''
    filter_.predict(DT)
    filter_.correct([0.31, 0.0])
    assert filter_.doubt == DOUBT.format('encoder, feeler.x')
    twice = make_filter(NAME, SLED, list(SLED.sensors), DT, adapt='both')
    twice.correct([0.3, 0.3])
    assert twice.doubt == ''
    twice.correct([0.3, np.nan])
    assert twice.doubt == DOUBT.format('encoder')
    assert make(adapt='plant').doubt == ''


@pytest.mark.parametrize('adapt', ['sensors', 'both'])
def test_a_mean_of_the_noise_is_that_of_the_equations(adapt):
    """Sage and Husa 1969 with whole matrices: r becomes (1 - d) r + d (y - H x); readings lack."""
    window, noise, variances = 20, 0.4, np.array([0.02, 0.05]) ** 2
    part, both, drift = 1.0 / window, np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), 0.0
    filter_ = make_filter(NAME, SLED, list(SLED.sensors), DT, method='sage_husa', adapt=adapt,
                          window=window, acceleration_variance=noise * DT, initial_variance=0.01,
                          centred_sensors=list(SLED.sensors)[1:])
    x, P, mean, elapsed = np.array([0.3, 2.0, 0.0]), 0.01 * np.eye(3), 0.0, 0.0
    random = np.random.default_rng(3)
    for _ in range(300):
        filter_.predict(DT)
        elapsed += DT
        x = F @ x + np.array([DT ** 2 / 2.0, DT, 1.0]) * drift * DT
        P = F @ P @ F.T + np.diag([0.0, 0.0, noise * DT])
        reading = x[0] + random.normal(size=2) * [0.03, 0.04] + [0.0, 0.3]
        reading[random.random(2) < 0.3] = np.nan
        filter_.correct(reading)
        there = np.isfinite(reading)
        if not there.any():
            continue
        H = both[there]
        y = (reading - both @ x - [0.0, mean])[there]
        S = H @ P @ H.T + np.diag(variances[there])
        K = P @ H.T @ np.linalg.inv(S)
        variances[there] = np.maximum(
            (1.0 - part) * variances[there] + part * (y ** 2 - (H @ P @ H.T).diagonal()), 1e-9)
        if adapt == 'both':
            drift += part * (K @ y)[2] / elapsed
            noise = max(noise + part * ((K @ y)[2] ** 2 - (K @ S @ K.T)[2, 2]) / elapsed, 1e-9)
        if there[1]:
            mean += part * y[-1]
        x, P, elapsed = x + K @ y, (np.eye(3) - K @ H) @ P, 0.0
    np.testing.assert_allclose(filter_.sensor_mean, [0.0, mean], rtol=1e-4)
    np.testing.assert_allclose(filter_.estimate.z, x[0], atol=1e-5)
    np.testing.assert_allclose(mean, 0.3, atol=0.1)


def test_means_are_found_where_the_motion_shows_them_and_else_doubted():
    """The mean of an accelerometer beside an encoder; of the encoder itself it is a place."""
    walk, means = 1e-4 * WALK, []
    for seed in range(6):
        filter_ = make(walk=walk, method='sage_husa', adapt='sensors', window=100,
                       centred_sensors=['feeler'])
        late = []
        for k, reading in enumerate(np.add(sled_readings(seed, 3000, walk), [0.0, 0.5])):
            filter_.predict(DT)
            filter_.correct(reading)
            if k > 1000:
                late.append(filter_.sensor_mean)
        assert filter_.doubt == ''
        means.append(np.mean(late, axis=0))
    means = np.array(means)
    np.testing.assert_array_equal(means[:, 0], 0.0)
    low, high = stats.t.interval(0.999, 5, means[:, 1].mean(), stats.sem(means[:, 1]))
    assert low < 0.5 < high
    assert high - low < 0.1
    for names, doubt in (('encoder', 'encoder'), ('feeler encoder', 'encoder')):
        doubtful = make(method='sage_husa', adapt='sensors', centred_sensors=names.split())
        doubtful.correct([0.3, 0.0])
        assert doubtful.doubt == MEAN_DOUBT.format(doubt)


@pytest.mark.parametrize(('H', 'centred', 'mixed'), [
    ([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [True, True], [True, False]),
    ([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [True, True], [True, False]),
    ([[0.0, 0.0, 1.0]], [True], [True]),
    ([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [False, True], [False, False]),
    ([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [True, True], [True, True]),
    ([[1.0, 0.0]], [False], [False])])
def test_means_of_which_a_motion_could_be_the_cause(H, centred, mixed):
    np.testing.assert_array_equal(confused_means(np.array(H), 1, np.array(centred)), mixed)


@pytest.mark.parametrize(('tuning', 'message'), [
    ({'method': 'sage_husa', 'adapt': 'plant'}, 'found by method sage_husa with adapt sensors or'),
    ({'adapt': 'sensors'}, 'not by maximum_likelihood with sensors'),
    ({'method': 'sage_husa', 'adapt': 'both', 'centred_sensors': ['gyro']},
     'gyro is no sensor of this filter, expected some of encoder, feeler')])
def test_means_that_cannot_be_estimated_are_refused(tuning, message):
    with pytest.raises(FilterError, match=message):
        make(**{'centred_sensors': ['feeler'], **tuning})
