"""Inverse dynamics by factor graphs against Lagrange's equations on the loops' geometry."""

from pathlib import Path
import sys

import numpy as np
import pytest

from mb_estimators.commands.inverse import main
from mb_estimators.factor_graph.inverse import InverseSettings, inverse
from mb_estimators.factor_graph.inverse_problem import InverseProblem, derivatives, inverse_start
from mb_estimators.filter import DivergenceError, NotConvergedError
from mb_model import MechanismError, Run, load_mechanism

sys.path.append(str(Path(__file__).parents[2] / 'mb_model/test'))
from pick_and_place import MOTIONS, PICK_AND_PLACE, pick_and_place
from truth import Linkage, circle_intersection

DT = 5e-3
ACCURACY = dict.fromkeys(MOTIONS, 0.01) | {'transfer': 0.03}      # its jerk ends suddenly
TWO_LOOPS = """
name: two_loops
gravity: [0.0, -9.81]
points:
  A: {fixed: [0.0, 0.0]}
  B: {fixed: [3.0, 0.0]}
  C: {fixed: [1.0, 4.0]}
  P1: {start: [0.5, 0.0]}
  P2: {start: [0.0, 2.0]}
  P3: {start: [2.5, 0.0]}
  P4: {start: [2.0, 3.0]}
bodies:
  left: {points: [A, P1], length: 0.5, mass: 3.0}
  left_coupler: {points: [P1, P2], length: 2.1, mass: 1.0}
  right_coupler: {points: [P2, P3], length: 3.2, mass: 2.0}
  right: {points: [B, P3], length: 0.5, mass: 3.0}
  link: {points: [P2, P4], length: 2.2, mass: 0.7}
  rocker: {points: [C, P4], length: 1.4, mass: 1.5}
coordinates:
  first: {kind: angle, body: left}
  second: {kind: angle, body: right}
independent: [first, second]
start: {first: 0.0, second: pi}
"""


def two_loops():
    """Return the same linkage as independent truth."""
    lengths, masses = (0.5, 2.1, 3.2, 0.5, 2.2, 1.4), (3.0, 1.0, 2.0, 3.0, 0.7, 1.5)

    def points(z):
        p1 = np.array([0.5 * np.cos(z[0]), 0.5 * np.sin(z[0])])
        p3 = np.array([3.0 + 0.5 * np.cos(z[1]), 0.5 * np.sin(z[1])])
        p2 = circle_intersection(p1, lengths[1], p3, lengths[2], 1)
        p4 = circle_intersection(p2, lengths[4], np.array([1.0, 4.0]), lengths[5], -1)
        return np.array([p1, p2, p3, p4, [0.0, 0.0], [3.0, 0.0], [1.0, 4.0]])

    ends = ((4, 0), (0, 1), (1, 2), (5, 2), (1, 3), (6, 3))
    return Linkage(points, [(*end, m, (0.5 * length, 0.0), m * length ** 2 / 12)
                            for end, m, length in zip(ends, masses, lengths, strict=True)], 9.81)


def needed(linkage, z, zd, zdd):
    """Return the forces (k, g) that a motion needs."""
    return np.array([linkage.mass_matrix(row) @ (a - linkage.acceleration(row, v))
                     for row, v, a in zip(z, zd, zdd, strict=True)])


def relative(forces, truth):
    return np.sqrt(np.mean((forces - truth) ** 2, axis=0) / np.mean(truth ** 2, axis=0))


def test_crank_of_the_paper():
    t = DT * np.arange(301)
    z, zd, zdd = (values[:, np.newaxis] for values in (
        1.2 * (1.0 - np.cos(2.0 * t)), 2.4 * np.sin(2.0 * t), 4.8 * np.cos(2.0 * t)))
    found = inverse(load_mechanism('four_bar_fg'), z, DT)
    linkage = Linkage.four_bar(1.0, 2.0, 13 ** 0.5, 4.0, (1.0, 2.0, 4.0), 1, 9.8)
    assert relative(found.forces, needed(linkage, z, zd, zdd)) < 2e-3
    assert np.abs(found.following_error).max() < 1e-6
    assert np.abs(found.run.zd - zd).max() < 5e-3
    inner = slice(5, -5)                # the first and last accelerations are known least
    np.testing.assert_allclose(found.run.zdd[inner], zdd[inner], atol=1e-2)


def test_two_motors_on_several_loops(tmp_path):
    file = tmp_path / 'two_loops.yaml'
    file.write_text(TWO_LOOPS)
    t = DT * np.arange(201)
    phase = np.outer(t, [3.0, 2.0])
    z = [0.0, np.pi] + 0.5 * (1.0 - np.cos(phase))
    zd, zdd = 0.5 * np.array([3.0, 2.0]) * np.sin(phase), 0.5 * np.array([9.0, 4.0]) * np.cos(phase)
    found = inverse(load_mechanism(file), z, DT)
    assert (relative(found.forces, needed(two_loops(), z, zd, zdd)) < 2e-3).all()
    assert np.abs(found.following_error).max() < 1e-6


@pytest.fixture(scope='module')
def robot(tmp_path_factory):
    file = tmp_path_factory.mktemp('robot') / 'pick_and_place.yaml'
    file.write_text(PICK_AND_PLACE)
    return load_mechanism(file)


@pytest.mark.parametrize('motion', MOTIONS)
def test_pick_and_place_at_every_instant(robot, motion):
    """Also at the first and the last one, at 1 kHz and with a constraint too many."""
    assert robot.redundant
    t = 1e-3 * np.arange(161 if motion == 'transfer' else 81)
    z, zd, zdd = MOTIONS[motion](t)
    truth = needed(pick_and_place(), z, zd, zdd)
    found = inverse(robot, z, 1e-3, iterations=6)
    off = np.abs(found.forces - truth) / np.abs(truth).max(axis=0)
    assert off.max() < ACCURACY[motion]
    assert np.abs(found.missing).max() < 1e-6 * np.abs(truth).max()
    assert np.abs(found.following_error).max() < 1e-6
    assert found.open < 2.0 * ACCURACY[motion]


