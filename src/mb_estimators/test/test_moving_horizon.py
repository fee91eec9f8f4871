"""moving_horizon against quadratic programs, solved by scipy, and against fixed_lag_smoother."""

from free_motion import FLYWHEEL
import numpy as np
import pytest
from scipy.optimize import lsq_linear
from streamed import stream_of
from wheel_readings import (
    DT,
    PUSH,
    PUSHED,
    SETTINGS,
    SIGMAS,
    STEPS,
    TORQUE_MOMENTS,
    flywheel_readings,
    least_squares_rows,
)

from mb_estimators import make_filter
from mb_estimators.filter import FilterError
from mb_sensors import sensors_of

FORCE, SPEED = 'force on theta', 'theta velocity'


def make(lag=10.0, **settings):
    return make_filter('moving_horizon', FLYWHEEL, ['encoder', 'gyro'], DT, lag=lag, **SETTINGS,
                       **settings)


@pytest.mark.parametrize(('name', 'state', 'least', 'largest'), [
    (FORCE, 2, -0.1, 0.35), (FORCE, 2, 0.6, 9.0), (SPEED, 1, -10.0, 2.12),
    ('theta', 0, 0.335, 9.0)])
def test_linear_motion_is_the_quadratic_program(name, state, least, largest):
    """By all readings so far; the first node, the start, has no bounds.

    They are soft: what is beyond is far below their deviation.
    """
    readings, active = flywheel_readings(), 0
    filter_ = make(bounded=(name,), least=(least,), largest=(largest,), bound_deviation=1e-4)
    for k, row in enumerate(readings):
        if k > 0:
            filter_.predict(DT)
        filter_.correct(row)
        if k % 5 or k == 0:
            continue
        rows, right = least_squares_rows(readings[:k + 1])
        low, high = np.full((2, k + 1, 3), [[[-np.inf]], [[np.inf]]])
        low[1:, state], high[1:, state] = least, largest
        best = lsq_linear(rows, right, (low.ravel(), high.ravel()), method='bvls',
                          tol=1e-14).x.reshape(-1, 3)
        estimate = filter_.estimate
        np.testing.assert_allclose(
            [estimate.z[0], estimate.zd[0], estimate.forces[0]], best[-1], atol=1e-4)
        active += np.isclose(best[1:, state], [[least], [largest]], atol=1e-9).any()
    assert active > 0


def test_without_bounds_it_is_the_smoother():
    both = make(lag=0.1), make_filter(
        'fixed_lag_smoother', FLYWHEEL, ['encoder', 'gyro'], DT, lag=0.1, **SETTINGS)
    for k, row in enumerate(flywheel_readings()):
        for each in both:
            if k > 0:
                each.predict(DT)
            each.correct(row)
    a, b = (each.estimate for each in both)
    np.testing.assert_array_equal(a.z, b.z)
    np.testing.assert_array_equal(a.covariance, b.covariance)


def test_a_bound_of_a_parameter_is_one_of_its_value():
    """A torque that walks, as a quadratic program of all readings."""
    readings, least, largest = flywheel_readings(), -1.0, 0.53
    filter_ = make_filter('moving_horizon', PUSHED, ['encoder', 'gyro'], DT, lag=10.0, **SETTINGS,
                          **PUSH, bounded=PUSH['parameters'], least=[least], largest=[largest],
                          bound_deviation=1e-4)
    for k, row in enumerate(readings):
        if k > 0:
            filter_.predict(DT)
        filter_.correct(row)
    rows, right = least_squares_rows(readings, TORQUE_MOMENTS)
    count = len(readings)
    low, high = np.full((2, 4 * count), [[-np.inf], [np.inf]])
    low[3 * count + 1:], high[3 * count + 1:] = least, largest
    best = lsq_linear(rows, right, (low, high), method='bvls', tol=1e-14).x
    assert np.isclose(best[3 * count + 1:], largest, atol=1e-9).any()
    estimate, last = filter_.estimate, 3 * (count - 1)
    np.testing.assert_allclose([estimate.z[0], estimate.zd[0], estimate.forces[0]],
                               best[last:last + 3], atol=1e-4)
    assert estimate.parameters['forces.push.force'] == pytest.approx(best[-1], abs=1e-4)


