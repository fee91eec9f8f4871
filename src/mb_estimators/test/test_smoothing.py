"""Smoothing against the batch solution of linear motions, and what it gains on linkages."""

from filter_traits import (
    ERROR_STATE,
    GRAPHS,
    KINEMATIC,
    PARAMETER_FILTERS,
    SMOOTHABLE,
    WALKS,
    WINDOWED,
    filters_with,
)
from free_motion import FLYWHEEL, SLED
import numpy as np
import pytest
from scipy.optimize import least_squares

from mb_estimators import Experiment, available_filters, make_filter
from mb_estimators.filter import FilterError
from mb_estimators.recording.recording import Recording
from mb_estimators.smoothing import smooth
from mb_model import load_mechanism, motion_difference, simulate

DT = 0.005
NOISE, VARIANCE = 0.4, 0.01
PLAIN = [name for name in SMOOTHABLE if name not in (
    *GRAPHS, *PARAMETER_FILTERS, *filters_with('unknown_forces'), *WINDOWED)]


def recording(count, seed=3):
    """Noisy readings at uneven stamps, some steps and some readings missing."""
    random = np.random.default_rng(seed)
    gaps = random.integers(2, 23, count - 1) * 1_000_000        # up to five steps
    stamps = 10 ** 9 + np.concatenate([[0], np.cumsum(gaps)])
    t = (stamps - stamps[0]) / 1e9
    readings = np.column_stack([0.3 + 2.0 * t + 0.05 * np.sin(20.0 * t), np.full(count, 2.0)])
    readings += random.normal(size=(count, 2)) * [0.02, 0.05]
    readings[random.random((count, 2)) < 0.3] = np.nan
    return Recording(stamps, readings)


def batch(recorded, H, states):
    """Return mean and covariance of z, zd (, zdd) at all stamps, by one Gaussian conditioning.

    Everything is a linear function of the initial state and the noises, whose joint covariance is
    written down whole: no recursion over readings.
    """
    gaps = np.diff(recorded.stamps) / 1e9
    blocks, rows = [VARIANCE * np.eye(states)], [np.eye(states)]
    for h in gaps:
        F = np.array([[1.0, h, h * h / 2.0], [0.0, 1.0, h], [0.0, 0.0, 1.0]])[:states, :states]
        Q = NOISE * (np.array([[h ** 3 / 3.0, h * h / 2.0], [h * h / 2.0, h]]) if states == 2
                     else walk(h))
        rows.append(np.hstack([F @ rows[-1], np.eye(states)]))
        blocks.append(Q)
    size = states * len(rows)
    to_states = np.vstack([np.pad(row, ((0, 0), (0, size - row.shape[1]))) for row in rows])
    prior = np.zeros((size, size))
    for k, block in enumerate(blocks):
        prior[states * k:states * (k + 1), states * k:states * (k + 1)] = block
    prior = to_states @ prior @ to_states.T
    mean = to_states[:, :states] @ np.array([0.3, 2.0, 0.0])[:states]
    there = np.isfinite(recorded.readings).ravel()
    H = np.kron(np.eye(len(rows)), np.pad(H, ((0, 0), (0, states - 2))))[there]
    R = np.diag(np.tile([0.02 ** 2, 0.05 ** 2], len(rows))[there])
    gain = np.linalg.solve(H @ prior @ H.T + R, H @ prior).T
    return (mean + gain @ (recorded.readings.ravel()[there] - H @ mean)).reshape(-1, states), (
        prior - gain @ H @ prior)


def walk(h):
    """Noise of z, zd, zdd when zdd walks at the end of each of the equal steps in a time h."""
    count = max(1, int(np.ceil(h / DT - 1e-3)))
    step, total = h / count, np.zeros((3, 3))
    F = np.array([[1.0, step, step ** 2 / 2.0], [0.0, 1.0, step], [0.0, 0.0, 1.0]])
    for _ in range(count):
        total = F @ total @ F.T + np.diag([0.0, 0.0, step])
    return total


