"""Positions from any coordinates: the platform from its drives, closed form and back."""

import cmath

from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism
from mb_model.kernels import entry_points

ROBOT = load_mechanism('three_rrr')
DRIVES = ['drive1', 'drive2', 'drive3']
THOROUGH = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
POSES = st.tuples(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1), st.floats(-0.3, 0.3)).map(np.array)


def drives_of(pose):
    """Return the drives' angles (3) by the law of cosines, elbows to the left of A to B.

    Continuous from the start, where all are alike but for thirds of a turn.
    """
    angles = []
    for k, now in enumerate(ROBOT.q0[ROBOT.places(DRIVES)]):
        foot = 0.5 * cmath.exp(2j * np.pi / 3 * k)
        way = complex(*pose[:2]) + 0.1 * cmath.exp(1j * (pose[2] + 2 * np.pi / 3 * k)) - foot
        angle = cmath.phase(way) + np.arccos(abs(way) / 0.6)
        angles.append(angle + 2 * np.pi * round((now - angle) / (2 * np.pi)))
    return np.array(angles)


@THOROUGH
@given(POSES)
def test_platform_from_its_drives(pose):
    q = ROBOT.forward_kinematics(DRIVES, drives_of(pose))
    np.testing.assert_allclose(q[ROBOT.places(ROBOT.independent)], pose, atol=1e-11)
    assert ROBOT.closing_error(q) < 1e-11
    near = ROBOT.assemble(pose + np.array([0.01, -0.01, 0.05]))
    np.testing.assert_allclose(ROBOT.forward_kinematics(DRIVES, drives_of(pose), near), q,
                               atol=1e-11)


@THOROUGH
@given(POSES)
def test_jacobian_from_drives_is_the_derivative_of_forward_kinematics(pose):
    drives, h = drives_of(pose), 1e-3
    here = ROBOT.operational_space(pose, np.zeros(3))

    def place(change):
        return ROBOT.forward_kinematics(DRIVES, drives + change, here.q)[
            ROBOT.places(ROBOT.independent)]

    columns = [(place(-2 * e) - 8 * place(-e) + 8 * place(e) - place(2 * e)) / (12 * h)
               for e in h * np.eye(3)]
    np.testing.assert_allclose(here.jacobian_from(DRIVES), np.array(columns).T, rtol=1e-7,
                               atol=1e-7)
    model, work = ROBOT.driven_by(DRIVES), ROBOT.workspace()
    work['q'][0, :ROBOT.n] = here.q
    assert entry_points.solve_velocity(model, work)
    np.testing.assert_allclose(work['R'][0, ROBOT.places(ROBOT.independent), :3],
                               here.jacobian_from(DRIVES), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(('name', 'names', 'z'), [
    ('crane', ['lift'], [0.95]), ('five_bar', ['P2.x', 'P2.y'], None),
    ('four_bar', ['P2.y'], [1.2])])
def test_there_and_back_for_others(name, names, z):
    mechanism = load_mechanism(name)
    q = mechanism.assemble(mechanism.z0 + 0.05 if z is None else z)
    values = q[mechanism.places(names)]
    np.testing.assert_allclose(mechanism.forward_kinematics(names, values, q + 1e-3), q, atol=1e-9)


def test_what_cannot_be_reached_is_reported():
    with pytest.raises(MechanismError, match='drive1, drive2: must be 3 coordinates'):
        ROBOT.forward_kinematics(['drive1', 'drive2'], [0.0, 0.0])
    with pytest.raises(MechanismError, match='motor: unknown coordinate'):
        ROBOT.forward_kinematics(['motor', 'drive2', 'drive3'], np.zeros(3))
    with pytest.raises(MechanismError, match='cannot be moved to the position at drive1 ='):
        ROBOT.forward_kinematics(DRIVES, drives_of(np.zeros(3)) + np.array([0.0, 1.5, -1.5]))


def test_drives_lose_the_platform_where_its_links_point_to_one_point():
    """O, B and P in line in every leg: |A - P| = 0.3 with P = 0.4 exp(i turn), A = 0.5."""
    pose = np.array([0.0, 0.0, -np.arccos(0.8)])
    here = ROBOT.operational_space(pose, np.zeros(3))
    with pytest.raises(MechanismError, match='do not decide the motion'):
        here.jacobian_from(DRIVES)
    drives = here.q[ROBOT.places(DRIVES)]
    with pytest.raises(MechanismError, match='singular position'):
        ROBOT.forward_kinematics(DRIVES, drives, here.q)
