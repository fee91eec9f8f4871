"""Position, velocity and acceleration problems, and the branch they stay on."""

import cmath

from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
from planar_machines import THREE_POINT
import pytest
from truth import Linkage

from mb_model import AssemblyError, MechanismError, SingularPositionError, load_mechanism
from mb_model.kernels import entry_points
from mb_model.mechanism import Mechanism

THOROUGH = settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
FOUR_BAR = load_mechanism('four_bar')


def four_bar(crank, coupler, rocker, ground, theta, branch):
    """Return (mechanism, truth) of a linkage assembled at theta on a branch."""
    truth = Linkage.four_bar(crank, coupler, rocker, ground, (1.0, 2.0, 3.0), branch, 9.81)
    points = truth.points(np.array([theta]))
    mechanism = FOUR_BAR.replace(
        points={'B': {'fixed': [ground, 0.0]}, 'P1': {'start': points[0].tolist()},
                'P2': {'start': (points[1] + 0.01 * ground).tolist()}},
        bodies={'crank': {'length': crank}, 'coupler': {'length': coupler},
                'rocker': {'length': rocker}}, start={'theta': theta})
    return mechanism, truth


def margin(crank, coupler, rocker, ground, theta):
    """Return how far the loop is from its singular positions, as a share of the longest link."""
    distance = np.sqrt(crank ** 2 + ground ** 2 - 2.0 * crank * ground * np.cos(theta))
    return min(coupler + rocker - distance, distance - abs(coupler - rocker)) / max(
        coupler, rocker, ground)


@THOROUGH
@given(crank=st.floats(0.5, 3.0), coupler=st.floats(1.0, 6.0), rocker=st.floats(1.0, 6.0),
       ground=st.floats(1.0, 6.0), theta=st.floats(-3.1, 3.1), branch=st.sampled_from([1, -1]),
       turn=st.floats(-8.0, 8.0))
def test_random_four_bars_move_as_their_geometry_says(crank, coupler, rocker, ground, theta,
                                                      branch, turn):
    lengths = crank, coupler, rocker, ground
    if margin(*lengths, theta) < 0.1:
        return
    mechanism, truth = four_bar(*lengths, theta, branch)
    np.testing.assert_allclose(mechanism.q0[:4], truth.points([theta])[:2].ravel(), atol=1e-10)
    way = theta + np.linspace(0.0, turn, 400)
    closes = min(margin(*lengths, t) for t in way)
    if closes > 0.02:
        q = mechanism.assemble([theta + turn])
        expected = truth.points([theta + turn])[:2].ravel()
        np.testing.assert_allclose(q[:4], expected, atol=1e-8)
        assert q[4] == theta + turn
    elif closes < -0.02:
        with pytest.raises(AssemblyError) as caught:
            mechanism.assemble([theta + turn])
        assert 'cannot be moved to the position at theta' in str(caught.value)


@pytest.mark.parametrize('angle', [1e9, 1e100, -1e300])
def test_no_step_is_made_to_where_all_steps_would_not_lead(angle):
    """They would take as long as a thousand corrections of a filter."""
    with pytest.raises(MechanismError, match=r'is interrupted at theta = 1\.0472, '):
        FOUR_BAR.assemble([angle])
    far = 1000.0 * np.pi
    np.testing.assert_allclose(FOUR_BAR.assemble(FOUR_BAR.z0 + far)[:4], FOUR_BAR.q0[:4],
                               atol=1e-9)


def test_an_unreachable_position_is_reported_with_its_limit_and_residual():
    # Crank 3 and ground 4 fold to 7 = 2.5 + 4.5: beyond that angle the loop is open.
    mechanism, _ = four_bar(3.0, 2.5, 2.0, 4.0, 0.6, 1)
    limit = np.arccos((9 + 16 - 4.5 ** 2) / 24)
    with pytest.raises(AssemblyError) as caught:
        mechanism.assemble([3.0])
    message = str(caught.value)
    assert f'closes up to theta = {limit:.4f}'[:-1] in message
    assert 'm off' in message
    assert caught.value.residual > 0.1


