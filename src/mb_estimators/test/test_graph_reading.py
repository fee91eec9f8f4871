"""Readings in graphs of users, against differences, exact readings and lines through points."""

import math

from free_motion import FLYWHEEL, SLED
import numpy as np
import pytest

from mb_estimators import FactorGraph, FilterError
from mb_estimators.factor_graph.nodes import dependent_node
from mb_estimators.factor_graph.observation import Observation
from mb_model import load_mechanism
from mb_sensors import SensorError, sensors_of, true_values

MACHINES = {name: load_mechanism(name) for name in (
    'four_bar', 'five_bar', 'six_axis_arm', 'stewart')}
PARTS = ('coordinate', 'coordinate velocity', 'coordinate acceleration')
DT, STEPS = 0.1, 40


def cases():
    return [(machine, sensor) for machine, mechanism in MACHINES.items()
            for sensor in mechanism.sensors]


def observation(mechanism, sensor, value):
    node = dependent_node(mechanism)
    return Observation(mechanism, sensor, value, tuple(node[part] for part in PARTS)), node.size


def moving(mechanism, random):
    """Return q, qd, qdd of a motion, one after the other."""
    z = mechanism.z0 + random.uniform(-0.05, 0.05, mechanism.g)
    zd, zdd = random.normal(size=(2, mechanism.g))
    q = mechanism.assemble(z)
    qd = mechanism.velocity(q, zd)
    return np.concatenate([q, qd, mechanism.acceleration(q, qd, zdd)])


@pytest.mark.parametrize(('machine', 'name'), cases())
def test_jacobian(machine, name):
    """At nodes that do not close, and the error of true readings, which is none."""
    mechanism, random = MACHINES[machine], np.random.default_rng(2)
    sensor = sensors_of(mechanism, name)[0]
    node = moving(mechanism, random)
    true = true_values(mechanism, sensor, *node.reshape(3, 1, -1))[0]
    row, size = observation(mechanism, sensor, true)
    e, J = np.zeros(row.rows), np.zeros((row.rows, size))
    assert row.error(node, e, J)
    np.testing.assert_allclose(e, 0.0, atol=1e-9)

    def error(x):
        row.error(x, e, np.zeros_like(J))
        return e.copy()

    node = node + 0.01 * random.normal(size=size)
    row.error(node, e, J)
    for direction in random.normal(size=(3, size)):
        near, far = (error(node + d * direction) - error(node - d * direction)
                     for d in (1e-4, 2e-4))
        np.testing.assert_allclose(J @ direction, (8.0 * near - far) / 1.2e-3, rtol=1e-6,
                                   atol=1e-7)


