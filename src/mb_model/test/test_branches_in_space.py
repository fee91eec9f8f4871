"""Branches of machines in space against closed forms, and Newton's iteration from many poses."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_machines import by_drives, floating_linkage

from mb_model import MechanismError, branches_in_space, load_mechanism
from mb_model.space_api import body_poses


def poses_by_newton(ends, places, lengths, tries, size):
    """Return poses (k, 3, 4) of a platform on six legs: |at + R place - end| = length.

    Newton's iteration on all legs, from `tries` random poses at once; places (6, 3) are in the
    platform's frame, ends (6, 3) in global axes.
    """
    random = np.random.default_rng(1)
    at = size * random.normal(size=(tries, 3))
    turn = Rotation.random(tries, random_state=2)
    for _ in range(60):
        arms = turn.as_matrix() @ places.T                               # (k, 3, 6)
        ways = np.swapaxes(at[:, :, None] + arms, 1, 2) - ends           # (k, 6, 3)
        long = np.linalg.norm(ways, axis=2)
        lines = ways / long[:, :, None]
        rows = np.concatenate([lines, np.cross(np.swapaxes(arms, 1, 2), lines)], axis=2)
        step = -np.stack([
            np.linalg.lstsq(row, off, rcond=None)[0]
            for row, off in zip(rows, long - lengths, strict=True)])
        step *= np.minimum(1.0, 0.5 / np.abs(step).max(axis=1).clip(1e-300))[:, None]
        at, turn = at + step[:, :3], Rotation.from_rotvec(step[:, 3:]) * turn
    closed = np.abs(long - lengths).max(axis=1) < 1e-12
    poses = np.concatenate([turn.as_matrix(), at[:, :, None]], axis=2)[closed]
    found = []
    for pose in poses:
        if all(np.abs(pose - other).max() > 1e-4 for other in found):
            found.append(pose)
    return np.array(found)


def legs_of(mechanism):
    """Return ends (6, 3), places on the platform (6, 3) and lengths (6) of what carries it."""
    poses = body_poses(mechanism, mechanism.q0)
    if mechanism.name == 'stewart':
        legs = [f'{k + 1}' for k in range(6)]
        return (np.array([poses[f'barrel{leg}'][0][0] for leg in legs]),
                np.array([mechanism.bodies['platform'].points[f'P{leg}'] for leg in legs]),
                mechanism.z0)
    rods = [f'{side}{k + 1}' for k in range(3) for side in ('left', 'right')]
    at, turn = (part[0] for part in poses['platform'])
    ends = np.array([poses[rod][0][0] for rod in rods])
    tips = np.array([poses[rod][0][0] + poses[rod][1][0] @ mechanism.bodies[rod].points['P']
                     for rod in rods])
    return ends, (tips - at) @ turn, np.full(6, 0.6)


@pytest.mark.whole
@pytest.mark.parametrize(('name', 'tries', 'least'), [('stewart', 100, 8), ('delta', 50, 5)])
def test_forward_kinematics_have_the_poses_of_brute_force(name, tries, least):
    """Of the delta robot 16 poses exist, most with a leg of crossed rods: not all are looked for.
    """
    mechanism = by_drives(name)
    expected = poses_by_newton(*legs_of(mechanism), 1000, 0.5)
    found = branches_in_space(mechanism, tries)
    assert len(found) >= least
    assert len(expected) == {'stewart': 8, 'delta': 16}[name]
    places = set()
    for q in found:
        at, turn = (part[0] for part in body_poses(mechanism, q)['platform'])
        off = np.abs(expected - np.column_stack([turn, at])).max(axis=(1, 2))
        assert off.min() < 1e-8
        places.add(int(np.argmin(off)))
        np.testing.assert_allclose(q[mechanism.indices(mechanism.drives)], mechanism.z0, atol=1e-9)
        assert mechanism.closing_error(q) < 1e-9
    assert len(places) == len(found)
    np.testing.assert_array_equal(found[0], mechanism.q0)


def test_a_slider_crank_has_its_four():
    """The rod reaches two places of the slider, and its cross is there in two ways at each."""
    mechanism = load_mechanism('spatial_slider_crank')
    found = branches_in_space(mechanism, 100)
    reach = np.sqrt(0.3 ** 2 - 0.1 ** 2 - 0.2 ** 2)
    s = np.array([q[mechanism.coordinates.index('s')] for q in found])
    np.testing.assert_allclose(sorted(s), [-reach, -reach, reach, reach], atol=1e-9)
    for q in found:
        np.testing.assert_allclose(body_poses(mechanism, q)['rod'][1][0] @ [0.3, 0.0, 0.0],
                                   [q[mechanism.coordinates.index('s')], -0.1, -0.2], atol=1e-9)
    axis = np.array([2 / 3, 1 / np.sqrt(5), 4 / (3 * np.sqrt(5))])      # of the cross, in the rod
    for side in (-reach, reach):
        along = np.array([side, -0.2]) / 0.3              # x and z of the rod's line
        turns = np.arctan2(along[1], along[0]) + np.array([-1.0, 1.0]) * np.arccos(
            2 / 3 / np.linalg.norm(along))
        crosses = [body_poses(mechanism, q)['rod'][1][0] @ axis for q in found
                   if q[mechanism.coordinates.index('s')] * side > 0.0]
        expected = np.column_stack([np.cos(turns), np.zeros(2), np.sin(turns)])
        np.testing.assert_allclose(sorted(np.round(crosses, 9).tolist()),
                                   sorted(expected.tolist()), atol=1e-8)


def test_parallel_hinges_have_those_of_the_plane():
    """With a redundant constraint that must hold there, too."""
    mechanism = load_mechanism('spatial_four_bar')
    ends = [body_poses(mechanism, q)['rocker'][0][0] for q in branches_in_space(mechanism, 50)]
    crank = 2.0 * np.array([np.cos(np.pi / 3), np.sin(np.pi / 3), 0.0])
    assert len(ends) == 2
    assert ends[0][1] > 0.0 > ends[1][1]
    for end in ends:
        assert np.linalg.norm(end - crank) == pytest.approx(8.0, abs=1e-9)
        assert np.linalg.norm(end - [10.0, 0.0, 0.0]) == pytest.approx(5.0, abs=1e-9)
        assert end[2] == pytest.approx(0.0, abs=1e-9)


def test_a_body_keeps_its_orientation_on_all_branches():
    """A hull that carries a linkage, turned anyhow; of platforms whose pose is known there is one.
    """
    linkage = floating_linkage([0.7, -1.1, 0.4])
    found = branches_in_space(linkage, 50)
    assert len(found) == 2
    world, ends = Rotation.from_rotvec([0.7, -1.1, 0.4]), []
    for q in found:
        poses = body_poses(linkage, q)
        np.testing.assert_allclose(poses['hull'][0][0], 0.0, atol=1e-9)
        np.testing.assert_allclose(poses['hull'][1][0], world.as_matrix(), atol=1e-9)
        ends.append(world.inv().apply(poses['rocker'][0][0]))
        assert np.linalg.norm(ends[-1] - [10.0, 0.0, 0.0]) == pytest.approx(5.0, abs=1e-9)
        assert np.linalg.norm(ends[-1] - [1.0, np.sqrt(3.0), 0.0]) == pytest.approx(8.0, abs=1e-9)
    assert ends[0][1] > 0.0 > ends[1][1]
    assert len(branches_in_space(load_mechanism('stewart'), 5)) == 1


def test_what_has_no_known_start_is_refused():
    with pytest.raises(MechanismError, match='branches_in_space'):
        branches_in_space(load_mechanism('four_bar'), 1)