def test_bounds_hold_while_instants_leave_the_window():
    filter_ = make(lag=0.05, bounded=(FORCE,), least=(0.0,), largest=(0.5,), bound_deviation=1e-3)
    random = np.random.default_rng(4)
    for k in range(3 * STEPS):
        filter_.predict(DT)
        t = (k + 1) * DT
        filter_.correct([0.3 + 2.0 * t + 0.4 * t * t + 0.02 * random.normal(),
                         2.0 + 0.8 * t + 0.05 * random.normal()])
        assert -1e-4 < filter_.estimate.forces[0] < 0.5 + 1e-4
    assert filter_.estimate.forces[0] > 0.4                 # 0.8 without bounds


@pytest.mark.parametrize(('values', 'text'), [
    ({'bounded': (FORCE,)}, 'bounded: 1 names, 0 least and 0 largest values'),
    ({'bounded': ('force',), 'least': (0.0,), 'largest': (1.0,)},
     'bounded: force: unknown, expected some of theta, theta velocity, force on theta'),
    ({'bounded': (FORCE,), 'least': (1.0,), 'largest': (1.0,)}, r'least 1\.0 must be < largest')])
def test_bounds_that_cannot_be_are_refused(values, text):
    with pytest.raises(FilterError, match=text):
        make(**values)


def accelerating(count, random):
    """Readings of a wheel that turns ever faster: 2.12 rad/s are passed after 24 ms."""
    t = DT * np.arange(1, count + 1)
    exact = np.column_stack([0.3 + 2.0 * t + 2.5 * t * t, 2.0 + 5.0 * t])
    return exact + SIGMAS * random.normal(size=exact.shape)


def doubts(largest, **settings):
    filter_ = make(lag=0.1, bounded=(SPEED,), least=(-10.0,), largest=(largest,), **settings)
    found = []
    for row in accelerating(60, np.random.default_rng(1)):
        filter_.predict(DT)
        filter_.correct(row)
        found.append(filter_.doubt)
    return found


def test_a_bound_that_contradicts_the_readings_is_named():
    """At 2.12 rad/s the true speed is far beyond; 9 rad/s are never reached."""
    found = doubts(2.12)
    assert found[0] == ''
    assert found[-1] == ('has readings far from their prediction while bounds hold theta velocity, '
                         '-10 to 2.12')
    assert set(doubts(9.0)) == {''}


def test_a_bound_that_is_right_is_no_contradiction():
    """The wheel turns at the bound itself."""
    filter_ = make(lag=0.1, bounded=(SPEED,), least=(-10.0,), largest=(2.0,))
    random, held = np.random.default_rng(2), 0
    for k in range(300):
        filter_.predict(DT)
        filter_.correct([0.3 + 2.0 * (k + 1) * DT + SIGMAS[0] * random.normal(),
                         2.0 + SIGMAS[1] * random.normal()])
        assert filter_.doubt == ''
        held += filter_.estimate.zd[0] >= 2.0
    assert held > 30


def test_a_window_that_begins_anew_says_so():
    found = [doubt for doubt in doubts(2.12, iterations=3) if 'begun its window anew' in doubt]
    assert found
    assert 'not converged after 3 iterations: the window before t = ' in found[0]


def test_a_stream_distrusts_estimates_that_a_bound_contradicts():
    sensors = sensors_of(FLYWHEEL, ['encoder', 'gyro'])
    filter_ = make_filter('moving_horizon', FLYWHEEL, sensors, DT, bounded=(SPEED,),
                          least=(-10.0,), largest=(2.12,), **SETTINGS)
    reports, steps = [], []
    stream = stream_of(FLYWHEEL, sensors, filter_, problems=reports, dt=DT, reorder_window=0.0)
    for k, (angle, speed) in enumerate(accelerating(60, np.random.default_rng(1))):
        stamp = round((k + 1) * DT * 1e9)
        steps += stream.add('encoder', stamp, [angle])
        steps += stream.add('gyro', stamp, [speed])
    assert steps[0].distrust == ''
    what = 'has readings far from their prediction while bounds hold theta velocity'
    assert f'filter {what}' in steps[-1].distrust
    assert sum(what in report for report in reports) == 1
