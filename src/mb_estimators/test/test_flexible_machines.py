"""Filters around a machine whose rod bends: an encoder, a strain gauge, gravity 10 % wrong."""

import warnings

import numpy as np
import pytest

from mb_estimators import Experiment, StartWarning, make_filter
from mb_model import load_mechanism, simulate

DT, END = 0.002, 4.0
FILTERS = ('error_ekf', 'error_ekf_ej', 'error_ekf_fe', 'cekf', 'ukf', 'ckf', 'dekf_exponential',
           'fixed_lag_smoother', 'kinematic_kf')


def experiment(*sensors):
    machine = load_mechanism('flexible_slider_crank')
    truth = simulate(machine, END, DT, 'matrix_r', 'rk4')
    return Experiment(machine, sensors, {'gravity': [0.0, -8.81]}, END, DT, truth)


@pytest.fixture(scope='module')
def with_gauge():
    """Crank encoder and a gauge in the middle of the rod."""
    return experiment('default')


def errors(result):
    """Return errors and deviations of z and zd (k, 2 g) in the second half of a run."""
    half, g = len(result.t) // 2, result.truth.z.shape[1]
    wrong = [getattr(result.observer, name) - getattr(result.truth, name) for name in ('z', 'zd')]
    variances = np.diagonal(result.covariance, axis1=1, axis2=2)[:, :2 * g]
    return np.hstack(wrong)[half:], np.sqrt(variances)[half:]


@pytest.mark.filterwarnings('ignore:.*steps of 0.002 s are too long')
@pytest.mark.parametrize('name', FILTERS)
def test_modes_are_states_whose_intervals_hold(with_gauge, name):
    wrong, deviations = errors(with_gauge.run(name, 1))
    inside = (np.abs(wrong) < 1.96 * deviations).mean(axis=0)
    assert (inside > 0.9).all(), inside
    bent = np.sqrt(np.mean(with_gauge.truth.z[:, 1] ** 2))
    assert bent > 0.8e-3
    assert np.sqrt(np.mean(wrong[:, 1] ** 2)) < 0.03 * bent
    assert np.median(deviations[:, 1]) < 0.03 * bent


@pytest.mark.filterwarnings('ignore:.*steps of 0.002 s are too long')
def test_a_gauge_knows_what_a_wrong_model_does_not(with_gauge):
    """The model of wrong gravity bends less than the rod; the encoder does not see it."""
    alone, _ = errors(experiment('crank_encoder').run('error_ekf', 1))
    read, _ = errors(with_gauge.run('error_ekf', 1))
    modes = [np.sqrt(np.mean(one[:, 1] ** 2)) for one in (alone, read)]
    assert modes[1] < 0.3 * modes[0]
    assert modes[0] > 5e-5


@pytest.mark.filterwarnings('ignore:.*steps of 0.002 s are too long')
def test_a_soft_rod_is_found_by_its_gauge():
    """Bending stiffness 20 % too large in the model, among the states of augmented_ekf."""
    machine = load_mechanism('flexible_slider_crank')
    truth = simulate(machine, END, DT, 'matrix_r', 'rk4')
    stiff = machine.number('young * width * thickness ** 3 / 12')
    trial = Experiment(machine, ['default'], {'bodies': {'rod': {'flexible': {
        'bending_stiffness': 1.2 * stiff}}}}, END, DT, truth)
    path = 'bodies.rod.flexible.bending_stiffness'
    result = trial.run('augmented_ekf', 1, parameters=[path], parameter_deviations=[0.3])
    assert result.parameters[path][-1] == pytest.approx(stiff, rel=0.01)


def test_a_filter_that_is_sure_of_a_straight_start_warns():
    """A rod in two pins hangs by 4 w l^4 / (pi^5 E I) in its first sine, w across it."""
    machine = load_mechanism('flexible_slider_crank').replace(start_velocity={'theta': 0.0})
    sure = {'initial_variance': 1e-9}
    rod = machine.bodies['rod']
    ends = [machine.q0[machine.indices([f'{name}.x', f'{name}.y'])] for name in rod.points]
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    weight = rod.mass * 9.81 / rod.beam.length * along[0]
    sag = 4.0 * weight * rod.beam.length ** 4 / (np.pi ** 5 * rod.beam.bending_stiffness)
    with pytest.warns(StartWarning, match=rf'error_ekf: .*start\.rod\.mode1: 0 m, expected about '
                                          rf'-{sag:.3g} m, as it hangs at rest, or an initial'):
        make_filter('error_ekf', machine, ['default'], DT, **sure)
    with warnings.catch_warnings():
        warnings.simplefilter('error', StartWarning)
        make_filter('error_ekf', machine, ['default'], DT)
        make_filter('error_ekf', machine.replace(start={'rod.mode1': -sag}), ['default'], DT,
                    **sure)
