"""moving_horizon against quadratic programs, solved by scipy, and against fixed_lag_smoother."""

from free_motion import FLYWHEEL
import numpy as np
import pytest
from scipy.optimize import lsq_linear
from wheel_readings import DT, SETTINGS, STEPS, flywheel_readings, least_squares_rows

from mb_estimators import make_filter
from mb_estimators.filter import FilterError

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
