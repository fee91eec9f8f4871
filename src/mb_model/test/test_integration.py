"""Every formulation with every integrator, against a minimal-coordinate DOP853 solution."""

from math import cos, sin

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from truth import Linkage

from mb_model import StepError, load_mechanism, make_stepper, simulate
from mb_model.integration.registry import FORMULATIONS

ORDERS = {'forward_euler': 1, 'augmented_euler': 1, 'rk2': 2, 'trapezoidal': 2, 'rk4': 4,
          'exponential_0': 1, 'exponential_1': 2, 'exponential_2': 2, 'exponential_3': 2,
          'exponential_4': 2, 'exponential': 4}
METHODS = [(name, integrator) for name, formulation in FORMULATIONS.items()
           for integrator in formulation.integrators]
FOUR_BAR_FG = load_mechanism('four_bar_fg')
END = 5.0


@pytest.fixture(scope='module')
def truth():
    """The crank angle and its rate after 0.5 s and after 5 s."""
    linkage = Linkage.four_bar(1.0, 2.0, np.sqrt(13.0), 4.0, masses=(1.0, 2.0, 4.0), branch=1,
                               gravity=9.8)
    z, zd = linkage.simulate([0.0], [0.0], np.array([0.0, 0.5, END]))
    return {0.5: (z[1, 0], zd[1, 0]), END: (z[2, 0], zd[2, 0])}


@pytest.mark.parametrize('formulation', FORMULATIONS)
def test_formulations_agree_with_the_truth_after_five_seconds(truth, formulation):
    for integrator in FORMULATIONS[formulation].integrators:
        if ORDERS[integrator] > 1:
            run = simulate(FOUR_BAR_FG, END, 1e-3, formulation, integrator)
            assert run.z[-1, 0] == pytest.approx(truth[END][0], abs=1e-3), integrator


@pytest.mark.parametrize(('formulation', 'integrator'), METHODS)
def test_the_error_falls_with_the_order_of_the_integrator(truth, formulation, integrator):
    order, at = ORDERS[integrator], 0.5
    # Steps as coarse as the order allows; what the penalty leaves open must stay below the error.
    first = {1: 1e-3, 2: 4e-3, 4: 1e-2}[order]
    if integrator == 'exponential':
        first = 4e-3      # it divides coarser ones itself
    ends = [simulate(FOUR_BAR_FG, at, first / 2 ** k, formulation, integrator) for k in range(3)]
    z = np.array([run.z[-1, 0] for run in ends])
    observed = np.log2(abs((z[0] - z[1]) / (z[1] - z[2])))
    assert observed == pytest.approx(order, abs=0.4)
    assert abs(z[2] - truth[at][0]) < 1.2 * abs(z[1] - z[2]) / (2 ** order - 1) + 2e-6


@pytest.mark.parametrize(('formulation', 'integrator'), METHODS)
def test_a_pendulum_swings_as_its_equation_says(formulation, integrator):
    run = simulate(load_mechanism('pendulum'), 1.0, 1e-4, formulation, integrator)
    solution = solve_ivp(lambda t, x: [x[1], -1.5 * 9.81 * cos(x[0])], (0.0, 1.0), [0.0, 0.0],
                         'DOP853', rtol=1e-12, atol=1e-12)
    tolerance = {1: 2e-2, 2: 2e-6, 4: 2e-6}[ORDERS[integrator]]
    np.testing.assert_allclose([run.z[-1, 0], run.zd[-1, 0]], solution.y[:, -1], atol=tolerance)


def double_pendulum(t, x):
    """Two uniform rods of 1 m and 1 kg, absolute angles: textbook equations of motion."""
    a, b, va, vb = x
    coupling = 0.5 * cos(a - b)
    matrix = [[4 / 3, coupling], [coupling, 1 / 3]]
    right = [-0.5 * sin(a - b) * vb ** 2 - 1.5 * 9.81 * cos(a),
             0.5 * sin(a - b) * va ** 2 - 0.5 * 9.81 * cos(b)]
    return [va, vb, *np.linalg.solve(matrix, right)]


@pytest.mark.parametrize('formulation', FORMULATIONS)
def test_a_double_pendulum_swings_as_its_equations_say(formulation):
    run = simulate(load_mechanism('double_pendulum'), 1.0, 5e-4, formulation,
                   FORMULATIONS[formulation].integrators[0])
    solution = solve_ivp(double_pendulum, (0.0, 1.0), np.zeros(4), 'DOP853', rtol=1e-12,
                         atol=1e-12)
    np.testing.assert_allclose([*run.z[-1], *run.zd[-1]], solution.y[:, -1], atol=2e-4)


