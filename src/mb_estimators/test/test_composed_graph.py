"""Graphs that users compose, against dense least squares, DOP853 and the page about them."""

from pathlib import Path
import re

from free_motion import SLED
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_estimators import FactorGraph, FilterError, NotConvergedError
from mb_estimators.filter import DivergenceError
from mb_model import load_mechanism

PAGE = Path(__file__).parents[3] / 'docs/how_to/factor_graphs.md'
DT = 1e-2


def test_the_page_about_them_is_true():
    names = {}
    for text in re.findall(r'```python\n(.*?)```', PAGE.read_text(encoding='utf-8'), re.DOTALL):
        exec(text, names)
    error, expected = names['error'], names['expected']
    assert np.abs(error).max() < 3e-3
    assert 3e-4 < expected.min() <= expected.max() < 3e-3
    assert np.linalg.norm(error / expected) < 3.5
    assert abs(names['angle'] / names['angle_expected']) < 3.0
    assert names['angle_expected'] < 2e-3           # of the 0.05 before


def falling(rule, dt, steps, coordinates='dependent'):
    """Return the error of the crank of a falling linkage at the end [rad]."""
    mechanism = load_mechanism('four_bar_fg')
    graph, size = FactorGraph(mechanism, coordinates=coordinates), mechanism.n
    for k in range(steps + 1):
        graph.add_start(k)
        graph.positions(k)
        graph.velocities(k)
        graph.dynamics(k, 1e-4)
        if coordinates == 'independent':
            graph.accelerations(k)
    for k in range(steps):
        getattr(graph, rule)(k, k + 1, dt, 1e-3)
    place = mechanism.coordinates.index('theta')
    graph.coordinate(0, 'theta', mechanism.z0[0], 1e-6)
    graph.coordinate(0, 'theta', 0.0, 1e-6, part='qd')
    nodes = graph.solve()
    assert all(len(node['q']) == size for node in nodes.values())
    near = [mechanism.q0]

    def rates(_, x):
        near[0] = mechanism.assemble(x[:1], near[0])
        return [x[1], mechanism.forward_dynamics(x[:1], x[1:], near=near[0])[0]]

    solved = solve_ivp(rates, (0.0, steps * dt), [mechanism.z0[0], 0.0], 'DOP853', rtol=1e-11,
                       atol=1e-12)
    return abs(nodes[steps]['q'][place] - solved.y[0, -1])


@pytest.mark.parametrize('coordinates', ['dependent', 'independent'])
@pytest.mark.parametrize(('rule', 'ratio'), [('trapezoidal', 4.0), ('euler', 2.0)])
def test_rules_have_their_order(rule, ratio, coordinates):
    coarse, fine = falling(rule, 1e-2, 20, coordinates), falling(rule, 5e-3, 40, coordinates)
    assert coarse / fine == pytest.approx(ratio, rel=0.25)


def test_a_linear_graph_is_dense_least_squares():
    """A sled under an unknown force that walks, its position read; also the deviations."""
    random, steps = np.random.default_rng(3), 12
    place = list(SLED.coordinates).index('s')
    graph = FactorGraph(SLED, forces=True)
    read = 0.3 + 2.0 * DT * np.arange(steps + 1) + 1e-3 * random.normal(size=steps + 1)
    for k in range(steps + 1):
        graph.add_start(k)
        graph.positions(k)
        graph.velocities(k)
        graph.dynamics(k, 1e-3)
        graph.coordinate(k, 's', read[k], 1e-3)
    graph.prior(0, 'forces', [1.0], 5.0)
    for k in range(steps):
        graph.trapezoidal(k, k + 1, DT, 1e-5)
        graph.equality(k, k + 1, 'forces', 0.5)
    nodes, rows, right = graph.solve(), [], []

    def add(deviation, value, *coefficients):
        row = np.zeros((steps + 1, 4))
        for k, part, number in coefficients:
            row[k, part] += number
        rows.append(row.ravel() / deviation)
        right.append(value / deviation)

    # the block's points move alike: rows of the rule and the dynamics count for each coordinate
    moving = [c for c in range(SLED.n) if abs(nodes[steps]['qd'][c]) > 0.1]
    for k in range(steps + 1):
        add(1e-3, read[k], (k, 0, 1.0))
        for _ in moving:
            add(1e-3, 0.0, (k, 2, -1.0), (k, 3, 0.25))
    add(5.0, 1.0, (0, 3, 1.0))
    for k in range(steps):
        add(0.5, 0.0, (k, 3, -1.0), (k + 1, 3, 1.0))
        for _ in moving:
            for part in (0, 1):
                add(1e-5, 0.0, (k, part, -1.0), (k + 1, part, 1.0),
                    (k, part + 1, -DT / 2), (k + 1, part + 1, -DT / 2))
    rows = np.array(rows)
    best = np.linalg.lstsq(rows, np.array(right), rcond=None)[0].reshape(-1, 4)
    found = np.array([[node['q'][place], node['qd'][place], node['qdd'][place], node['forces'][0]]
                      for node in nodes.values()])
    np.testing.assert_allclose(found, best, rtol=1e-5, atol=1e-6)
    spread = np.linalg.norm(np.linalg.inv(np.linalg.qr(rows, 'r')), axis=1).reshape(-1, 4)
    deviations = graph.deviations(5)
    np.testing.assert_allclose(
        [deviations['q'][place], deviations['forces'][0]], spread[5, [0, 3]], rtol=1e-4)


def test_what_cannot_be_is_refused():
    graph = FactorGraph(SLED)
    graph.add_start(0)
    for wrong, text in (
            (lambda: graph.add_start(0), 'node 0: is in the graph already'),
            (lambda: graph.positions(1), 'node 1: is not in the graph'),
            (lambda: graph.prior(0, 'forces', [0.0], 1.0), 'forces: is no part of a node'),
            (lambda: graph.coordinate(0, 'x', 0.0, 1.0), 'coordinate: x: unknown'),
            (lambda: graph.positions(0, -1.0), 'deviation: -1.0 must be >= 0'),
            (lambda: graph.prior(0, 'z', [0.0], 1.0), 'z: is no part of a node'),
            (lambda: graph.add_node(1, [0.0], [0.0], [0.0]), 'node 1: q must be '),
            (lambda: FactorGraph(SLED, coordinates='both'), 'coordinates: both must be one of'),
            (graph.solve, 'node 0: no factor touches it')):
        with pytest.raises(FilterError, match=text):
            wrong()
    graph.positions(0)
    with pytest.raises(DivergenceError, match='do not determine the nodes'):
        graph.deviations(0)


def test_too_few_iterations_are_reported():
    mechanism = load_mechanism('four_bar_fg')
    graph = FactorGraph(mechanism)
    graph.add_start(0)
    graph.positions(0)
    graph.velocities(0)
    graph.dynamics(0, 1e-4)
    graph.coordinate(0, 'theta', mechanism.z0[0] + 0.5, 1e-3)
    graph.coordinate(0, 'theta', 1.0, 1e-3, part='qd')
    with pytest.raises(NotConvergedError, match='another step would change coordinate'):
        graph.solve(iterations=1)
    assert graph.solve()[0]['q'] is not None
