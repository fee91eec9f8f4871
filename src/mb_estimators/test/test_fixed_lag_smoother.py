"""The fixed-lag smoother against dense least squares, late readings, outliers, other smoothers."""

import pickle

from free_motion import FLYWHEEL
import numpy as np
import pytest
from streamed import stream_of
from wheel_readings import (
    DT,
    INITIAL,
    PUSH,
    PUSHED,
    SETTINGS,
    STEPS,
    TORQUE_MOMENTS,
    flywheel_readings,
    least_squares_rows,
)

from mb_estimators import Experiment, make_filter, smooth
from mb_estimators.factor_graph.whole import smooth_whole
from mb_estimators.filter import ImpossibleReadingError, NotConvergedError
from mb_estimators.recording.recording import Recording
from mb_model import load_mechanism
from mb_sensors import sensors_of


def flywheel(**settings):
    return make_filter('fixed_lag_smoother', FLYWHEEL, ['encoder', 'gyro'], DT, **SETTINGS,
                       **settings)


def least_squares(readings):
    """Return all states z, zd, force (k, 3) and their covariances, by one dense system."""
    rows, right = least_squares_rows(readings)
    covariance = np.linalg.inv(rows.T @ rows)
    states = (covariance @ rows.T @ right).reshape(-1, 3)
    return states, [covariance[3 * k:3 * k + 3, 3 * k:3 * k + 3] for k in range(len(readings))]


def run(smoother, readings):
    for k, row in enumerate(readings):
        if k > 0:
            smoother.predict(DT)
        smoother.correct(row)
    return smoother


def assert_is(estimate, state, covariance):
    np.testing.assert_allclose(
        np.concatenate([estimate.z, estimate.zd, estimate.forces]), state, rtol=1e-7)
    np.testing.assert_allclose(estimate.covariance, covariance, rtol=1e-5)     # INERTIA is 1


def test_linear_motion_is_the_least_squares_solution():
    readings = flywheel_readings()
    smoother = run(flywheel(lag=1.0), readings)
    states, covariances = least_squares(readings)
    assert_is(smoother.estimate, states[-1], covariances[-1])
    ago, oldest = smoother.smoothed
    assert ago == pytest.approx(STEPS * DT)
    assert_is(oldest, states[0], covariances[0])


def test_what_leaves_the_window_is_not_forgotten():
    readings = flywheel_readings()
    smoother = run(flywheel(lag=5 * DT), readings)
    states, covariances = least_squares(readings)
    assert_is(smoother.estimate, states[-1], covariances[-1])
    ago, oldest = smoother.smoothed
    assert ago == pytest.approx(5 * DT)
    assert_is(oldest, states[-6], covariances[-6])