@pytest.mark.parametrize('formulation', ['penalty', 'lagrange', 'closed_form'])
def test_violated_constraints_come_back(formulation):
    """The constraints of integrated coordinates stay small over a long and coarse run."""
    stepper = make_stepper(FOUR_BAR_FG, formulation, 'rk2')
    largest = 0.0
    for _ in range(2500):
        stepper.step(2e-3)
        largest = max(largest, FOUR_BAR_FG.closing_error(stepper.q))
    assert largest < 1e-4


def test_stabilisation_is_as_strong_as_set():
    """A violation x obeys x'' + 2 xi omega x' + omega^2 x = 0: here overdamped, or left alone."""
    opened = {}
    for formulation in ('lagrange', 'closed_form'):
        for omega, xi in ((50.0, 2.0), (0.0, 1.0)):
            stepper = make_stepper(FOUR_BAR_FG, formulation, 'rk4', natural_frequency=omega,
                                   damping_ratio=xi)
            stepper.q[0] += 1e-7
            stepper.qd[:] = 0.0
            first = FOUR_BAR_FG.closing_error(stepper.q)
            for _ in range(200):
                stepper.step(1e-3)
            opened[omega] = FOUR_BAR_FG.closing_error(stepper.q) / first
        slow, fast = (50.0 * (2.0 - sign * 3.0 ** 0.5) for sign in (1.0, -1.0))
        left = (fast * np.exp(-0.2 * slow) - slow * np.exp(-0.2 * fast)) / (fast - slow)
        assert opened[50.0] == pytest.approx(left, rel=0.05), formulation
        assert opened[0.0] > 0.5, formulation


def test_index3_iterates_as_long_as_set():
    def end(**settings):
        return simulate(FOUR_BAR_FG, 0.5, 1e-2, **settings).q[-1]

    exact = end(newton_tolerance=1e-13)
    errors = [np.abs(end(newton_tolerance=tolerance) - exact).max()
              for tolerance in (1e-1, 1e-4, 1e-8)]
    assert errors[0] > 10.0 * errors[1] > 100.0 * errors[2]
    with pytest.raises(StepError):
        end(iterations=1)


def test_unknown_settings_are_reported():
    with pytest.raises(ValueError, match=r'penalty: -1\.0 must be > 0'):
        make_stepper(FOUR_BAR_FG, 'penalty', penalty=-1.0)
    with pytest.raises(ValueError, match='stiffness: unknown setting, expected one of natu'):
        simulate(FOUR_BAR_FG, 1.0, 1e-3, 'lagrange', stiffness=1.0)
    with pytest.raises(ValueError, match='penalty: unknown setting, expected none'):
        make_stepper(FOUR_BAR_FG, 'matrix_r', penalty=1.0)


@pytest.mark.parametrize('formulation', [name for name, formulation in FORMULATIONS.items()
                                         if 'rk4' in formulation.integrators])
def test_a_force_acts_from_the_step_it_is_given_in(formulation):
    """Held forces are constants to an explicit method: a jump costs no accuracy."""
    mechanism = load_mechanism('pendulum').replace(gravity=[0.0, 0.0])
    stepper = make_stepper(mechanism, formulation, 'rk4')
    for force in [1.0] * 10 + [-1.0] * 10:
        stepper.step(0.01, [force])
    # Inertia about the pivot 1/3: 0.1 s with +3, 0.1 s with -3 rad/s^2.
    np.testing.assert_allclose([stepper.z[0], stepper.zd[0], stepper.zdd[0]], [0.03, 0.0, -3.0],
                               atol=2e-5)


@pytest.mark.parametrize('formulation', FORMULATIONS)
def test_the_trapezoidal_rule_steps_over_stiff_springs(formulation, four_bar_truth):
    """A coupler in two halves, straight: it swings with 8 ms, and moves on like a rigid one."""
    split = load_mechanism('four_bar_split').replace(start={'theta21': 0.385641247})
    run = simulate(split, 0.5, 5e-3, formulation)
    z, _ = four_bar_truth.simulate(split.z0[:1], [0.0], np.array([0.0, 0.5]))
    assert run.z[-1, 0] == pytest.approx(z[-1, 0], abs=1e-4)
