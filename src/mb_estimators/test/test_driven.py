"""Filters of a mechanism with a driven crank, against Lagrange's equations and scipy's DOP853.

The linkage of the truth, in plain numpy, has both cranks free; a torque on one makes it follow the
motion that the mechanism file prescribes.
"""

from functools import cache

from filter_traits import (
    ACCELERATIONS,
    EULER,
    EXPONENTIAL,
    KINEMATIC,
    PENALTY,
    known_parameters,
    own_settings,
)
import numpy as np
from plain_linkage import FIVE_BAR
import pytest
from scipy.integrate import solve_ivp
from streamed import stream_of

from mb_estimators import Experiment
from mb_estimators.filter import FilterError
from mb_estimators.plugins import available_filters, make_filter
from mb_estimators.recording.recording import Recording
from mb_estimators.smoothing import smooth
from mb_model import Run, load_mechanism
from mb_sensors import sensors_of

DT = 5e-3
DRIVEN = load_mechanism('five_bar').replace(
    independent=['theta1'], start={'theta2': None},
    constraints={'drive': {'kind': 'prescribed', 'coordinate': 'theta2',
                           'motion': 'pi + 0.3 * sin(2 * t)'}})
ENCODER = sensors_of(DRIVEN, ['left_crank_encoder'])
ALL = available_filters(load_mechanism('five_bar'))
REFUSED = KINEMATIC


def drive(t):
    """Return theta2 and its derivatives."""
    return np.pi + 0.3 * np.sin(2 * t), 0.6 * np.cos(2 * t), -1.2 * np.sin(2 * t)


@cache
def truth():
    """Return the Run of the linkage over 1 s."""
    def accelerations(t, theta, rate):
        z, zd = np.array([theta, drive(t)[0]]), np.array([rate, drive(t)[1]])
        free, inertia = FIVE_BAR.dynamics(z, zd, np.zeros(2))
        inverse = np.linalg.inv(inertia)
        torque = (drive(t)[2] - free[1]) / inverse[1, 1]
        return free[0] + inverse[0, 1] * torque

    t = np.arange(round(1.0 / DT) + 1) * DT
    x = solve_ivp(lambda t, x: [x[1], accelerations(t, *x)], (0.0, 1.0),
                  [DRIVEN.z0[0], DRIVEN.zd0[0]], 'DOP853', t, rtol=1e-11, atol=1e-11).y.T
    rows, q = [], DRIVEN.q0
    for now, (theta, rate) in zip(t, x, strict=True):
        zdd, q = [accelerations(now, theta, rate)], DRIVEN.assemble([theta], q, now)
        qd = DRIVEN.velocity(q, [rate], now)
        rows.append(([theta], [rate], zdd, q, qd, DRIVEN.acceleration(q, qd, zdd, now)))
    return Run(DRIVEN, t, *(np.array(column) for column in zip(*rows, strict=True)),
               forces=np.zeros((len(t), 1)))


def predicted(name, dt):
    """Return the Estimate after a prediction over 1 s, the start being known."""
    filter_ = make_filter(name, DRIVEN, ENCODER, dt, **known_parameters(name),
                          **own_settings(name, {'acceleration_psd': 1e-12}))
    size = filter_.estimate.covariance.shape[0]
    size = min(size, filter_.layout.count('position', 'velocity', 'acceleration') or size)
    for _ in range(2):      # a reset goes back to the start of the motion
        filter_.reset(DRIVEN.z0, DRIVEN.zd0, 1e-12 * np.eye(size))
        for _ in range(round(1.0 / dt)):
            filter_.predict(dt)
    return filter_.estimate


@pytest.mark.parametrize('name', [name for name in ALL if name not in REFUSED])
def test_prediction_is_as_exact_as_its_integrator(name):
    run, errors = truth(), []
    for dt in (DT, DT / 2):
        estimate = predicted(name, dt)
        assert estimate.q[-1] == pytest.approx(drive(1.0)[0], abs=2e-2 if name in EULER else 1e-6)
        errors.append(np.array([abs(estimate.z[0] - run.z[-1, 0]),
                                abs(estimate.zd[0] - run.zd[-1, 0])]))
    coarse, fine = errors
    if name in PENALTY:                 # its penalty lets go of the constraints by more than that
        assert fine[0] < 5e-4
        assert fine[1] < 3e-3
        return
    order = np.log2(coarse / fine)
    if name in EXPONENTIAL:             # of fourth order, by chance of fifth here
        assert (order > 3.75).all()
        assert coarse.max() < 1e-6
        return
    np.testing.assert_allclose(order, 1 if name in EULER else 2, atol=0.25)
    assert coarse[0] < (0.25 if name in EULER else 3e-2 if name in ACCELERATIONS else 2e-3)