def test_jacobian_of_a_rotation():
    """Along motions: its axes are a frame only where the mechanism is closed."""
    stewart, random = MACHINES['stewart'].replace(sensors={'attitude': {
        'kind': 'orientation', 'body': 'platform', 'sigma': 1e-2}}), np.random.default_rng(3)
    row, size = observation(stewart, sensors_of(stewart, 'attitude')[0], [0.4, -0.2, 0.9])
    q, rate = moving(stewart, random)[:stewart.n], random.normal(size=stewart.g)
    qd, e, J = stewart.velocity(q, rate), np.zeros(3), np.zeros((3, size))
    z = q[stewart.indices(stewart.independent)]

    def error(h):
        row.error(np.concatenate([stewart.assemble(z + h * rate, q), np.zeros(size - len(q))]), e,
                  J)
        return e.copy()

    slope = (8.0 * (error(1e-3) - error(-1e-3)) - error(2e-3) + error(-2e-3)) / 1.2e-2
    error(0.0)
    assert np.abs(e).max() > 0.1
    np.testing.assert_allclose(J[:, :stewart.n] @ qd, slope, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize('coordinates', ['dependent', 'independent'])
@pytest.mark.parametrize('as_seen', [lambda angle: angle,
                                     lambda angle: math.remainder(angle, 2.0 * math.pi)])
def test_readings_of_linear_motion_are_a_line_through_points(coordinates, as_seen):
    """A flywheel without torque turns evenly: weighted least squares of two numbers.

    It turns by 8 rad, and its encoder knows no whole turns.
    """
    random, t = np.random.default_rng(5), DT * np.arange(STEPS + 1)
    angles = 0.3 + 2.0 * t + 0.02 * random.normal(size=len(t))
    rates = 2.0 + 0.05 * random.normal(size=len(t))
    graph = FactorGraph(FLYWHEEL, coordinates=coordinates)
    for k, now in enumerate(t):
        q = FLYWHEEL.assemble([0.3 + 2.0 * now])
        graph.add_node(k, q, FLYWHEEL.velocity(q, [2.0]), np.zeros(FLYWHEEL.n))
        graph.positions(k)
        graph.velocities(k)
        graph.accelerations(k)
        graph.reading(k, 'encoder', as_seen(angles[k]))
        graph.reading(k, 'gyro', [rates[k]])
    free = 'z' if coordinates == 'independent' else 'q'
    for k in range(STEPS):
        for part, rate in (('', 'd'), ('d', 'dd')):
            graph.factor([k, k + 1], 1, 1e-6, law(free + part, free + rate))
    for k in range(STEPS + 1):
        graph.prior(k, 'zdd', [0.0], 1e-6) if coordinates == 'independent' else graph.coordinate(
            k, 'theta', 0.0, 1e-6, part='qdd')
    place = FLYWHEEL.coordinates.index('theta')
    nodes = graph.solve()
    rows = np.concatenate([np.column_stack([np.ones_like(t), t]) / 0.02,
                           np.column_stack([np.zeros_like(t), np.ones_like(t)]) / 0.05])
    line = np.linalg.lstsq(rows, np.concatenate([angles / 0.02, rates / 0.05]), rcond=None)[0]
    covariance = np.linalg.inv(rows.T @ rows)
    for k in (0, STEPS // 2, STEPS):
        found, deviations = nodes[k], graph.deviations(k)
        at = np.array([1.0, t[k]])
        assert found['q'][place] == pytest.approx(at @ line, abs=1e-6)
        assert found['qd'][place] == pytest.approx(line[1], abs=1e-6)
        assert deviations['q'][place] == pytest.approx(math.sqrt(at @ covariance @ at), rel=1e-3)


def law(part, rate):
    """Return the trapezoidal rule of the angle alone, as a user would write it."""
    place = 0 if part[0] == 'z' else FLYWHEEL.coordinates.index('theta')

    def error(a, b, e, by_a, by_b):
        e[0] = b[part][place] - a[part][place] - 0.5 * DT * (a[rate][place] + b[rate][place])
        by_a[part][0, place], by_b[part][0, place] = -1.0, 1.0
        by_a[rate][0, place] = by_b[rate][0, place] = -0.5 * DT
    return error


def test_readings_that_cannot_be_are_refused():
    graph = FactorGraph(SLED)
    graph.add_start(0)
    for error, text, arguments in (
            (SensorError, 'camera', ('camera', 1.0)),
            (FilterError, 'reading: encoder: .* must be 1 finite numbers', ('encoder', [1.0, 2.0])),
            (FilterError, 'reading: encoder: nan must be', ('encoder', np.nan)),
            (FilterError, 'deviation: -1.0 must be >= 0', ('encoder', 1.0, -1.0))):
        with pytest.raises(error, match=text):
            graph.reading(0, *arguments)
    with pytest.raises(FilterError, match='node 1: is not in the graph'):
        graph.reading(1, 'encoder', 1.0)
    exact = SLED.replace(sensors={'encoder': {'sigma': 0.0}})
    graph = FactorGraph(exact)
    graph.add_start(0)
    with pytest.raises(FilterError, match='reading: encoder: has no sigma: give a deviation'):
        graph.reading(0, 'encoder', 1.0)