def test_a_far_way_is_followed_turn_by_turn(four_bar_truth):
    theta = np.pi / 3 + 2000.0
    q = FOUR_BAR.assemble([theta])
    np.testing.assert_allclose(q[:4], four_bar_truth.points([theta])[:2].ravel(), atol=1e-9)


def test_near_decides_the_branch():
    other = FOUR_BAR.replace(points={'P2': {'start': [6.8, -3.8]}})
    z = [1.3]
    above, below = FOUR_BAR.assemble(z), other.assemble(z)
    assert above[3] > 0.0 > below[3]
    np.testing.assert_allclose(FOUR_BAR.assemble(z, near=other.q0), below, atol=1e-12)
    np.testing.assert_allclose(FOUR_BAR.assemble(z, near=other.q0 + 0.01), below, atol=1e-12)
    with pytest.raises(AssemblyError, match='near: too far from any closed position'):
        FOUR_BAR.assemble(z, near=np.full(5, 1e3))


@pytest.mark.parametrize(('z', 'near'), [
    ([1.0, 2.0], None), ([], None), ([np.nan], None), ([np.inf], None), (['a'], None),
    ([1.0], [0.0]), ([1.0], [np.nan] * 5), ([1e300], None)])
def test_arguments_that_make_no_sense_are_refused(z, near):
    with pytest.raises(MechanismError):
        FOUR_BAR.assemble(z, near=near)


def test_velocities_and_accelerations_are_derivatives_of_positions(rng):
    for mechanism in (FOUR_BAR, load_mechanism('five_bar'),
                      Mechanism(THREE_POINT, 'three_point.yaml')):
        for _ in range(10):
            z = mechanism.z0 + 0.2 * rng.normal(size=mechanism.g)
            zd, zdd = rng.normal(size=(2, mechanism.g))

            def path(t, mechanism=mechanism, z=z, zd=zd, zdd=zdd):
                return mechanism.assemble(z + t * zd + 0.5 * t * t * zdd)

            h = 1e-3
            f = [path(k * h) for k in (-2, -1, 0, 1, 2)]
            qd = mechanism.velocity(f[2], zd)
            qdd = mechanism.acceleration(f[2], qd, zdd)
            np.testing.assert_allclose(
                qd, (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h), atol=1e-7)
            np.testing.assert_allclose(
                qdd, (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h), atol=1e-6)
            np.testing.assert_allclose(mechanism.R(f[2]) @ zd, qd, atol=1e-12)
            np.testing.assert_allclose(
                mechanism.R(f[2]) @ zdd + mechanism.Sc(f[2], qd), qdd, atol=1e-9)


def test_s_opens_one_constraint_at_a_time(rng):
    """Along column k of S only equation k grows, by one per unit."""
    for mechanism in (load_mechanism('five_bar'), Mechanism(THREE_POINT, 'three_point.yaml')):
        q = mechanism.assemble(mechanism.z0 + 0.2 * rng.normal(size=mechanism.g))
        S, work, h = mechanism.S(q), mechanism.workspace(), 1e-6
        for k in range(mechanism.m):
            grown = []
            for side in (h, -h):
                work['q'][0, :mechanism.n] = q + side * S[:, k]
                entry_points.evaluate_constraints(mechanism.model, work)
                grown.append(work['phi'][0, :mechanism.m].copy())
            np.testing.assert_allclose((grown[0] - grown[1]) / (2.0 * h), np.eye(mechanism.m)[k],
                                       atol=1e-8)
        places = [mechanism.coordinates.index(name) for name in mechanism.independent]
        np.testing.assert_array_equal(S[places], 0.0)