@pytest.mark.parametrize('name', [name for name in ALL if name not in REFUSED])
def test_an_accurate_encoder_keeps_the_estimate_at_the_motion(name):
    accurate = DRIVEN.replace(sensors={'left_crank_encoder': {'sigma': 1e-4},
                                       'left_coupler_gyro': {'sigma': 1e-3}})
    result = Experiment(accurate, ['left_crank_encoder', 'left_coupler_gyro'], {'z0': 0.02}, 1.0,
                        DT, truth()).run(name, 1)
    position, velocity = ((2e-3, 5e-2) if name in EULER else (2e-2, 0.2) if name in ACCELERATIONS
                          else (2e-4, 1e-2))
    assert result.position_rmse[0] < position
    assert result.velocity_rmse[0] < velocity


@pytest.mark.parametrize('name', REFUSED)
def test_filters_without_time_refuse_it(name):
    with pytest.raises(FilterError, match=rf'{name}: five_bar: not with prescribed .*: theta2; '
                                          r'filters that suit it are .*error_ekf,'):
        make_filter(name, DRIVEN, ENCODER, DT)
    assert name not in available_filters(DRIVEN)


def test_filters_of_mechanisms_with_a_driven_crank_are_those_that_can():
    assert set(available_filters(DRIVEN)) == set(ALL) - set(REFUSED)


def test_a_driven_mechanism_is_not_smoothed():
    filter_ = make_filter('error_ekf', DRIVEN, ENCODER, DT)
    with pytest.raises(FilterError, match=r'five_bar: cannot be smoothed with prescribed .*theta2'):
        smooth(filter_, Recording(np.array([1, 2]), np.zeros((2, 1)), None), DT)


def stream(**settings):
    """Return an EstimateStream of error_ekf."""
    return stream_of(DRIVEN, ENCODER, dt=DT, **settings)


def test_the_state_is_not_set_back_to_the_start_of_the_motion():
    running, period = stream(reorder_window=0.0), round(DT * 1e9)
    running.set_state([0.1], [0.0])
    running.add('left_crank_encoder', period, [0.1])
    running.add('left_crank_encoder', 2 * period, [0.1])
    with pytest.raises(ValueError, match='prescribed over time'):
        running.set_state([0.1], [0.0])
    running.reset()         # the motion begins again at the next reading
    running.set_state([0.1], [0.0])


def test_a_late_reading_takes_the_prescribed_motion_back_in_time_too():
    period, rows = round(DT * 1e9), 0.02 * np.random.default_rng(4).normal(size=12) + 0.1
    readings = [(k * period, [value]) for k, value in enumerate(rows.tolist(), 1)]
    in_order, late = (stream(reorder_window=0.0, history_length=0.1) for _ in range(2))
    shuffled, ends = readings[:6] + readings[7:] + readings[6:7], []
    for running, order in ((in_order, readings), (late, shuffled)):
        steps = [step for stamp, values in order
                 for step in running.add('left_crank_encoder', stamp, values)]
        ends.append(steps[-1])
    assert [step.stamp for step in ends] == 2 * [12 * period]
    assert ends[1].late[0].stamp == 7 * period
    for name in ('z', 'zd', 'zdd', 'q', 'qd', 'qdd', 'covariance'):
        np.testing.assert_array_equal(*(getattr(step.estimate, name) for step in ends))


def test_a_filter_that_has_diverged_stops_rather_than_go_back_to_the_start_of_the_motion():
    running, period = stream(reorder_window=0.0, restart=True), round(DT * 1e9)
    running.add('left_crank_encoder', period, [0.0])
    estimator = running._run.filter
    before = estimator._work['t']
    estimator._filter['P'] = np.nan
    running.add('left_crank_encoder', 2 * period, [0.0])
    assert running.state.diverged
    assert estimator._work['t'] > before
