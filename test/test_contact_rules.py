"""Rules of the authors of the 3-RRR robot: forces on links, carried by their work."""

import numpy as np
import pytest

from benchmarks.contact_rules import touched_by_rules
from mb_model import load_mechanism

ROBOT = load_mechanism('three_rrr_hannover_measured')
POSES = [[0.0, 0.0, 0.0], [0.05, 0.1, 0.2], [-0.2, 0.15, -0.3]]
PUSH = 60.0     # N


def rows(*names):
    """Return where the coordinates of points are, a row each."""
    return np.array([ROBOT.indices([f'{name}.x', f'{name}.y']) for name in names])


@pytest.mark.parametrize('pose', POSES)
@pytest.mark.parametrize('leg', '123')
def test_links_that_are_pushed_across_are_named(pose, leg):
    q = ROBOT.assemble(pose)
    elbow, joint = rows(f'P{leg}', f'B{leg}')
    along = (q[joint] - q[elbow]) / np.linalg.norm(q[joint] - q[elbow])
    push = PUSH * np.array([-along[1], along[0]])
    at = 0.4 * ROBOT.R(q)[elbow] + 0.6 * ROBOT.R(q)[joint]      # of a point on the second arm
    assert touched_by_rules(ROBOT, q, at.T @ push) == f'outer{leg}'
    turning = ROBOT.R(q)[ROBOT.coordinates.index(f'drive{leg}')]
    for arm in (0.25, 0.5):                                     # from the base joint [m]
        assert touched_by_rules(ROBOT, q, PUSH * arm * turning) == f'inner{leg}'


@pytest.mark.parametrize(('arm', 'body'), [
    (0.0, 'outer1'), (0.04, 'outer1'), (0.144, 'platform'), (-0.144, 'platform')])
def test_a_force_beside_all_coupling_points_is_on_the_platform(arm, body):
    """Along x at a distance from the centre and from B1; B2 and B3 are at 93 mm either way."""
    q = ROBOT.assemble(POSES[0])
    assert touched_by_rules(ROBOT, q, PUSH * np.array([1.0, 0.0, -arm])) == body


def test_a_force_that_its_drive_does_not_sense_is_on_no_first_link():
    q = ROBOT.assemble(POSES[0])
    turning = ROBOT.R(q)[ROBOT.coordinates.index('drive1')]
    assert touched_by_rules(ROBOT, q, 2.6 * turning) == 'inner1'
    assert touched_by_rules(ROBOT, q, 2.4 * turning) == 'outer1'
