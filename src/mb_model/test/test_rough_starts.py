"""Machines whose starts are rough: angles are as of the bodies, once these are closed.

The truth are places and axes of bodies in the position that is found: arc tangents of these.
"""

from math import atan2, hypot, pi

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.description import AssemblyError, MechanismError

PLANE = {
    'name': 'wiper', 'gravity': [0.0, 0.0],
    'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'fixed': [0.6, 0.0]},
               'P': {'start': [0.2, 0.0]}, 'Q': {'start': [0.6, 0.4]}},
    'bodies': {'crank': {'points': ['A', 'P'], 'length': 0.2, 'mass': 1.0},
               'coupler': {'points': ['P', 'Q'], 'length': 0.6, 'mass': 1.0},
               'rocker': {'points': ['B', 'Q'], 'length': 0.4, 'mass': 1.0}},
    'coordinates': {'phi': {'kind': 'angle', 'body': 'crank'},
                    'psi': {'kind': 'relative_angle', 'bodies': ['crank', 'coupler']},
                    'chi': {'kind': 'angle', 'body': 'rocker'}},
    'independent': ['phi']}
INERTIA = {'crank': [1e-5, 1e-3, 1e-3], 'coupler': [1e-5, 1e-2, 1e-2], 'rocker': [1e-5, 5e-3, 5e-3]}
HINGES = {'a': ('ground', 'crank', 0.0, 0.0), 'b': ('crank', 'coupler', 0.2, 0.0),
          'c': ('ground', 'rocker', 0.6, 0.0), 'd': ('coupler', 'rocker', 0.6, 0.4)}
SPACE = {
    'name': 'wiper', 'dimension': 3, 'gravity': [0.0, 0.0, 0.0],
    'joints': {name: {'kind': 'cylindrical' if name == 'd' else 'revolute',
                      'bodies': [first, second], 'axis': [0.0, 0.0, 1.0],
                      'at': [[one, 0.0, 0.0], [other, 0.0, 0.0]]}
               for name, (first, second, one, other) in HINGES.items()},
    'coordinates': {'phi': {'kind': 'angle', 'joint': 'a'}, 'psi': {'kind': 'angle', 'joint': 'b'},
                    'chi': {'kind': 'angle', 'joint': 'c'}},
    'forces': {'coil': {'kind': 'spring_damper', 'coordinate': 'chi', 'stiffness': 0.5}},
    'independent': ['phi']}
PLACE = st.floats(-1.0, 1.0)
ANGLE = st.floats(-4.0, 4.0)
START = st.none() | st.floats(-9.0, 9.0)


def in_one_turn(angle):
    """Return an angle between -pi and pi."""
    return atan2(np.sin(angle), np.cos(angle))


def assembled(raw, start):
    """Return the Mechanism of a file, with a start of phi or without, None if it is refused."""
    try:
        return Mechanism(raw if start is None else raw | {'start': {'phi': start}}, 'wiper.yaml')
    except AssemblyError:
        return None


def planar(p, q, start=None, **more):
    """Return the wiper in the plane with P and Q drawn at p and q, None if it is refused."""
    return assembled(PLANE | {'points': PLANE['points'] | {
        'P': {'start': list(p)}, 'Q': {'start': list(q)}}} | more, start)


def spatial(turns, shifts, start=None):
    """Return the wiper in space with the poses of its bodies, None if it is refused."""
    bodies = {name: {'mass': 0.2, 'centre_of_gravity': [0.1, 0.0, 0.0], 'inertia': inertia,
                     'pose': {'at': [*shift, 0.0], 'turn': [0.0, 0.0, turn]}}
              for (name, inertia), turn, shift in zip(INERTIA.items(), turns, shifts, strict=True)}
    return assembled(SPACE | {'bodies': bodies}, start)


def named(mechanism):
    """Return the coordinates at the start by name."""
    return dict(zip(mechanism.coordinates, mechanism.q0.tolist(), strict=True))


