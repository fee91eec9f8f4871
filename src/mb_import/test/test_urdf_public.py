"""URDF files of users: links, joints and loops as their READMEs say."""

import numpy as np
import pytest
from read_descriptions import PUBLIC, needs_public, read

from mb_import.drawing import drawn_poses

pytestmark = needs_public
FILES = sorted(path.relative_to(PUBLIC) for path in PUBLIC.glob('*/*.urdf'))


@pytest.mark.parametrize('file', FILES, ids=str)
def test_every_file_is_read(file):
    machine, _ = read(PUBLIC / file)
    placed = {joint.links[1] for joint in machine.joints.values()}
    assert placed == set(machine.links)


@pytest.mark.parametrize('file', ['rotated_inertia', 'rotated_inertia_hinged'])
def test_a_turned_inertia_is_in_axes_of_the_link(file):
    machine, _ = read(PUBLIC / '19-urdf-inertia-rotated' / f'{file}.urdf')
    np.testing.assert_allclose(machine.links['body'].inertial.inertia, np.diag([2.0, 1.0, 2.5]),
                               atol=1e-15)


def test_a_tool_on_fixed_joints_is_the_body_that_its_readme_says():
    """Lumped by the parallel-axis formula: mass, centre and inertia in axes of the arm."""
    machine, notes = read(PUBLIC / '20-fixed-joint-lumping' / 'with_fixed_joint.urdf')
    assert notes == []
    assert [joint.kind for joint in machine.joints.values()] == ['revolute', 'weld', 'weld']
    poses = drawn_poses(machine, {})
    arm = poses['arm'].inverse()
    held = [(link.inertial, arm.then(poses[name])) for name, link in machine.links.items()
            if link.inertial]
    mass = sum(inertial.mass for inertial, _ in held)
    centre = sum(inertial.mass * pose.of(inertial.centre) for inertial, pose in held) / mass
    inertia = np.zeros((3, 3))
    for inertial, pose in held:
        off = pose.of(inertial.centre) - centre
        inertia += (pose.turn @ inertial.inertia @ pose.turn.T
                    + inertial.mass * (off @ off * np.eye(3) - np.outer(off, off)))
    assert mass == pytest.approx(3.5)
    np.testing.assert_allclose(centre, [0.13336809, 0.04873759, -0.00535063], atol=5e-9)
    np.testing.assert_allclose(inertia, [
        [0.0327094214, -0.0068060965, 0.0016388623], [-0.0068060965, 0.0396347579, 0.0000688488],
        [0.0016388623, 0.0000688488, 0.0614849881]], atol=6e-11)


@pytest.mark.parametrize(('q2', 'q3'), [(0.0, 0.0), (0.4, 0.3), (1.1, -0.2)])
def test_mimic_joints_keep_the_tool_of_the_palletiser_level(q2, q3):
    machine, notes = read(PUBLIC / '09-dobot-magician-urdf' / 'clean_model_no_macros.urdf')
    values = {'magician_joint_1': 0.3, 'magician_joint_2': q2, 'magician_joint_3': q3}
    for relation in machine.relations.values():
        (follower, one), *led = relation.terms.items()
        assert one == 1.0
        values[follower] = relation.total - sum(
            factor * values.get(leader, 0.0) for leader, factor in led)
    poses = drawn_poses(machine, values)
    tool = poses['magician_link_1'].inverse().then(poses['magician_link_4'])
    np.testing.assert_allclose(tool.turn, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(tool.at, [0.135 * np.sin(q2) + 0.147 * np.cos(q2 + q3), 0.0,
                                         0.135 * np.cos(q2) - 0.147 * np.sin(q2 + q3)], atol=1e-15)
    movable = [joint for joint in machine.joints.values() if joint.is_scalar]
    assert len(movable) - len(machine.relations) == 5
    assert not any(link.inertial for link in machine.links.values())
    said = '\n'.join(notes)
    assert 'joint magician_joint_prismatic_r: limit: lower 0 to upper -0.0135 is an empty' in said
    assert 'joint magician_joint_mimic_1: limit: 0 to 6.28319 does not hold' in said


def test_a_second_parent_closes_a_loop():
    machine, notes = read(PUBLIC / '02-gtdynamics-four-bar' / 'four_bar_linkage_pure.urdf')
    assert list(machine.joints) == ['l1_base', 'j1', 'j2', 'j3']
    assert machine.closures['j4'].links == ('l1', 'l4')
    assert 'changed: joint j4: closes a loop: l4 hangs on joint j3 already' in notes
    assert any('joint j4: it holds l4 where it is drawn' in note for note in notes)
