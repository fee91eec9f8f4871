"""Graphs of mechanisms with a coordinate that moves by a law of time, against other equations."""

from pathlib import Path
import sys

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_estimators import FactorGraph, FilterError, inverse
from mb_model import load_mechanism

sys.path.append(str(Path(__file__).parents[2] / 'mb_model/test'))
from test_graph_inverse import needed, relative
from truth import Linkage

DRIVEN = load_mechanism('five_bar').replace(
    independent=['theta1'], start={'theta2': None}, constraints={'drive': {
        'kind': 'prescribed', 'coordinate': 'theta2', 'motion': 'pi + 0.3 * sin(4 * t)'}})
LINKAGE = Linkage.five_bar()
OTHER = DRIVEN.coordinates.index('theta2')


def drive(t):
    """Return angle, velocity and acceleration of the driven crank."""
    return np.pi + 0.3 * np.sin(4.0 * t), 1.2 * np.cos(4.0 * t), -4.8 * np.sin(4.0 * t)


def free(t, duration):
    """Return the other crank at t, by Lagrange's equations of the linkage of two cranks."""
    def rates(now, x):
        z2, zd2, zdd2 = drive(now)
        state = np.array([x[0], z2]), np.array([x[1], zd2])
        # the torque on the driven crank that gives it its acceleration
        at_rest = LINKAGE.acceleration(*state, np.zeros(2))
        by_torque = LINKAGE.acceleration(*state, np.array([0.0, 1.0])) - at_rest
        torque = (zdd2 - at_rest[1]) / by_torque[1]
        return [x[1], at_rest[0] + torque * by_torque[0]]

    return solve_ivp(rates, (0.0, duration), [DRIVEN.z0[0], DRIVEN.zd0[0]], 'DOP853', t,
                     rtol=1e-9, atol=1e-10).y[0]


@pytest.mark.parametrize('coordinates', ['dependent', 'independent'])
def test_graphs_of_users(coordinates):
    """Released: of second order."""
    errors, crank = [], DRIVEN.coordinates.index('theta1')
    for dt, steps in ((1e-2, 10), (5e-3, 20)):
        graph = FactorGraph(DRIVEN, coordinates=coordinates)
        for k in range(steps + 1):
            graph.add_start(k, t=k * dt)
            graph.positions(k)
            graph.velocities(k)
            graph.dynamics(k, 1e-4)
            if coordinates == 'independent':
                graph.accelerations(k)
        for k in range(steps):
            graph.trapezoidal(k, k + 1, dt, 1e-3)
        graph.coordinate(0, 'theta1', DRIVEN.z0[0], 1e-6)
        graph.coordinate(0, 'theta1', DRIVEN.zd0[0], 1e-6, part='qd')
        last = graph.solve()[steps]
        np.testing.assert_allclose([last[part][OTHER] for part in ('q', 'qd', 'qdd')],
                                   drive(steps * dt), atol=2e-3)
        assert last['q'][OTHER] == pytest.approx(drive(steps * dt)[0], abs=1e-8)
        errors.append(abs(last['q'][crank] - free([steps * dt], steps * dt)[0]))
    assert 3.0 < errors[0] / errors[1] < 5.0


def test_inverse_dynamics():
    """The torque on the free crank, while the other one is driven."""
    dt = 5e-3
    t = dt * np.arange(201)
    z, zd, zdd = 0.3 * (1.0 - np.cos(3.0 * t)), 0.9 * np.sin(3.0 * t), 2.7 * np.cos(3.0 * t)
    other = drive(t)
    truth = needed(LINKAGE, *(np.column_stack(pair) for pair in zip((z, zd, zdd), other,
                                                                    strict=True)))
    found = inverse(DRIVEN, z[:, np.newaxis], dt)
    assert relative(found.forces, truth[:, :1]).max() < 5e-3
    np.testing.assert_allclose(found.run.q[:, OTHER], other[0], atol=1e-8)
    np.testing.assert_allclose(found.run.qd[:, OTHER], other[1], atol=1e-8)


def test_times_are_asked_for():
    graph = FactorGraph(DRIVEN)
    with pytest.raises(FilterError, match=r't: None must be a finite time \[s\], for theta2'):
        graph.add_start(0)
    with pytest.raises(FilterError, match='node 0: t: nan must be'):
        graph.add_start(0, t=np.nan)
    graph.add_start(0, t=0.0)
    graph.add_start(1, t=0.1)
    with pytest.raises(FilterError, match=r'dt: 0.2 must be the time from node 0 to node 1, 0.1 s'):
        graph.trapezoidal(0, 1, 0.2, 1.0)
