"""The bicycle of the benchmark of Meijaard et al. 2007: eigenvalues, self-stability, its node."""

import numpy as np
import pytest
from rclpy.node import Node
from std_msgs.msg import String

from mb_model import load_mechanism, simulate
from mb_model.nodes.model_simulation import ModelSimulationNode
from mb_model.simulation.arrays import read_run_text
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.qos import LATCHED_QOS

# Of lean and steer, M qdd + v C1 qd + (g K0 + v^2 K2) q = 0: their Sec. 5, by Table 1 alone.
M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
C1 = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])
G = 9.81


def at_speed(speed, lean_rate=0.0):
    return load_mechanism('bicycle').replace(parameters={'speed': speed},
                                             start_velocity={'turn.x': lean_rate})


def published(speed):
    """Return the four eigenvalues of lean and steer at a speed [1/s]."""
    return companion(-np.linalg.solve(M, G * K0 + speed ** 2 * K2),
                     -np.linalg.solve(M, speed * C1))


def companion(by_q, by_qd):
    size = len(by_q)
    return np.linalg.eigvals(np.block([[np.zeros((size, size)), np.eye(size)], [by_q, by_qd]]))


@pytest.mark.parametrize('speed', [0.0, 3.0, 5.0, 8.0])
def test_eigenvalues_are_those_of_the_benchmark(speed):
    """Beside them: zero of place, heading and speed, and the decay of four slips."""
    bicycle = at_speed(speed)
    ours = companion(*bicycle.linearise(bicycle.z0, bicycle.zd0))
    for one in published(speed):
        assert np.abs(ours - one).min() < 1e-9
    others = sorted(ours, key=lambda own: np.abs(published(speed) - own).min())[4:]
    still = np.abs(others) < 1e-5       # double ones, so to the root of rounding
    assert still.sum() == 6
    np.testing.assert_allclose(np.array(others)[~still], -50.0, rtol=1e-6)


def leans(speed, duration=3.0):
    """Return how fast it leans along a motion after a small push [rad/s]."""
    bicycle = at_speed(speed, 1e-3)
    run = simulate(bicycle, duration, 5e-3, 'matrix_r', 'rk4', estimate_error=False)
    return run.zd[:, bicycle.independent.index('turn.x')]


def test_it_steers_itself_upright_between_its_critical_speeds():
    """Weave ends at 4.29 m/s, capsize begins at 6.02 m/s (their Sec. 6)."""
    for speed, stable in ((4.29, False), (4.30, True), (6.02, True), (6.03, False)):
        assert (published(speed).real.max() < 0.0) == stable
    assert np.abs(leans(5.0)[-100:]).max() < 0.2e-3
    assert np.abs(leans(3.0)[-100:]).max() > 5e-3


def test_the_node_takes_the_formulation_for_bodies_that_roll(capfd):
    def bench():
        node = Node('bench')
        node.create_subscription(String, '/model_simulation/description', texts.append, LATCHED_QOS)
        return node
    texts = []
    with on_bench(ModelSimulationNode, bench, ['mechanism:=bicycle']) as (_, asker):
        spin_until(asker, lambda: texts)
    how, _ = read_run_text(texts[0].data, 'description')
    assert (how['formulation'], how['integrator']) == ('matrix_r', 'trapezoidal')
    assert ('formulation: matrix_r, as bodies roll: joints.rear_contact, joints.front_contact'
            in capfd.readouterr().err)
