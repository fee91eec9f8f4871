"""Filters with a window of a graph on bodies that turn freely."""

from copy import copy

import numpy as np
import pytest
from scipy.optimize import least_squares
from spatial_machines import TORQUE_FREE
from test_orientations import (
    FREE,
    SIGMA,
    START,
    STILL,
    place_and_axes,
    read,
    shaken,
    start_off,
)
from tumbling import Tumbling, is_within

from mb_estimators import make_filter
from mb_estimators.filter import FilterError
from mb_estimators.fitting.by_readings.fit_readings import fit_readings
from mb_estimators.fitting.by_readings.reading_settings import ReadingSettings
from mb_estimators.recording.recording import Recording
from mb_model import Mechanism, motion_difference, simulate

PSD, DT = 0.05, 5e-3
SETTINGS = STILL | {'gate': 0.0, 'acceleration_psd': PSD}


def test_errors_of_a_tumbling_body_are_as_large_as_the_smoother_says():
    """NEES within its interval of 95 % in 90 to 98 % of all instants of 50 runs.

    Of the newest instant of the window, and of the oldest, by the readings after it.
    """
    sensors, within = place_and_axes(FREE), {'newest': [], 'oldest': []}
    filter_ = make_filter('fixed_lag_smoother', FREE, sensors, DT, lag=0.05, **SETTINGS)
    for seed in range(50):
        random, truth, past = np.random.default_rng(seed), Tumbling(), []
        truth.begin(filter_, random, np.full(6, 1e-10))
        for _ in range(25):
            truth.move(DT, noise=(random, PSD))
            past.append(copy(truth))
            filter_.predict(DT)
            filter_.correct(truth.readings + SIGMA * random.normal(size=9))
            found = {'newest': (0.0, filter_.estimate)}
            if len(past) > 10:
                found['oldest'] = filter_.smoothed
            for name, (ago, estimate) in found.items():
                off = past[-1 - round(ago / DT)].off(estimate)
                within[name].append(is_within(off, estimate.covariance[:12, :12]))
    for found in within.values():
        assert 0.90 <= np.mean(found) <= 0.98


def test_small_turns_are_the_linear_filter_and_smoother():
    """Of a body at rest, whose axes are read: a textbook's filter of 18 states, and smoother.

    The trapezoidal rule leads from z, v, a to z + h v + h^2/2 a + h^2/4 w + h/2 n + m, v + h a +
    h/2 w + n, a + w, with noises m, n, w of z, v, a.
    """
    still = Mechanism(TORQUE_FREE | {'start_velocity': {}}, 'still.yaml')
    sensors, walk, psd, sigma = place_and_axes(still), 20.0, 0.05, SIGMA
    filter_ = make_filter('fixed_lag_smoother', still, sensors, DT, lag=0.1, gate=0.0,
                          acceleration_psd=psd, acceleration_variance=walk * DT)
    start = np.diag(np.repeat([1e-4, 4e-4, 1e-2, 4e-2, 1.0, 4.0], 3))
    filter_.reset(still.z0, np.zeros(6), start)
    eye, zero, h = np.eye(6), np.zeros((6, 6)), DT
    F = np.block([[eye, h * eye, h * h / 2.0 * eye], [zero, eye, h * eye], [zero, zero, eye]])
    G = np.block([[eye, h / 2.0 * eye, h * h / 4.0 * eye], [zero, eye, h / 2.0 * eye],
                  [zero, zero, eye]])
    Q = G @ np.diag(np.repeat([psd * h ** 3 / 12.0, psd * h, walk * h], 6)) @ G.T
    axes = still.body_motion('box', filter_.estimate.q, filter_.estimate.qd).rotation
    H = np.zeros((9, 18))
    H[:3, :3] = np.eye(3)
    for k in range(2):          # axis k moves by R (e x unit k)
        H[3 + 3 * k:6 + 3 * k, 3:6] = -axes @ np.cross(np.eye(3)[k], np.eye(3)).T
    x, P, random, passed = np.zeros(18), start, np.random.default_rng(3), []
    ideal = read(sensors, filter_.estimate.q)
    for _ in range(12):
        noise = 1e-3 * sigma * random.normal(size=9)
        filter_.predict(DT)
        filter_.correct(ideal + noise)
        before, x, P = (x, P), F @ x, F @ P @ F.T + Q
        predicted = x, P
        gain = np.linalg.solve(H @ P @ H.T + sigma ** 2 * np.eye(9), H @ P).T
        x, P = x + gain @ (noise - H @ x), P - gain @ H @ P
        passed.append((before, predicted))
    check(filter_.estimate, still, x, P)
    for before, predicted in reversed(passed):
        back = np.linalg.solve(predicted[1], F @ before[1]).T
        x, P = (before[0] + back @ (x - predicted[0]),
                before[1] + back @ (P - predicted[1]) @ back.T)
    ago, oldest = filter_.smoothed
    assert ago == pytest.approx(12 * DT)
    check(oldest, still, x, P)


