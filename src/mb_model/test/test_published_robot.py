"""The published 3-RRR robot: its motion and inertia against triangles of its arms, written out."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_model import load_mechanism

ROBOTS = [load_mechanism('three_rrr_hannover'), load_mechanism('three_rrr_hannover_measured')]
TURN = np.radians(120.0) * np.arange(3)             # of the joints of the platform
# (base radii, their angles [degrees], first arms, second arms) [m]
LENGTHS = [
    (3 * [0.6829], [0.0, 120.0, 240.0], 3 * [0.5816], 3 * [0.6198]),
    ([0.6877, 0.6922, 0.6666], [0.0, 120.7631, 240.4901], [0.58152, 0.58121, 0.58215],
     [0.62002, 0.61964, 0.61975])]
poses = st.tuples(st.floats(0.0, 0.35), st.floats(-np.pi, np.pi), st.floats(-0.5, 0.5)).map(
    lambda one: np.array([one[0] * np.cos(one[1]), one[0] * np.sin(one[1]), one[2]]))


def legs(which, pose):
    """Return the directions of first and second arms [rad], and the base joints (complex)."""
    radii, angles, first, second = map(np.array, LENGTHS[which])
    base = radii * np.exp(1j * np.radians(angles))
    joint = pose[0] + 1j * pose[1] + 0.107 * np.exp(1j * (TURN + pose[2]))
    span = np.abs(joint - base)
    opening = np.arccos((span ** 2 + first ** 2 - second ** 2) / (2 * span * first))
    inner = np.angle(joint - base) - opening        # the elbow to the right of the line
    elbow = base + first * np.exp(1j * inner)
    return inner, np.angle(joint - elbow), base, elbow


def positions(which, pose):
    """Return of all seven bodies the centres of gravity, x and y, and then the angles."""
    inner, outer, base, elbow = legs(which, pose)
    centres = np.concatenate([base + 0.29 * np.exp(1j * inner), elbow + 0.311 * np.exp(1j * outer),
                              [pose[0] + 1j * pose[1]]])
    return np.concatenate([centres.real, centres.imag, inner, outer, pose[2:]])


@pytest.mark.parametrize('which', [0, 1])
@settings(deadline=None, max_examples=25)
@given(pose=poses)
def test_arms_turn_as_their_triangles_say(which, pose):
    robot = ROBOTS[which]
    q = dict(zip(robot.coordinates, robot.assemble(pose), strict=True))
    inner, outer, base, _ = legs(which, pose)
    for k, name in enumerate('123'):
        assert np.exp(1j * q[f'drive{name}']) == pytest.approx(np.exp(1j * inner[k]), abs=1e-9)
        assert np.exp(1j * q[f'elbow{name}']) == pytest.approx(
            np.exp(1j * (outer[k] - inner[k])), abs=1e-9)
        published = np.degrees(np.angle(np.exp(1j * inner[k]) / (1j * base[k] / abs(base[k]))))
        assert -35.0 < published < 150.0


@pytest.mark.parametrize('which', [0, 1])
@settings(deadline=None, max_examples=10)
@given(pose=poses)
def test_masses_are_those_of_its_bodies(which, pose):
    h = 1e-6
    steps = np.array([positions(which, pose + h * e) - positions(which, pose - h * e)
                      for e in np.eye(3)]).T
    slopes = np.where(abs(steps) > 6.0, steps - 2 * np.pi * np.sign(steps), steps) / (2 * h)
    masses = np.array(3 * [2.272] + 3 * [0.75] + [0.642])
    inertias = np.array(3 * [2.272 * 0.5816 ** 2 / 12] + 3 * [0.75 * 0.6198 ** 2 / 12]
                        + [0.642 * 0.107 ** 2 / 2])
    expected = slopes.T @ np.diag(np.concatenate([masses, masses, inertias])) @ slopes
    found = ROBOTS[which].operational_space(pose, np.zeros(3)).mass
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_joints_rub_as_identified():
    """At 1 rad/s friction has its whole size: Coulomb's and the viscous one."""
    robot = ROBOTS[0]
    drives = 1.0603 / 11.3 * 6.021, 1.1018 / 11.3 * 6.6116, 0.9911 / 11.3 * 6.7315
    viscous = 0.0031 / 11.3 * 6.021, 0.0013 / 11.3 * 6.6116, 0.0018 / 11.3 * 6.7315
    q = robot.assemble(robot.z0)
    R = robot.R(q)
    speeds = R @ np.array([3.0, 2.0, 5.0])
    torque = {}
    for k, (coulomb, slope) in enumerate(zip(drives, viscous, strict=True)):
        torque[f'drive{k + 1}'] = coulomb, slope
    torque |= {'elbow1': (0.0, 0.0983), 'elbow2': (0.0381, 0.2236), 'elbow3': (0.0, 0.0586)}
    expected = np.zeros(3)
    for name, (coulomb, slope) in torque.items():
        row = robot.coordinates.index(name)
        assert abs(speeds[row]) > 0.2       # beyond the transition
        expected += R[row] * (coulomb * np.sign(speeds[row]) + slope * speeds[row])
    found = robot.operational_space(robot.z0, np.array([3.0, 2.0, 5.0])).friction
    np.testing.assert_allclose(found, expected, rtol=2e-3)