@pytest.mark.parametrize('name', PLAIN)
@pytest.mark.parametrize('mechanism', [FLYWHEEL, SLED], ids=['flywheel', 'sled'])
def test_on_a_free_motion_it_is_the_batch_solution(name, mechanism):
    """The error-state family steps points on circles by the trapezoidal rule: see test_filters."""
    circular, fe = mechanism is FLYWHEEL and name in ERROR_STATE, name in WALKS
    tuning = {'acceleration_variance': NOISE * DT} if fe else {'acceleration_psd': NOISE}
    filter_ = make_filter(name, mechanism, list(mechanism.sensors), DT,
                          initial_variance=VARIANCE, **tuning)
    recorded = recording(120)
    H = np.eye(2) if mechanism is FLYWHEEL else np.array([[1.0, 0.0], [1.0, 0.0]])
    mean, covariance = batch(recorded, H, 3 if fe else 2)
    smoothed = smooth(filter_, recorded, DT)
    tolerance = 1e-4 if circular else 1e-9
    np.testing.assert_allclose(smoothed.motion.z[:, 0], mean[:, 0], atol=tolerance)
    np.testing.assert_allclose(smoothed.motion.zd[:, 0], mean[:, 1], atol=10.0 * tolerance
                               if circular else tolerance)
    if fe and not circular:
        np.testing.assert_allclose(smoothed.motion.zdd[:, 0], mean[:, 2], atol=1e-9)
    states = mean.shape[1]
    for k in (0, 50, 119):
        block = slice(states * k, states * (k + 1))
        np.testing.assert_allclose(smoothed.covariance[k], covariance[block, block],
                                   rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize('name', sorted(
    set(available_filters(load_mechanism('four_bar'))) - {*SMOOTHABLE, *KINEMATIC}))
def test_what_cannot_be_smoothed_says_so(name):
    with pytest.raises(FilterError, match='cannot be smoothed'):
        smooth(make_filter(name, SLED, ['encoder', 'other'], DT), recording(3), DT)


@pytest.mark.parametrize(('name', 'settings'), [
    *((name, {}) for name in PLAIN),
    *(('adaptive_error_ekf_fe', {'method': method, 'adapt': 'sensors'})
      for method in ('maximum_likelihood', 'covariance_matching', 'sage_husa',
                     'variational_bayes'))])
def test_a_filter_reports_what_it_has_added(name, settings):
    experiment = Experiment('four_bar', ['coupler_gyro'], {'z0': 0.1}, 0.5, DT)
    filter_ = make_filter(name, experiment.mechanism, experiment.sensors, DT, **settings)
    for reading in experiment.readings(1)[::5]:
        filter_.predict(DT)
        before = filter_.estimate
        filter_.correct(reading)
        after = filter_.estimate
        np.testing.assert_allclose(
            filter_.correction[:2], np.hstack([after.z - before.z, after.zd - before.zd]),
            rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize('sensor', ['crank_encoder', 'crank_gyro', 'coupler_gyro'])
def test_it_lowers_the_errors_of_a_linkage(sensor):
    """With a wrong model: not what a smoother assumes, yet every error halves, or nearly."""
    experiment = Experiment('four_bar', [sensor], {'gravity': -1.0, 'z0': np.pi / 16}, 4.0, DT)
    filter_ = make_filter('error_ekf_fe', experiment.mechanism, experiment.sensors, DT)
    smoothed = smooth(filter_, experiment.recording(seed=1), DT)
    for name in ('position_rmse', 'velocity_rmse', 'acceleration_rmse'):
        assert getattr(smoothed.motion, name)[0] < 0.7 * getattr(smoothed.filtered, name)[0], name


@pytest.mark.parametrize('name', ['error_ekf_ej', 'ukf', 'srukf'])
def test_it_finds_the_offset_of_a_sensor_from_the_beginning(name):
    """Of the same size at all stamps, and known better at the first than the filter knows it."""
    mechanism = load_mechanism('four_bar').replace(
        sensors={'crank_encoder': {'bias': 0.05, 'bias_sigma': 0.1}})
    sensors = ['crank_encoder', 'coupler_gyro']
    experiment = Experiment(mechanism, sensors, {}, 4.0, DT)
    filter_ = make_filter(name, experiment.mechanism, experiment.sensors, DT)
    biases = smooth(filter_, experiment.recording(seed=1), DT).biases['crank_encoder']
    np.testing.assert_allclose(biases, 0.05, atol=0.005)
    assert np.ptp(biases) < 1e-6


DURATION, SHORT, SMALL = 0.04, 1e-3, 1e-4


def test_in_space_it_is_least_squares_over_single_motions():
    """Without noise in the accelerations there are no other motions to choose from."""
    experiment = Experiment('stewart', ['encoders'], {'z0': 5e-3}, DURATION, SHORT)
    platform, recording = experiment.mechanism, experiment.recording(seed=2)
    filter_ = make_filter('error_ekf_ej', platform, experiment.sensors, SHORT,
                          initial_variance=SMALL, acceleration_psd=1e-12)
    smoothed, g = smooth(filter_, recording, SHORT), platform.g
    sigma, lengths = experiment.sensors[0].settings.sigma, platform.indices(platform.drives)

    def residuals(x):
        run = simulate(platform, DURATION, SHORT, z0=platform.z0 + x[:g], zd0=platform.zd0 + x[g:])
        return np.concatenate([((run.q[:, lengths] - recording.readings) / sigma).ravel(),
                               x / np.sqrt(SMALL)])

    found = least_squares(residuals, np.zeros(2 * g), diff_step=1e-6, x_scale=1e-3)
    deviation = np.sqrt(np.diag(np.linalg.inv(found.jac.T @ found.jac)))
    run = simulate(platform, DURATION, SHORT, z0=platform.z0 + found.x[:g],
                   zd0=platform.zd0 + found.x[g:])
    for k, within in ((0, 0.1), (len(run.t) - 1, 0.1)):
        off = motion_difference(platform, (smoothed.q[k], smoothed.qd[k]),
                                (run.q[k], run.qd[k]))
        claimed = np.sqrt(np.diag(smoothed.covariance[k])[:2 * g])
        assert (np.abs(off) < within * claimed).all(), (k, off / claimed)
    claimed = np.sqrt(np.diag(smoothed.covariance[0])[:2 * g])
    np.testing.assert_allclose(claimed, deviation, rtol=0.05)
