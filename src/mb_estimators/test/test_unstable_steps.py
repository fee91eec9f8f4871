"""Filters whose steps are too long for a machine say why they end, and do not where they fit."""

from filter_traits import EULER
import numpy as np
import pytest

from mb_estimators import DivergenceError, Experiment, make_filter
from mb_estimators.filter.errors import NO_STEP, why_no_step
from mb_model import load_mechanism
from mb_sensors import sensors_of

GOVERNOR = load_mechanism('flyball_governor')       # its dampers are for bodies of some grams


def fastest_decay():
    """The largest real part of the eigenvalues by central differences of accelerations [1/s]."""
    def acceleration(x):
        return GOVERNOR.forward_dynamics(x[:g], x[g:], near=GOVERNOR.q0)

    g, step = GOVERNOR.g, 1e-6
    x = np.concatenate([GOVERNOR.z0, GOVERNOR.zd0])
    slopes = np.array([(acceleration(x + step * d) - acceleration(x - step * d)) / (2.0 * step)
                       for d in np.eye(2 * g)]).T
    return -np.linalg.eigvals(np.vstack([np.eye(2 * g)[g:], slopes])).real.min()


def test_the_bound_is_that_of_forward_euler():
    bound = 2.0 / fastest_decay()
    assert why_no_step(GOVERNOR, 0.999 * bound, True) == NO_STEP
    assert f'expected dt below {bound:.2g} s' in why_no_step(GOVERNOR, 1.001 * bound, True)
    assert why_no_step(GOVERNOR, 1.001 * bound, False) == NO_STEP
    assert why_no_step(load_mechanism('six_axis_arm'), 0.1, True) == NO_STEP


@pytest.mark.parametrize('name', EULER)
def test_explicit_filters_say_it_and_follow_in_shorter_steps(name):
    with pytest.raises(DivergenceError, match=r'explicit steps of 0\.002 s are unstable where a '
                                              r'motion decays with 8\.\d+e\+03/s'):
        Experiment(GOVERNOR, ['encoders'], {}, 0.2, 2e-3).run(name, 0)
    result = Experiment(GOVERNOR, ['encoders'], {}, 0.2, 2e-4).run(name, 0)
    assert max(result.position_rmse) < 1e-3


def test_a_smoother_says_that_its_graph_cannot_be_solved_and_what_helps():
    excavator = load_mechanism('excavator')
    sensors = sensors_of(excavator, 'encoders')
    readings = excavator.q0[excavator.indices(('slew', 'boom_length', 'arm_length',
                                              'bucket_length'))]

    def run(**settings):
        smoother = make_filter('fixed_lag_smoother', excavator, sensors, 1e-3, **settings)
        for k in range(20):
            if k:
                smoother.predict(1e-3)
            smoother.correct(readings if k % 5 == 0 else np.full(4, np.nan))
        return smoother.estimate

    with pytest.raises(DivergenceError, match='expected a larger acceleration_psd'):
        run()
    assert np.isfinite(run(acceleration_psd=1e-4).z).all()