def angles_of_points(mechanism):
    """Return the angles from x of crank, coupler and rocker, from where P and Q are."""
    px, py, qx, qy = mechanism.q0[:4]
    return atan2(py, px), atan2(qy - py, qx - px), atan2(qy, qx - 0.6)


def assert_as_bodies_are(found, crank, coupler, rocker, phi):
    """The dependent angles follow from angles of bodies, in the turn of zero; phi is as asked."""
    assert found['phi'] == pytest.approx(phi, abs=1e-9)
    assert in_one_turn(found['phi'] - crank) == pytest.approx(0.0, abs=1e-7)
    assert found['psi'] == pytest.approx(in_one_turn(coupler - crank), abs=1e-7)
    assert found['chi'] == pytest.approx(in_one_turn(rocker), abs=1e-7)


@settings(deadline=None, max_examples=60)
@given(p=st.tuples(PLACE, PLACE), q=st.tuples(PLACE, PLACE), start=START)
def test_angles_in_the_plane_are_those_of_the_bodies(p, q, start):
    if min(hypot(*p), hypot(q[0] - p[0], q[1] - p[1]), hypot(q[0] - 0.6, q[1])) < 0.05:
        return      # no direction is drawn
    mechanism = planar(
        p, q, start, coordinates=PLANE['coordinates'] | {
            'reach': {'kind': 'distance', 'points': ['A', 'Q']}},
        forces={'coil': {'kind': 'spring_damper', 'bodies': ['crank', 'coupler'],
                         'stiffness': 2.0, 'rest': 7.0}})
    if mechanism is None:
        return
    found, angles = named(mechanism), angles_of_points(mechanism)
    assert_as_bodies_are(found, *angles, atan2(p[1], p[0]) if start is None else start)
    assert found['reach'] == pytest.approx(hypot(found['Q.x'], found['Q.y']), abs=1e-9)
    unwound = in_one_turn(angles[1] - angles[0] - 7.0)      # it starts next to its rest
    assert found['coil.angle'] == pytest.approx(7.0 + unwound, abs=1e-7)


@settings(deadline=None, max_examples=30)
@given(turns=st.tuples(ANGLE, ANGLE, ANGLE), shifts=st.tuples(*3 * [st.tuples(PLACE, PLACE)]),
       start=START)
def test_angles_in_space_are_those_of_the_bodies(turns, shifts, start):
    mechanism = spatial(turns, shifts, start)
    if mechanism is None:
        return
    frames = [mechanism.body_motion(name, mechanism.q0).rotation for name in INERTIA]
    crank, coupler, rocker = (atan2(turn[1, 0], turn[0, 0]) for turn in frames)
    assert all(np.linalg.det(turn) == pytest.approx(1.0) for turn in frames)     # none is mirrored
    found = named(mechanism)
    assert_as_bodies_are(found, crank, coupler, rocker,
                         in_one_turn(crank) if start is None else start)
    _, potential = mechanism.energy(mechanism.z0, [0.0])
    assert potential == pytest.approx(0.25 * in_one_turn(rocker) ** 2, abs=1e-9)


def test_most_rough_starts_are_put_together():
    random = np.random.default_rng(2)
    in_plane = [planar(*random.uniform(-1.0, 1.0, (2, 2)).tolist()) for _ in range(60)]
    in_space = [spatial(random.uniform(-4.0, 4.0, 3), random.uniform(-1.0, 1.0, (3, 2)).tolist())
                for _ in range(30)]
    assert sum(one is not None for one in in_plane) > 40
    assert sum(one is not None for one in in_space) > 4


