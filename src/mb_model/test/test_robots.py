"""Crane and 3-RRR robot: their motion against inverse kinematics in closed form."""

import cmath

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_model import load_mechanism

CRANE, ROBOT = load_mechanism('crane'), load_mechanism('three_rrr')
TINY = 1e-30


def lift_of(s):
    """Return the arm's angle for a length of the cylinder: law of cosines at A, analytic in s."""
    pin = 0.5 - 0.1j                      # D in the arm's frame, x + i y
    foot = 0.12 + 0.55j - 1.5j            # C from A
    squared = abs(pin) ** 2 + abs(foot) ** 2 - s * s
    opening = np.arccos(squared / (2 * abs(pin) * abs(foot)))
    return cmath.phase(foot) + opening - cmath.phase(pin)


@settings(deadline=None)
@given(st.floats(0.71, 1.14), st.floats(-0.1, 0.1), st.floats(-1.0, 1.0))
def test_the_crane_lifts_as_its_triangle_says(s, sd, sdd):
    q = CRANE.assemble([s])
    lift = lift_of(s)
    slope = lift_of(s + 1j * TINY).imag / TINY
    curve = (lift_of(s + 1e-4) - 2 * lift + lift_of(s - 1e-4)) / 1e-8
    at = dict(zip(CRANE.coordinates, q, strict=True))
    tip = 1.5j + 2.0 * cmath.exp(1j * lift)
    assert at['lift'] == pytest.approx(lift, abs=1e-9)
    assert complex(at['T.x'], at['T.y']) == pytest.approx(tip, abs=1e-9)
    # The piston on the line from D through C, the load's mark in line with the arm.
    foot, pin = 0.12 + 0.55j, complex(at['D.x'], at['D.y'])
    assert complex(at['P.x'], at['P.y']) == pytest.approx(
        pin + 0.58 * (foot - pin) / abs(foot - pin), abs=1e-9)
    assert complex(at['L.x'], at['L.y']) == pytest.approx(
        tip + 0.12 * cmath.exp(1j * lift), abs=1e-9)
    qd = CRANE.velocity(q, [sd])
    place = CRANE.coordinates.index('lift')
    assert qd[place] == pytest.approx(slope * sd, abs=1e-9)
    assert CRANE.acceleration(q, qd, [sdd])[place] == pytest.approx(
        slope * sdd + curve * sd * sd, abs=1e-5)


def test_what_the_crane_carries():
    """Force of the cylinder at rest = moment of the weights / lever, the piston's by itself."""
    level = CRANE.assemble([0.9311])
    arm = dict(zip(CRANE.coordinates, level, strict=True))
    assert abs(arm['lift']) < 1e-3
    for load in (0.001, 50.0, 200.0):
        crane = CRANE.replace(parameters={'load': load}, bodies={'piston': {'mass': 1e-6}})
        force, = crane.inverse_dynamics([0.9311], [0.0], [0.0])
        slope = lift_of(0.9311 + 1j * TINY).imag / TINY
        moment = 9.81 * (40.0 * 0.9 + load * 2.0) * np.cos(arm['lift'])
        assert force == pytest.approx(moment * slope, rel=1e-6)


def drives_of(pose):
    """Return the drives' angles (3) for the platform's pose, elbows to the left of A to B."""
    centre, turn = complex(pose[0], pose[1]), pose[2]
    angles = []
    for k in range(3):
        foot = 0.5 * cmath.exp(2j * np.pi / 3 * k)
        way = centre + 0.1 * cmath.exp(1j * (turn + 2 * np.pi / 3 * k)) - foot
        angles.append(cmath.phase(way) + np.arccos(abs(way) / 0.6))
    return np.array(angles)


POSES = st.tuples(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1), st.floats(-0.3, 0.3))
DRIVES = [ROBOT.coordinates.index(f'drive{k}') for k in (1, 2, 3)]


@settings(deadline=None, max_examples=50)
@given(POSES, POSES)
def test_the_robot_drives_as_its_legs_say(pose, rates):
    q = ROBOT.assemble(pose)
    turns = (q[DRIVES] - drives_of(pose)) / (2 * np.pi)
    np.testing.assert_allclose(turns, np.round(turns), atol=1e-10)
    h, rates = 1e-4, np.array(rates)
    ahead, behind = (drives_of(pose + sign * h * rates) for sign in (1, -1))
    moved = (ahead - behind + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(ROBOT.velocity(q, rates)[DRIVES], moved / (2 * h), atol=1e-6)


def test_the_robot_can_be_driven_from_its_base():
    """Forward kinematics: from the drives to the pose."""
    driven = ROBOT.replace(independent=['drive1', 'drive2', 'drive3'],
                           start={'E.x': None, 'E.y': None, 'turn': None})
    pose = np.array([0.06, -0.03, 0.2])
    z = drives_of(pose)
    z += 2 * np.pi * np.round((driven.z0 - z) / (2 * np.pi))
    at = dict(zip(driven.coordinates, driven.assemble(z), strict=True))
    np.testing.assert_allclose([at[name] for name in ROBOT.independent], pose, atol=1e-10)
