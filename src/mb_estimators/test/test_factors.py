"""Every factor: its error where it must vanish, and its Jacobian against central differences."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_estimators.factor_graph.factors.constraints import accelerations, positions, tie, velocities
from mb_estimators.factor_graph.factors.dynamics import dependent_dynamics, independent_dynamics
from mb_estimators.factor_graph.factors.linear import (
    desired,
    equality,
    euler,
    even_change,
    prior,
    trapezoidal,
)
from mb_model import load_mechanism

H = 0.03
MECHANISMS = {name: load_mechanism(name) for name in (
    'four_bar_spring_damper', 'five_bar', 'inverted_slider_crank', 'three_rrr')}


class Case:
    """A node with every variable, and the factors at it by name: (rows, the ones that vanish)."""

    def __init__(self, mechanism):
        self.mechanism, self.work = mechanism, mechanism.workspace()
        n, m, g = mechanism.n, mechanism.m, mechanism.g
        self.z, self.zd, self.zdd, self.q = 0, g, 2 * g, 3 * g
        self.qd, self.qdd, self.forces = 3 * g + n, 3 * g + 2 * n, 3 * g + 3 * n
        self.size = 4 * g + 3 * n
        self.rows = {'trapezoidal': n, 'euler': n, 'equality': n, 'prior': g, 'tie': g,
                     'desired': g, 'positions': m, 'velocities': m, 'accelerations': m,
                     'dependent_dynamics': n, 'independent_dynamics': g}

    def moving(self, random):
        """Return a node that obeys kinematics and dynamics, under random forces."""
        mechanism = self.mechanism
        z = mechanism.z0 + random.uniform(-0.06, 0.06, mechanism.g)
        zd, forces = (random.normal(size=mechanism.g) for _ in range(2))
        q = mechanism.assemble(z)
        qd = mechanism.velocity(q, zd)
        zdd = mechanism.forward_dynamics(z, zd, forces)
        return np.concatenate([z, zd, zdd, q, qd, mechanism.acceleration(q, qd, zdd), forces])

    def evaluate(self, name, a, b):
        """Return error and Jacobians by both nodes."""
        count = self.rows[name]
        e, J_a, J_b = np.zeros(count), *np.zeros((2, count, self.size))
        model, work = self.mechanism.model[0], self.work[0]
        n = self.mechanism.n
        work['q'][:n] = self.mechanism.q0
        solved = {
            'trapezoidal': lambda: trapezoidal(a, b, self.q, self.qd, n, H, e, J_a, J_b, 0),
            'euler': lambda: euler(a, b, self.q, self.qd, n, H, e, J_a, J_b, 0),
            'equality': lambda: equality(a, b, self.qdd, n, e, J_a, J_b, 0),
            'prior': lambda: prior(a, self.z, self.mechanism.z0, count, e, J_a, 0),
            'desired': lambda: desired(model, a, self.q, self.mechanism.z0, e, J_a, 0),
            'tie': lambda: tie(model, a, self.qd, self.zd, e, J_a, 0),
            'positions': lambda: positions(model, work, a, self.q, e, J_a, 0),
            'velocities': lambda: velocities(model, work, a, self.q, self.qd, e, J_a, 0),
            'accelerations': lambda: accelerations(
                model, work, a, self.q, self.qd, self.qdd, e, J_a, 0),
            'dependent_dynamics': lambda: dependent_dynamics(
                model, work, a, self.q, self.qd, self.qdd, self.forces, e, J_a, 0),
            'independent_dynamics': lambda: independent_dynamics(
                model, work, a, self.z, self.zd, self.zdd, self.forces, e, J_a, 0),
        }[name]()
        assert solved is None or solved
        return e, J_a, J_b


CASES = {name: Case(mechanism) for name, mechanism in MECHANISMS.items()}


def along(function, x, direction, step=1e-5):
    """Return the derivative of function at x in a direction, at fourth order."""
    near, far = (function(x + d * direction) - function(x - d * direction)
                 for d in (step, 2.0 * step))
    return (8.0 * near - far) / (12.0 * step)


@pytest.mark.parametrize('case', CASES.values(), ids=CASES)
@pytest.mark.parametrize('name', CASES['five_bar'].rows)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10 ** 6))
def test_jacobian(case, name, seed):
    """At nodes that obey nothing: variables of a graph are free until it is solved.

    In random directions: a wrong entry shows in all but few of them.
    """
    random = np.random.default_rng(seed)
    a, b = (case.moving(random) + 0.01 * random.normal(size=case.size) for _ in range(2))
    _, J_a, J_b = case.evaluate(name, a, b)
    for direction in random.normal(size=(3, case.size)):
        for found, expected in (
                (J_a @ direction, along(lambda x: case.evaluate(name, x, b)[0], a, direction)),
                (J_b @ direction, along(lambda x: case.evaluate(name, a, x)[0], b, direction))):
            np.testing.assert_allclose(found, expected, rtol=1e-6,
                                       atol=1e-8 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize('case', CASES.values(), ids=CASES)
@pytest.mark.parametrize('name', ['tie', 'positions', 'velocities', 'accelerations',
                                  'dependent_dynamics', 'independent_dynamics'])
def test_a_motion_has_no_error(case, name):
    """Factors of one instant vanish at a motion that mb_model finds by other formulations."""
    node = case.moving(np.random.default_rng(4))
    np.testing.assert_allclose(case.evaluate(name, node, node)[0], 0.0, atol=1e-9)


def test_integrators_are_of_their_order():
    """Of x = t^3: the trapezoidal rule misses by -h^3 / 2, the Euler rule by its first slope."""
    case = CASES['five_bar']
    n, t = case.mechanism.n, 1.0
    a, b = np.zeros((2, case.size))
    for node, at in ((a, t), (b, t + H)):
        node[case.q:case.q + n], node[case.qd:case.qd + n] = at ** 3, 3.0 * at ** 2
    np.testing.assert_allclose(case.evaluate('trapezoidal', a, b)[0], -H ** 3 / 2.0, rtol=1e-9)
    np.testing.assert_allclose(
        case.evaluate('euler', a, b)[0], 3.0 * H ** 2 * t + H ** 3, rtol=1e-9)


@pytest.mark.parametrize('case', CASES.values(), ids=CASES)
def test_even_changes_cost_nothing(case):
    """It is linear: its Jacobians give its error at any three nodes."""
    model, g = case.mechanism.model[0], case.mechanism.g
    e, *jacobians = np.zeros(g), *np.zeros((3, g, case.size))
    nodes = np.random.default_rng(1).normal(size=(3, case.size))
    even_change(model, *nodes, case.qdd, H, e, *jacobians, 0)
    np.testing.assert_allclose(e, sum(J @ x for J, x in zip(jacobians, nodes, strict=True)))
    assert (e != 0.0).all()
    even_change(model, nodes[0], 2.0 * nodes[0], 3.0 * nodes[0], case.qdd, H, e, *jacobians, 0)
    np.testing.assert_allclose(e, 0.0, atol=1e-15)