@pytest.mark.parametrize(('dt', 'doubted'), [(0.5, True), (0.02, False)])
def test_steps_too_long_are_reported(capsys, dt, doubted):
    """A period of six steps: forces are half of what they should be, however well found."""
    assert main(['four_bar_fg', '--motion', 'theta=1.2 * (1 - cos(2 * t))', '--duration', '3',
                 '--dt', str(dt)]) == 0
    assert ('the forces are open by' in capsys.readouterr().out) is doubted


SHIPPED = ('pendulum', 'double_pendulum', 'four_bar_spring_damper', 'slider_crank',
           'inverted_slider_crank', 'peaucellier', 'five_bar', 'n_four_bar', 'three_rrr')


@pytest.mark.parametrize('name', SHIPPED)
def test_mechanisms_at_every_instant(name):
    """Against inverse dynamics in independent coordinates, by the derivatives of the motion."""
    mechanism, t, rate = load_mechanism(name), 2e-3 * np.arange(61), 25.0
    z = mechanism.z0 + 0.02 * np.outer(1.0 - np.cos(rate * t), np.ones(mechanism.g))
    zd = 0.02 * rate * np.outer(np.sin(rate * t), np.ones(mechanism.g))
    zdd = 0.02 * rate ** 2 * np.outer(np.cos(rate * t), np.ones(mechanism.g))
    truth = np.array([mechanism.inverse_dynamics(*state)
                      for state in zip(z, zd, zdd, strict=True)])
    found = inverse(mechanism, z, 2e-3, iterations=6)
    assert (np.abs(found.forces - truth) < 0.01 * np.abs(truth).max()).all()


def test_too_few_iterations_are_reported(robot):
    z, _, _ = MOTIONS['fast'](1e-3 * np.arange(41))
    with pytest.raises(NotConvergedError, match=r'not converged after 1 iterations: .* the force '
                                                r'on motor\d by [\d.]+ N m at t = [\d.]+ s'):
        inverse(robot, z, 1e-3, iterations=1)


def test_forces_that_do_not_make_the_motion_are_reported(robot):
    z, _, _ = MOTIONS['swing'](1e-3 * np.arange(21))
    nodes, present = inverse_start(robot, z, 1e-3)
    problem = InverseProblem(robot, z, 1e-3, InverseSettings(), present)
    assert np.abs(problem.missing(nodes)).max() < 1e-9 * present.max()
    nodes[7, -1] += 0.02 * present[1]
    with pytest.raises(DivergenceError, match=r'missing is the force on motor2 by .* N m at '
                                              r't = 0\.007 s \(2 % of the largest\)'):
        problem.missing(nodes)


@pytest.mark.parametrize('count', [3, 4, 5, 9])
def test_derivatives_are_those_of_polynomials(count):
    t = 0.2 * np.arange(count)
    polynomial = np.polynomial.Polynomial([0.3, -1.0, 2.0, 0.7, -0.4][:min(count, 5)])
    found = derivatives(polynomial(t)[:, np.newaxis], 0.2)
    for rate, order in zip(found, (1, 2), strict=True):
        np.testing.assert_allclose(rate[:, 0], polynomial.deriv(order)(t), rtol=1e-9, atol=1e-9)


def test_motion_and_forces_belong_together():
    """The work of the forces, held over each step, is what the energy has grown by."""
    t = DT * np.arange(101)
    found = inverse(load_mechanism('four_bar_fg'), 0.3 * t[:, np.newaxis] ** 2, DT)
    energy = found.run.energy()
    assert np.abs(energy.drift).max() < 1e-3 * np.abs(energy.input_work).max()


def test_what_cannot_be():
    mechanism = load_mechanism('four_bar')
    for desired in ([0.1, 0.2, 0.3], [[0.1], [0.2]], [[1.0, 1.0]] * 3):
        with pytest.raises(ValueError, match='desired'):
            inverse(mechanism, desired, DT)
    with pytest.raises(MechanismError, match='cannot be moved to'):
        inverse(load_mechanism('five_bar').replace(points={'B': {'fixed': [5.9, 0.0]}}),
                [[0.0, np.pi], [1.5, 1.6], [3.0, 0.1]], DT)


def test_command(capsys, tmp_path):
    saved = tmp_path / 'run.npz'
    motion = ['--motion', 'theta=1.2 * (1 - cos(2 * t))']
    assert main(['four_bar_fg', *motion, '--duration', '0.1', '--save', str(saved),
                 '--forces', str(tmp_path / 'forces.csv')]) == 0
    assert 'following error' in capsys.readouterr().out
    assert len(Run.load(saved).t) == 21
    table = np.loadtxt(tmp_path / 'forces.csv', delimiter=',', skiprows=1)
    assert (tmp_path / 'forces.csv').read_text().startswith('t,theta\n')
    np.testing.assert_allclose(table[:, 0], Run.load(saved).t)
    assert main(['four_bar_fg', *motion, '--duration', '1', '--dt', '0.1', '--setting',
                 'iterations=1']) == 1
    assert 'not converged after 1 iterations: another step would change the force on theta by' in (
        capsys.readouterr().err)
    for wrong, message in ((['--motion', 'theta=2 *'], 'theta'), (['--motion', 'phi=t'], 'phi'),
                           ([], 'theta'), ([*motion, '--setting', 'iterations=0'], 'iterations')):
        assert main(['four_bar_fg', *wrong]) == 2
        assert message in capsys.readouterr().err