def test_a_singular_position_is_reported():
    # A parallelogram lying flat: the crank's velocity does not decide the rocker's.
    flat = FOUR_BAR.replace(
        points={'B': {'fixed': [4.0, 0.0]}, 'P1': {'start': [0.6, 0.8]},
                'P2': {'start': [4.6, 0.8]}},
        bodies={'crank': {'length': 1.0}, 'coupler': {'length': 4.0}, 'rocker': {'length': 1.0}},
        start={'theta': 1.0})
    with pytest.raises(SingularPositionError, match='singular at theta = 0'):
        flat.velocity([1.0, 0.0, 5.0, 0.0, 0.0], [1.0])
    with pytest.raises(AssemblyError, match='the motion there is interrupted'):
        flat.assemble([-1.0])


ROBOT = load_mechanism('three_rrr')
DRIVES = ['drive1', 'drive2', 'drive3']
MANY_STARTS = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
POSES = st.tuples(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1), st.floats(-0.3, 0.3)).map(np.array)


def drives_of(pose):
    """Return the drives' angles (3) by the law of cosines, elbows to the left of A to B.

    Continuous from the start, where all are alike but for thirds of a turn.
    """
    angles = []
    for k, now in enumerate(ROBOT.q0[ROBOT.indices(DRIVES)]):
        foot = 0.5 * cmath.exp(2j * np.pi / 3 * k)
        way = complex(*pose[:2]) + 0.1 * cmath.exp(1j * (pose[2] + 2 * np.pi / 3 * k)) - foot
        angle = cmath.phase(way) + np.arccos(abs(way) / 0.6)
        angles.append(angle + 2 * np.pi * round((now - angle) / (2 * np.pi)))
    return np.array(angles)


@MANY_STARTS
@given(POSES)
def test_platform_from_its_drives(pose):
    q = ROBOT.forward_kinematics(DRIVES, drives_of(pose))
    np.testing.assert_allclose(q[ROBOT.indices(ROBOT.independent)], pose, atol=1e-11)
    assert ROBOT.closing_error(q) < 1e-11
    near = ROBOT.assemble(pose + np.array([0.01, -0.01, 0.05]))
    np.testing.assert_allclose(ROBOT.forward_kinematics(DRIVES, drives_of(pose), near), q,
                               atol=1e-11)


@MANY_STARTS
@given(POSES)
def test_jacobian_from_drives_is_the_derivative_of_forward_kinematics(pose):
    drives, h = drives_of(pose), 1e-3
    here = ROBOT.operational_space(pose, np.zeros(3))

    def place(change):
        return ROBOT.forward_kinematics(DRIVES, drives + change, here.q)[
            ROBOT.indices(ROBOT.independent)]

    columns = [(place(-2 * e) - 8 * place(-e) + 8 * place(e) - place(2 * e)) / (12 * h)
               for e in h * np.eye(3)]
    np.testing.assert_allclose(here.jacobian_from(DRIVES), np.array(columns).T, rtol=1e-7,
                               atol=1e-7)
    model, work = ROBOT.driven_by(DRIVES), ROBOT.workspace()
    work['q'][0, :ROBOT.n] = here.q
    assert entry_points.solve_velocity(model, work)
    np.testing.assert_allclose(work['R'][0, ROBOT.indices(ROBOT.independent), :3],
                               here.jacobian_from(DRIVES), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(('name', 'names', 'z'), [
    ('crane', ['lift'], [0.95]), ('five_bar', ['P2.x', 'P2.y'], None),
    ('four_bar', ['P2.y'], [1.2])])
def test_there_and_back_for_others(name, names, z):
    mechanism = load_mechanism(name)
    q = mechanism.assemble(mechanism.z0 + 0.05 if z is None else z)
    values = q[mechanism.indices(names)]
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
    drives = here.q[ROBOT.indices(DRIVES)]
    with pytest.raises(MechanismError, match='singular position'):
        ROBOT.forward_kinematics(DRIVES, drives, here.q)