def test_a_recording_is_smoothed_as_a_whole():
    readings = flywheel_readings()
    stamps = 10 ** 9 + np.arange(len(readings)) * round(DT * 10 ** 9)
    smoothed = smooth(flywheel(lag=5 * DT), Recording(stamps, readings), DT)
    states, covariances = least_squares(readings)
    found = np.hstack([smoothed.motion.z, smoothed.motion.zd, smoothed.forces])
    np.testing.assert_allclose(found, states, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(smoothed.covariance, covariances, rtol=1e-4)
    last = np.hstack([getattr(smoothed.filtered, name)[-1] for name in ('z', 'zd')])
    np.testing.assert_allclose(last, states[-1, :2], rtol=1e-6)


def test_late_readings_say_what_they_would_have_said_in_time():
    readings = flywheel_readings()
    smoother, waiting = flywheel(lag=10 * DT), {}
    for k, row in enumerate(readings):
        if k > 0:
            smoother.predict(DT)
        waiting[k] = np.array([np.nan, row[1]])
        smoother.correct([row[0], np.nan])
        if k >= 7:
            assert smoother.correct_late(7 * DT, waiting[k - 7])
    states, covariances = least_squares(np.vstack(
        [readings[:-7], np.column_stack([readings[-7:, 0], np.full(7, np.nan)])]))
    assert_is(smoother.estimate, states[-1], covariances[-1])
    assert not smoother.correct_late(10.6 * DT, readings[0])
    assert_is(smoother.estimate, states[-1], covariances[-1])


def test_late_readings_between_two_instants():
    """As if there had been an instant where they belong, but for the noise in half a step."""
    between, whole = flywheel(lag=1.0), flywheel(lag=1.0)
    for smoother, halves in ((between, 1), (whole, 2)):
        smoother.correct([0.31, 2.1])
        for step in range(halves):
            if step > 0:
                smoother.correct([np.nan, 2.4])
            smoother.predict(DT / halves)
        smoother.correct([0.33, np.nan])
    assert between.correct_late(DT / 2.0, [np.nan, 2.4])
    for name in ('z', 'zd'):
        np.testing.assert_allclose(
            getattr(between.estimate, name), getattr(whole.estimate, name), atol=2e-4)


@pytest.fixture(scope='module')
def experiment():
    return Experiment('four_bar', ['crank_encoder'],
                      {'gravity': -1.0, 'z0': 0.196}, duration=2.0, dt=0.005)


def errors(experiment, readings, **settings):
    """Return the position errors of the present and of the smoothed estimates, after 0.3 s."""
    smoother = make_filter('fixed_lag_smoother', experiment.mechanism, experiment.sensors,
                           experiment.dt, lag=0.25, **settings)
    present, smoothed = [], []
    for k, row in enumerate(readings):
        if k > 0:
            smoother.predict(experiment.dt)
        smoother.correct(row)
        if k > 60:
            ago, before = smoother.smoothed
            at = k - round(ago / experiment.dt)
            present.append(smoother.estimate.z - experiment.truth.z[k])
            smoothed.append(before.z - experiment.truth.z[at])
    return np.sqrt(np.mean(np.square([present, smoothed]), axis=(1, 2)))


def test_later_readings_help(experiment):
    present, smoothed = errors(experiment, experiment.readings(seed=2))
    assert smoothed < 0.8 * present


def test_a_recording_that_needs_more_iterations_is_reported(experiment):
    smoother = make_filter('fixed_lag_smoother', experiment.mechanism, experiment.sensors,
                           experiment.dt)
    with pytest.raises(NotConvergedError, match=r'after 1 iterations: .* standard deviations, most '
                                                r'of it at t = [\d.]+ s'):
        smooth_whole(smoother, experiment.recording(seed=2), experiment.dt, iterations=1)


def far_off(**settings):
    """Let a smoother start 0.6 rad off; return its errors of position."""
    experiment = Experiment('four_bar', ['coupler_gyro'], {'gravity': -1.0, 'z0': 0.6}, 2.0, 0.005)
    smoother, errors = make_filter('fixed_lag_smoother', experiment.mechanism, experiment.sensors,
                                   experiment.dt, lag=0.25, **settings), []
    for k, row in enumerate(experiment.readings(seed=1)):
        if k > 0:
            smoother.predict(experiment.dt)
        smoother.correct(row)
        errors.append(smoother.estimate.z[0] - experiment.truth.z[k, 0])
    return np.abs(errors)


def test_a_window_that_is_not_solved_is_reported():
    with pytest.raises(ImpossibleReadingError, match=r'after 1 iterations: the window before t = '
                                                     r'.* s still moves by .* are left out'):
        far_off(iterations=1)
    assert far_off()[-50:].max() < 0.05


def test_no_instant_stays_linearised_elsewhere():
    """Also on the edge of the window, where GTSAM linearises nothing anew: a gap of half a second.

    What is left of a move of m radians is m^2 / 2, half a deviation of the estimate at most.
    """
    accurate = load_mechanism('four_bar').replace(sensors={'crank_encoder': {'sigma': 1e-3}})
    experiment = Experiment(accurate, ['crank_encoder'], {'gravity': -8.0, 'z0': 0.1}, 1.2, 0.005)
    smoother = make_filter('fixed_lag_smoother', experiment.mechanism, experiment.sensors,
                           experiment.dt, lag=0.02, acceleration_variance=1e-2)
    readings, errors = experiment.readings(seed=1), []
    readings[100:200] = np.nan
    for k, row in enumerate(readings):
        if k > 0:
            smoother.predict(experiment.dt)
        smoother.correct(row)
        moved = np.abs(smoother._window._smoother.getDelta().vector().reshape(-1, 3)).max(axis=0)
        largest = max(moved[0], 0.1 * moved[1])
        assert largest <= max(1e-2, smoother.estimate.covariance[0, 0] ** 0.25)
        errors.append(abs(smoother.estimate.z[0] - experiment.truth.z[k, 0]))
    assert errors[199] > 0.1
    assert max(errors[200:]) < 5e-3


@pytest.mark.parametrize('loss', ['huber', 'cauchy', 'tukey', 'welsch', 'geman_mcclure'])
def test_robust_losses_bear_outliers(loss):
    """One reading of the encoder in ten is off by 20 standard deviations."""
    random = np.random.default_rng(5)
    truth = 0.3 + 2.0 * DT * np.arange(80)
    readings = np.column_stack([truth + 0.02 * random.normal(size=80), np.full(80, np.nan)])
    off = readings.copy()
    off[random.random(80) < 0.1, 0] += 0.4

    def error(rows, **settings):
        smoother, errors = flywheel(lag=0.1, **settings), []
        for k, row in enumerate(rows):
            if k > 0:
                smoother.predict(DT)
            smoother.correct(row)
            errors.append(smoother.estimate.z[0] - truth[k])
        return np.sqrt(np.mean(np.square(errors[20:])))

    robust = error(off, loss=loss)
    assert robust < 0.5 * error(off)
    assert robust < 2.0 * error(readings)


def test_biases_are_found():
    wheel = FLYWHEEL.replace(sensors={'gyro': {'bias_sigma': 0.5}})
    smoother = make_filter('fixed_lag_smoother', wheel, ['encoder', 'gyro'], DT, lag=0.1,
                           acceleration_variance=1e-6, initial_variance=INITIAL)
    for k in range(200):
        if k > 0:
            smoother.predict(DT)
        smoother.correct([0.3 + 2.0 * DT * k, 2.3])
    estimate, (_, before) = smoother.estimate, smoother.smoothed
    assert estimate.biases['gyro'] == pytest.approx(0.3, abs=0.01)
    assert before.biases['gyro'] == pytest.approx(estimate.biases['gyro'], abs=1e-5)
    assert 0.0 < estimate.bias_deviations['gyro'] < 0.05


@pytest.mark.parametrize('lag', [1.0, 5 * DT])
def test_a_parameter_is_that_of_the_least_squares(lag):
    """A torque that walks; also in the oldest instant, and in a copy of the filter."""
    readings = flywheel_readings()
    smoother = run(make_filter('fixed_lag_smoother', PUSHED, ['encoder', 'gyro'], DT, lag=lag,
                               **PUSH, **SETTINGS), readings)
    rows, right = least_squares_rows(readings, TORQUE_MOMENTS)
    covariance = np.linalg.inv(rows.T @ rows)
    states, count = covariance @ rows.T @ right, len(readings)
    ago, oldest = smoother.smoothed
    for estimate, k in ((smoother.estimate, count - 1), (oldest, count - 1 - round(ago / DT)),
                        (pickle.loads(pickle.dumps(smoother)).estimate, count - 1)):
        place = 3 * count + k
        assert_is(estimate, states[3 * k:3 * k + 3],
                  covariance[3 * k:3 * k + 3, 3 * k:3 * k + 3])
        assert estimate.parameters['forces.push.force'] == pytest.approx(states[place], rel=1e-6)
        assert estimate.parameter_covariance[0, 0] == pytest.approx(
            covariance[place, place], rel=1e-5)


def test_parameters_are_found_while_driving():
    """Gravity and a mass that are a tenth and a fifth wrong; errors over seeds by their deviations.

    The lag is far shorter than what it takes to find them.
    """
    names, errors = ('gravity.y', 'bodies.coupler.mass'), []
    experiment = Experiment('four_bar', ['crank_encoder'], {}, duration=4.0, dt=0.005)
    truth = [experiment.mechanism.gravity[1], experiment.mechanism.bodies['coupler'].mass]
    wrong = experiment.mechanism.replace(gravity=[0.0, 1.1 * truth[0]],
                                         bodies={'coupler': {'mass': 0.8 * truth[1]}})
    for seed in range(4):
        smoother = make_filter('fixed_lag_smoother', wrong, experiment.sensors, experiment.dt,
                               lag=0.1, parameters=names, parameter_deviations=[0.2],
                               parameter_walks=[0.0], acceleration_variance=1e-9,
                               acceleration_psd=1e-6, initial_variance=1e-4)
        for k, row in enumerate(experiment.readings(seed)):
            if k > 0:
                smoother.predict(experiment.dt)
            smoother.correct(row)
        estimate = smoother.estimate
        deviations = np.sqrt(np.diagonal(estimate.parameter_covariance))
        assert deviations[0] < 0.03 * abs(truth[0])
        errors.append((np.array(list(estimate.parameters.values())) - truth) / deviations)
    assert np.abs(errors).max() < 3.5
    smoother.reset(wrong.z0, wrong.zd0)
    assert smoother.estimate.parameters['gravity.y'] == pytest.approx(1.1 * truth[0])
    assert wrong.gravity[1] == pytest.approx(1.1 * truth[0])


@pytest.mark.parametrize('history_length', [0.0, 0.5])
def test_a_stream_hands_late_readings_on(history_length):
    """Also one with a history, which this filter does not need."""
    sensors = sensors_of(FLYWHEEL, ['encoder', 'gyro'])
    smoother = make_filter('fixed_lag_smoother', FLYWHEEL, sensors, DT, lag=0.1, **SETTINGS)
    problems = []
    stream = stream_of(FLYWHEEL, sensors, smoother, problems=problems, dt=DT, reorder_window=0.0,
                       history_length=history_length)
    for k, value in enumerate(0.3 + 0.02 * np.arange(30)):
        stream.add('encoder', 10 ** 9 + k * 10 ** 7, [value])
    before = smoother.estimate
    stream.add('gyro', 10 ** 9 + 25 * 10 ** 7, [2.5])
    assert stream.state.counts.used == 31
    assert smoother.estimate.zd[0] > before.zd[0]
    assert not problems
    stream.add('gyro', 10 ** 9 + 26 * 10 ** 7, [2.0])
    assert stream.state.counts.late == 0


def test_a_copy_goes_on():
    readings = flywheel_readings()
    smoother = run(flywheel(lag=5 * DT), readings)
    copy = pickle.loads(pickle.dumps(smoother))
    for one in (smoother, copy):
        one.predict(DT)
        one.correct([1.0, 2.0])
    np.testing.assert_allclose(copy.estimate.zd, smoother.estimate.zd, rtol=1e-6)
    np.testing.assert_allclose(copy.estimate.covariance, smoother.estimate.covariance, rtol=1e-4)
