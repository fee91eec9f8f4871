"""Other branches of machines in space, and where motions from the start end or meet them."""

import numpy as np
import open_machines
import pytest
from test_assembly_messages import swing

from mb_model.assembly.change_points import change_points
from mb_model.assembly.joint_branches import joint_branches
from mb_model.commands.mechanism_report import report
from mb_model.mechanism import Mechanism


def test_check_lists_other_branches_and_where_the_motion_ends():
    """A five-bar linkage at two cranks: its apex is above or below; truth: circles that meet."""
    raw = open_machines.five_bar() | {'independent': ['q_a', 'q_b'],
                                      'start': {'q_a': -2.0, 'q_b': -1.0}}
    mechanism = Mechanism(raw, 'five_bar.yaml')
    branches = joint_branches(mechanism)
    assert len(branches) == 2
    assert branches[0].distance == pytest.approx(0.0, abs=1e-6)
    ends = np.array([[0.3 * np.cos(angle) + base, 0.3 * np.sin(angle)]
                     for base, angle in ((0.0, 2.0), (0.3, 1.0))])
    across = np.array([[0.0, -1.0], [1.0, 0.0]]) @ (ends[1] - ends[0])
    half = 0.5 * np.linalg.norm(across)
    apexes = [ends.mean(axis=0) + sign * np.sqrt(0.16 - half ** 2) * across / (2.0 * half)
              for sign in (1.0, -1.0)]
    angles = sorted(np.arctan2(*(apex - ends[0])[::-1]) - 2.0 for apex in apexes)
    found = sorted(-branch.coordinates['q_c'] for branch in branches)
    np.testing.assert_allclose(found, (np.array(angles) + np.pi) % (2.0 * np.pi) - np.pi,
                               atol=1e-8)
    points = {point.value: point.ends for point in change_points(mechanism)
              if point.coordinate == 'q_a'}
    reach = np.array([[0.3 * np.cos(-angle), 0.3 * np.sin(-angle)] for angle in points])
    np.testing.assert_allclose(np.linalg.norm(reach - ends[1], axis=1), 0.8, atol=1e-3)
    assert all(points.values())


def test_a_parallelogram_meets_another_branch_where_it_is_folded():
    points = list(change_points(Mechanism(swing(0.0), 'swing.yaml')))
    assert [point.value for point in points] == pytest.approx([-np.pi / 2, np.pi / 2], abs=1e-2)
    assert not any(point.ends for point in points)


def test_the_report_of_check_shows_branches():
    lines = list(report(Mechanism(open_machines.gripper(), 'gripper.yaml')))
    assert sum(line.startswith('branch ') for line in lines) == 4      # two of each finger
    assert any(line.startswith('branch               of the file: q_left_pin') for line in lines)
