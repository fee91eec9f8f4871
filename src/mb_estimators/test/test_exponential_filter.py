"""dekf_exponential beside error_ekf in the review's benchmark, of a prototype that neither shares.

The prototype moves by Lagrange's equations in plain numpy and scipy's DOP853.  The review's
goes by the trapezoidal rule of error_ekf, in its steps, whose error so is no error to error_ekf.
"""

from functools import cache

import numpy as np
from plain_linkage import FOUR_BAR
import pytest
from scipy.integrate import solve_ivp

from mb_estimators import Experiment
from mb_estimators.filter import FilterError
from mb_estimators.plugins import make_filter
from mb_model import Run, SettingError, load_mechanism, simulate
from mb_sensors import sensors_of

DT, DURATION = 5e-3, 10.0
SEEDS = range(6)
MECHANISM = load_mechanism('four_bar')


@cache
def truth():
    """Return the Run of the prototype."""
    g = MECHANISM.g

    def acceleration(z, zd):
        return FOUR_BAR.dynamics(z, zd, 0.0 * z)[0]

    t = np.arange(round(DURATION / DT) + 1) * DT
    x = solve_ivp(lambda _, x: np.concatenate([x[g:], acceleration(x[:g], x[g:])]),
                  (0.0, t[-1]), np.concatenate([MECHANISM.z0, MECHANISM.zd0]), 'DOP853', t,
                  rtol=1e-11, atol=1e-11).y.T
    rows, q = [], MECHANISM.q0
    for z, zd in zip(x[:, :g], x[:, g:], strict=True):
        zdd, q = acceleration(z, zd), MECHANISM.assemble(z, q)
        qd = MECHANISM.velocity(q, zd)
        rows.append((z, zd, zdd, q, qd, MECHANISM.acceleration(q, qd, zdd)))
    return Run(MECHANISM, t, *(np.array(column) for column in zip(*rows, strict=True)),
               forces=np.zeros((len(t), g)))


@pytest.mark.parametrize('sensor', ['crank_encoder', 'crank_gyro', 'coupler_gyro'])
def test_it_is_at_least_as_good_as_error_ekf(sensor):
    experiment = Experiment(MECHANISM, [sensor], {'gravity': -1.0, 'z0': np.pi / 16}, DURATION, DT,
                            truth())
    ours, peer = ([experiment.run(name, seed) for seed in SEEDS]
                  for name in ('dekf_exponential', 'error_ekf'))
    for figure in ('position_rmse', 'position_rmse_after_2s', 'velocity_rmse',
                   'acceleration_rmse'):
        found, other = (np.mean([getattr(result, figure) for result in results])
                        for results in (ours, peer))
        assert found <= 1.01 * other, figure


@pytest.mark.parametrize('order', range(1, 5))
def test_without_stiffness_the_published_orders_agree_with_the_exact_one(order):
    experiment = Experiment(MECHANISM, ['coupler_gyro'], {'gravity': -1.0, 'z0': np.pi / 16}, 2.0,
                            DT)
    exact = experiment.run('dekf_exponential', 1)
    series = experiment.run('dekf_exponential', 1, exponential=f'order_{order}')
    np.testing.assert_allclose(series.observer.z, exact.observer.z, atol=2e-3 if order == 1
                               else 1e-3)


def test_an_order_that_there_is_not_is_refused():
    for settings in ({'exponential': 'order_5'}, {'order': 1}):
        with pytest.raises((SettingError, FilterError)):
            make_filter('dekf_exponential', MECHANISM, sensors_of(MECHANISM, ['crank_encoder']), DT,
                        **settings)


def test_prescribed_coordinates_move_in_its_sub_steps_and_are_refused_by_the_series():
    driven = load_mechanism('five_bar').replace(
        independent=['theta1'], start={'theta2': None},
        constraints={'drive': {'kind': 'prescribed', 'coordinate': 'theta2',
                               'motion': 'pi + 0.3 * sin(2 * t)'}})
    sensors = sensors_of(driven, ['right_crank_encoder'])
    filter_ = make_filter('dekf_exponential', driven, sensors, DT)
    for _ in range(200):
        filter_.predict(DT)
    truth = simulate(driven, 1.0, 1e-3, 'matrix_r', 'rk4')
    np.testing.assert_allclose(filter_.estimate.q, truth.q[-1], atol=5e-4)
    with pytest.raises(FilterError, match='order_1: not with prescribed coordinates'):
        make_filter('dekf_exponential', driven, sensors, DT, exponential='order_1')