def check(estimate, mechanism, x, P):
    """Compare an Estimate with the states x (18) of a linear filter and their covariance P."""
    q = mechanism.assemble(mechanism.z0)
    found = motion_difference(mechanism, (estimate.q, estimate.qd), (q, 0.0 * q))
    deviations = np.sqrt(np.diag(P))
    np.testing.assert_allclose(found / deviations[:12], x[:12] / deviations[:12], atol=1e-5)
    np.testing.assert_allclose(estimate.covariance / np.outer(deviations, deviations),
                               P / np.outer(deviations, deviations), atol=1e-5)


def test_late_readings_of_a_tumbling_body_are_as_good_as_others():
    """Every second reading comes an instant late, after the next one."""
    sensors, random = place_and_axes(FREE), np.random.default_rng(8)
    punctual, late = (make_filter('fixed_lag_smoother', FREE, sensors, DT, lag=0.05,
                                  relinearise=1e-5, **SETTINGS) for _ in range(2))
    for filter_ in (punctual, late):
        filter_.reset(*start_off(FREE, np.sqrt(START)))
    waiting = None
    for k, truth in enumerate(shaken(FREE, PSD, DT, 20, 0)):
        readings = read(sensors, truth.q) + SIGMA * random.normal(size=len(sensors))
        punctual.predict(DT)
        punctual.correct(readings)
        late.predict(DT)
        if k % 2 == 0:
            waiting = readings
        else:
            late.correct(readings)
            assert late.correct_late(DT, waiting)
    one, two = punctual.estimate, late.estimate
    np.testing.assert_allclose(motion_difference(FREE, (one.q, one.qd), (two.q, two.qd)), 0.0,
                               atol=1e-5)
    first, second = (estimate.covariance[:12, :12] for estimate in (one, two))
    deviations = np.sqrt(np.diag(first))
    np.testing.assert_allclose((first - second) / np.outer(deviations, deviations), 0.0, atol=2e-3)


def test_an_orientation_has_no_bounds():
    """What it counts from moves with the body."""
    with pytest.raises(FilterError, match=r'bounded: turn\.y: .*counts from where the body is'):
        make_filter('moving_horizon', FREE, place_and_axes(FREE), DT, bounded=('turn.y',),
                    least=(-0.1,), largest=(0.1,))


def test_a_bound_holds_a_place_of_a_tumbling_body():
    """Of a body that seems to be beyond it, and turns on."""
    sensors, bound = place_and_axes(FREE), FREE.z0[2] + 0.01
    filter_ = make_filter('moving_horizon', FREE, sensors, DT, gate=0.0, bounded=('at.z',),
                          least=(-10.0,), largest=(bound,), bound_deviation=1e-4)
    random = np.random.default_rng(2)
    for truth in shaken(FREE, PSD, DT, 20, 0):
        beyond = read(sensors, truth.q) + SIGMA * random.normal(size=9)
        beyond[2] = bound + 0.02
        filter_.predict(DT)
        filter_.correct(beyond)
    estimate = filter_.estimate
    assert estimate.z[2] == pytest.approx(bound, abs=2e-3)
    assert (np.abs(motion_difference(FREE, (truth.q, truth.qd), (estimate.q, estimate.qd))[3:6])
            < 4.0 * SIGMA).all()


def test_parameters_of_a_tumbling_body_are_least_squares_over_single_motions():
    """Its middle moment of inertia, by places and axes, the start known by deviations alone."""
    path, prior, share, count = 'bodies.box.inertia.1', 0.05, 0.3, 160
    sensors, random = place_and_axes(FREE), np.random.default_rng(6)
    places = [int(sensor.records['coordinate'][0]) for sensor in sensors]
    readings = simulate(FREE, count * DT, DT).q[:, places]
    readings = readings + SIGMA * random.normal(size=readings.shape)
    model = FREE.replace(bodies={'box': {'inertia': [0.1, 0.24, 0.3]}})

    def residuals(x):
        moved = model.replace(bodies={'box': {'inertia': [0.1, 0.24 * np.exp(x[12]), 0.3]}})
        z, zd = start_off(model, -x[:12])
        run = simulate(moved, count * DT, DT, z0=z, zd0=zd)
        return np.concatenate([((run.q[:, places] - readings) / SIGMA).ravel(), x[:12] / prior,
                               x[12:] / share])

    expected = least_squares(residuals, np.zeros(13), diff_step=1e-5, x_scale=0.01)
    covariance = np.linalg.inv(expected.jac.T @ expected.jac)
    stamps = np.round(1e9 * DT * np.arange(count + 1)).astype(np.int64)
    found = fit_readings(model, sensors, [Recording(stamps, readings)], DT, (), {path: share},
                         ReadingSettings(acceleration_psd=1e-9, initial_variance=prior ** 2))
    deviation = 0.24 * np.exp(expected.x[12]) * np.sqrt(covariance[12, 12])
    assert found.numbers[0].deviation == pytest.approx(deviation, rel=0.02)
    assert found.values[path] == pytest.approx(0.24 * np.exp(expected.x[12]), abs=0.05 * deviation)
    assert abs(found.values[path] - 0.25) < 3.0 * deviation < 0.03
