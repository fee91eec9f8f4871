"""Forward dynamics by factor graphs against DOP853 on other equations of motion."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_estimators import (
    FactorGraph,
    Recording,
    identify_branch,
    inverse,
    make_filter,
)
from mb_estimators.commands.forward import main
from mb_estimators.factor_graph.forward import ForwardSettings, _all_together, forward
from mb_estimators.factor_graph.forward_chain import Chain
from mb_estimators.filter import DivergenceError, FilterError, NotConvergedError
from mb_model import Run, SettingError, load_mechanism
from mb_sensors import sensors_of

DURATION, DT = 0.15, 1e-3


def truth(mechanism, times):
    """Return z (k, g) by DOP853."""
    g = mechanism.g
    near = [mechanism.q0]

    def rates(t, x):
        near[0] = mechanism.assemble(x[:g], near[0], t)
        return np.concatenate([x[g:], mechanism.forward_dynamics(x[:g], x[g:], near=near[0], t=t)])

    solution = solve_ivp(rates, (0.0, times[-1]), np.concatenate([mechanism.z0, mechanism.zd0]),
                         'DOP853', times, rtol=1e-11, atol=1e-12)
    return solution.y[:g].T


@pytest.mark.parametrize('coordinates', ['dependent', 'independent'])
@pytest.mark.parametrize(('method', 'window'), [('fixed_lag', 2), ('fixed_lag', 5), ('batch', 2)])
def test_four_bar(coordinates, method, window):
    mechanism = load_mechanism('four_bar_fg')
    run = forward(mechanism, DURATION, DT, coordinates=coordinates, method=method, window=window)
    error = run.z - truth(mechanism, run.t)
    assert np.abs(error).max() < 1e-6       # of the order of h^2
    assert max(mechanism.closing_error(q) for q in run.q) < 1e-9


@pytest.mark.parametrize('coordinates', ['dependent', 'independent'])
@pytest.mark.parametrize('name', ['five_bar', 'four_bar_spring_damper', 'inverted_slider_crank'])
def test_error_is_of_second_order(coordinates, name):
    mechanism = load_mechanism(name)
    errors = []
    for dt in (4e-3, 2e-3):
        run = forward(mechanism, 0.08, dt, coordinates=coordinates)
        errors.append(np.abs(run.z - truth(mechanism, run.t)).max())
    assert 3.0 < errors[0] / errors[1] < 5.0


@pytest.mark.parametrize('coordinates', ['dependent', 'independent'])
@pytest.mark.parametrize('name', ['spatial_slider_crank', 'six_axis_arm'])
def test_machines_in_space(coordinates, name):
    """Also with more than 40 coordinates; of second order."""
    mechanism, errors = load_mechanism(name), []
    for dt in (4e-3, 2e-3):
        run = forward(mechanism, 0.04, dt, coordinates=coordinates)
        errors.append(np.abs(run.z - truth(mechanism, run.t)).max())
    assert 3.0 < errors[0] / errors[1] < 5.0
    assert errors[1] < 1e-4


@pytest.mark.parametrize('coordinates', ['dependent', 'independent'])
@pytest.mark.parametrize('method', ['fixed_lag', 'batch'])
def test_prescribed_motion(coordinates, method):
    """A five-bar linkage of which one crank moves by a law of time; of second order."""
    mechanism = load_mechanism('five_bar').replace(
        independent=['theta1'], start={'theta2': None}, constraints={'drive': {
            'kind': 'prescribed', 'coordinate': 'theta2', 'motion': 'pi + 0.3 * sin(4 * t)'}})
    errors, place = [], mechanism.coordinates.index('theta2')
    for dt in (4e-3, 2e-3):
        run = forward(mechanism, 0.2, dt, coordinates=coordinates, method=method)
        errors.append(np.abs(run.z - truth(mechanism, run.t)).max())
        np.testing.assert_allclose(run.q[:, place], np.pi + 0.3 * np.sin(4.0 * run.t), atol=1e-9)
        np.testing.assert_allclose(run.qd[:, place], 1.2 * np.cos(4.0 * run.t), atol=1e-9)
    assert 3.0 < errors[0] / errors[1] < 5.0
    assert errors[1] < 1e-3


def test_a_marginalised_instant_says_all_that_is_before_it():
    """The newest instant is found as in a graph of all instants, but for what is not linear."""
    mechanism, ends = load_mechanism('four_bar_fg'), {}
    for label, settings in (('batch', {'method': 'batch'}), ('known', {'window': 2}),
                            ('marginalised', {'window': 2, 'oldest': 'marginalised'})):
        ends[label] = forward(mechanism, 0.05, 5e-3, coordinates='independent',
                              equality_variance=1.0, integration_variance=1e-4, **settings)
    last = {label: np.concatenate([run.q[-1], run.qd[-1]]) for label, run in ends.items()}
    known, marginalised = (np.abs(last[label] - last['batch']).max()
                           for label in ('known', 'marginalised'))
    assert known > 1e-9
    assert marginalised < 0.05 * known


@pytest.mark.parametrize('coordinates', ['dependent', 'independent'])
@pytest.mark.parametrize('method', ['fixed_lag', 'batch'])
def test_eulers_rule_is_of_first_order(coordinates, method):
    mechanism, errors = load_mechanism('four_bar_fg'), []
    for dt in (2e-3, 1e-3):
        run = forward(mechanism, 0.1, dt, coordinates=coordinates, method=method,
                      integration='euler')
        errors.append(np.abs(run.z - truth(mechanism, run.t)).max())
        assert run.integrator == 'euler'
    assert 1.8 < errors[0] / errors[1] < 2.2


@pytest.mark.parametrize('coordinates', ['dependent', 'independent'])
@pytest.mark.parametrize('method', ['fixed_lag', 'batch'])
def test_too_few_iterations_are_reported(coordinates, method):
    """Steps so long that the first guess of a window is far off."""
    with pytest.raises(NotConvergedError, match=r'not converged after 1 iterations: another step '
                                                r'would change the motion of \S+ by .* % at t = '):
        forward(load_mechanism('four_bar_fg'), 2.0, 0.1, coordinates=coordinates, method=method,
                iterations=1)


def test_a_batch_of_its_own_is_not_silent():
    """Nodes that a window has left far from the motion."""
    mechanism = load_mechanism('four_bar_fg')
    chain = Chain(mechanism, DT, ForwardSettings())
    nodes = [chain.start()]
    for _ in range(20):
        nodes.append(chain.after(nodes[-1]))
        nodes[-1][2 * mechanism.n:] += 50.0
    with pytest.raises(NotConvergedError, match='not converged after 1 iterations'):
        _all_together(chain, nodes, 1)


def test_a_motion_that_disobeys_the_dynamics_is_reported():
    with pytest.raises(DivergenceError, match='does not obey the dynamics: accelerations of up to'):
        forward(load_mechanism('four_bar_fg'), 0.5, 0.02, dynamics_variance=1e6,
                integration_variance=1e-6)


def test_what_cannot_be():
    with pytest.raises(SettingError, match='window'):
        forward(load_mechanism('four_bar'), 0.1, DT, window=1)


RODS = {'large': load_mechanism('rod_array').replace(parameters={'loops': 110}),
        'sparse': load_mechanism('rod_array', 'sparse')}
REFUSED = {'large': r'too large for a(?: factor graph| filter): 445 coordinates, fixed points '
                    r'included, and 222 equations, expected at most 400 of each',
           'sparse': r'storage: sparse, with 21 coordinates, .*, and 10 equations: a(?: factor '
                     r'graph| filter) needs dense'}
RECORDED = Recording(np.arange(3) * 5_000_000, np.zeros((3, 1)))


@pytest.mark.parametrize('size', RODS)
@pytest.mark.parametrize('asked', [
    lambda rods: forward(rods, 0.1, DT),
    lambda rods: inverse(rods, np.zeros((3, 1)), DT),
    FactorGraph,
    lambda rods: identify_branch(rods, sensors_of(rods, ['rod_encoder']), RECORDED, DT),
    lambda rods: make_filter('fixed_lag_smoother', rods, ['rod_encoder'], DT)],
    ids=['forward', 'inverse', 'composed', 'identify_branch', 'smoother'])
def test_graphs_of_large_mechanisms_are_refused_with_their_size(size, asked):
    with pytest.raises(FilterError, match=REFUSED[size]):
        asked(RODS[size])


def test_command(capsys, tmp_path):
    saved = tmp_path / 'run.npz'
    assert main(['four_bar_fg', '--duration', '0.01', '--setting', 'window=2',
                 '--save', str(saved)]) == 0
    assert 'saved' in capsys.readouterr().out
    assert Run.load(saved).settings['window'] == 2
    assert main(['four_bar_fg', '--duration', '2', '--dt', '0.1', '--setting', 'iterations=1']) == 1
    assert 'not converged after 1 iterations: another step would' in capsys.readouterr().err
    assert main(['four_bar_fg', '--setting', 'window=1']) == 2
    assert 'window: 1 must be >= 2' in capsys.readouterr().err