def test_a_spring_pushes_as_from_a_start_that_is_exact():
    """Two that are known: half a turn off, and three half turns, were the angles of springs."""
    spring = {'forces': {'coil': {'kind': 'spring_damper', 'coordinate': 'chi', 'stiffness': 0.5}}}
    rough = planar([0.36, -0.47], [0.59, -0.24], **spring)
    exact = planar(rough.q0[:2].tolist(), rough.q0[2:4].tolist(), **spring)
    np.testing.assert_allclose(rough.q0, exact.q0, atol=1e-9)
    np.testing.assert_allclose(rough.forward_dynamics(rough.z0, [0.0]),
                               exact.forward_dynamics(exact.z0, [0.0]), rtol=1e-9)
    poses = (0.3, 1.0, 0.1), ((0.0, 0.0), (0.191, 0.059), (0.6, 0.0))
    rough, found = spatial(*poses), named(spatial(*poses))
    assert found['psi'] == pytest.approx(0.28268, abs=1e-5)
    assert found['chi'] == pytest.approx(1.33856, abs=1e-5)
    exact = spatial((0.3, 0.3 + found['psi'], found['chi']),
                    ((0.0, 0.0), (0.2 * np.cos(0.3), 0.2 * np.sin(0.3)), (0.6, 0.0)))
    np.testing.assert_allclose(rough.forward_dynamics(rough.z0, [0.0]),
                               exact.forward_dynamics(exact.z0, [0.0]), rtol=1e-7)


@settings(deadline=None, max_examples=40)
@given(p=st.tuples(PLACE, PLACE), q=st.tuples(PLACE, PLACE), wheel=ANGLE,
       ratio=st.sampled_from([1.0, -2.0, 3.0, 0.5]), start=START)
def test_angles_that_gears_tie_keep_them(p, q, wheel, ratio, start):
    """A wheel that the rocker turns: its angle is the ratio times the rocker's, no other."""
    if min(hypot(*p), hypot(q[0] - p[0], q[1] - p[1]), hypot(q[0] - 0.6, q[1])) < 0.05:
        return
    points = PLANE['points'] | {
        'P': {'start': list(p)}, 'Q': {'start': list(q)}, 'C': {'fixed': [1.0, 0.0]},
        'R': {'start': [1.0 + 0.1 * np.cos(wheel), 0.1 * np.sin(wheel)]}}
    mechanism = assembled(PLANE | {
        'points': points,
        'bodies': PLANE['bodies'] | {'wheel': {'points': ['C', 'R'], 'length': 0.1, 'mass': 0.1}},
        'coordinates': PLANE['coordinates'] | {'turn': {'kind': 'angle', 'body': 'wheel'}},
        'constraints': {'gear': {'kind': 'linear', 'terms': {'chi': ratio, 'turn': -1.0}}}}, start)
    if mechanism is None:
        return
    found, (crank, coupler, rocker) = named(mechanism), angles_of_points(mechanism)
    assert found['turn'] == pytest.approx(ratio * found['chi'], abs=1e-7)
    assert in_one_turn(found['chi'] - rocker) == pytest.approx(0.0, abs=1e-7)
    assert in_one_turn(found['turn'] - atan2(found['R.y'], found['R.x'] - 1.0)) == pytest.approx(
        0.0, abs=1e-7)
    assert found['psi'] == pytest.approx(in_one_turn(coupler - crank), abs=1e-7)
    if ratio != 0.5:     # a wheel with half the speed distinguishes turns of the rocker
        assert found['chi'] == pytest.approx(in_one_turn(rocker), abs=1e-7)


def test_near_is_put_right_or_refused():
    mechanism = planar([0.2, 0.0], [0.6, 0.4], 0.4)
    off = mechanism.q0.copy()
    off[mechanism.indices(['psi', 'chi'])] += (pi, 5.0 * pi)
    q = mechanism.assemble(mechanism.z0, near=off)
    turns = (q - mechanism.q0)[mechanism.indices(['psi', 'chi'])] / (2.0 * pi)
    np.testing.assert_allclose(turns, np.round(turns), atol=1e-9)
    np.testing.assert_allclose(q[:4], mechanism.q0[:4], atol=1e-9)
    off = mechanism.q0.copy()
    off[mechanism.indices(['phi', 'psi'])] += (pi, -pi)
    with pytest.raises(MechanismError, match=r'near: phi = 3\.54159, expected about (6\.68|0\.4)'):
        mechanism.assemble([0.5], near=off)
