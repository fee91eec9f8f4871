"""Loops in URDF, however public projects write them."""

import numpy as np
import pytest
from read_descriptions import PUBLIC, joint, matrix, needs_public, poses_by_hand, read_text, robot
from scipy.optimize import least_squares

from mb_import.mapping.reading import mapping_of
from mb_import.notes import Notes
from mb_import.options import ImportOptions
from mb_import.readers import reader_of
from mb_model import Mechanism, MechanismError

CHAIN = joint('j1', 'a', 'b', '<origin xyz="1 0 0" rpy="0 0 0.5"/><axis xyz="0 0 1"/>',
              'continuous') + joint('j2', 'b', 'c', '<origin xyz="2 0 0"/><axis xyz="0 0 1"/>',
                                    'continuous')
DRAKE = '<robot xmlns:drake="http://drake.mit.edu" name="r">'


def test_ball_constraints_of_drake_are_points_that_meet(tmp_path):
    text = robot(CHAIN, '<drake:ball_constraint>'
                 '<drake:ball_constraint_body_A name="a"/>'
                 '<drake:ball_constraint_p_AP value="3 1 0"/>'
                 '<drake:ball_constraint_body_B name="c"/>'
                 '<drake:ball_constraint_p_BQ value="0 0.5 0"/></drake:ball_constraint>')
    machine, _ = read_text(tmp_path, text.replace('<robot name="r">', DRAKE))
    closure, = machine.closures.values()
    assert (closure.name, closure.kind, closure.links) == ('a_to_c', 'spherical', ('a', 'c'))
    np.testing.assert_array_equal([frame.at for frame in closure.frames],
                                  [[3.0, 1.0, 0.0], [0.0, 0.5, 0.0]])


@pytest.mark.parametrize(('length', 'kind'), [('0.7', 'distance'), ('0', 'spherical')])
def test_distance_constraints_of_drake_are_rods_without_mass(tmp_path, length, kind):
    ends = ''.join(f'<drake:distance_constraint_body_{one} name="{link}"/>'
                   f'<drake:distance_constraint_p_{point} value="0 0 {z}"/>'
                   for one, link, point, z in (('A', 'a', 'AP', 1), ('B', 'c', 'BQ', 2)))
    machine, _ = read_text(tmp_path, robot(
        CHAIN, f'<drake:distance_constraint>{ends}<drake:distance_constraint_distance '
               f'value="{length}"/></drake:distance_constraint>'))
    rod = machine.closures['a_to_c']
    assert (rod.kind, rod.length) == (kind, float(length))
    assert [frame.at[2] for frame in rod.frames] == [1.0, 2.0]


@pytest.mark.parametrize(('force', 'torque', 'kind', 'axis'), [
    ('9 9 9', '0 0 0', 'spherical', None), ('9 9 9', '8 8 0', 'revolute', (0, 0, 1)),
    ('9 9 9', '0 8 8', 'revolute', (1, 0, 0)), ('9 9 9', '8 8 8', 'weld', None),
    ('9 0 9', '8 0 8', 'cylindrical', (0, 1, 0)), ('9 9 0', '0 0 0', 'in_line', (0, 0, 1)),
    ('0 9 9', '8 8 8', 'prismatic', (1, 0, 0))])
def test_bushings_of_drake_are_rigid_where_they_are_stiff(tmp_path, force, torque, kind, axis):
    text = robot(
        CHAIN, '<frame name="A" link="a" xyz="3 0 0" rpy="0.1 0 0"/><frame name="C" link="c"/>',
        '<drake:linear_bushing_rpy><drake:bushing_frameA name="A"/><drake:bushing_frameC name="C"/>'
        f'<drake:bushing_force_stiffness value="{force}"/>'
        f'<drake:bushing_torque_stiffness value="{torque}"/></drake:linear_bushing_rpy>')
    machine, notes = read_text(tmp_path, text.replace('<robot name="r">', DRAKE))
    closure, = machine.closures.values()
    assert closure.kind == kind
    assert (axis is None) == (closure.axis is None)
    assert axis is None or closure.axis.tolist() == list(axis)
    assert any('its stiffness is taken for rigid' in note for note in notes)
    assert machine.frames['A'][0] == 'a'


def test_a_bushing_that_no_closure_is_is_left_out(tmp_path):
    text = robot(
        CHAIN, '<frame name="A" link="a"/><frame name="C" link="c"/>',
        '<drake:linear_bushing_rpy><drake:bushing_frameA name="A"/><drake:bushing_frameC name="C"/>'
        '<drake:bushing_force_stiffness value="9 0 0"/>'
        '<drake:bushing_torque_stiffness value="0 0 0"/></drake:linear_bushing_rpy>'
    ).replace('<robot name="r">', DRAKE)
    machine, notes = read_text(tmp_path, text)
    assert not machine.closures
    assert any(note.startswith('left out: drake:linear_bushing_rpy a to c: it holds translations')
               for note in notes)
    with pytest.raises(MechanismError, match=r'bushing_rpy a to c: .* import\.strict forbids'):
        read_text(tmp_path, text, strict=True)


@pytest.mark.parametrize('text', [
    '<link1 link="a" xyz="3 1 0" rpy="0 0 0.5"/><link2 link="c" xyz="0 0.5 0"/>',
    '<link1 link="a" xyz="3 1 0" rpy="0 0 0.5"/><link1 link="c" xyz="0 0.5 0"/>',
    '<parent link="a"/><child link="c"/><parent_origin xyz="3 1 0" rpy="0 0 0.5"/>'
    '<child_origin xyz="0 0.5 0"/>'])
def test_loop_joints_have_a_place_on_each_link(tmp_path, text):
    machine, _ = read_text(tmp_path, robot(
        CHAIN, f'<loop_joint name="pin" type="revolute">{text}<axis xyz="0 0 1"/></loop_joint>'))
    pin = machine.closures['pin']
    assert (pin.kind, pin.links, pin.axis.tolist()) == ('revolute', ('a', 'c'), [0.0, 0.0, 1.0])
    np.testing.assert_allclose(pin.frames[0].at, [3.0, 1.0, 0.0])
    np.testing.assert_allclose(pin.frames[0].turn[:, 0], [np.cos(0.5), np.sin(0.5), 0.0])
    np.testing.assert_allclose(pin.frames[1].at, [0.0, 0.5, 0.0])


def test_loops_of_urdf_plus_have_a_predecessor_and_a_successor(tmp_path):
    machine, _ = read_text(tmp_path, robot(
        CHAIN, '<loop name="pin" type="spherical"><predecessor link="a"><origin xyz="3 1 0"/>'
               '</predecessor><successor link="c"><origin xyz="0 0.5 0"/></successor></loop>'))
    assert machine.closures['pin'].frames[0].at.tolist() == [3.0, 1.0, 0.0]


def test_a_joint_of_sdf_is_where_its_child_is_drawn(tmp_path):
    """The axis is in the model's frame on request; both frames agree where links are drawn."""
    machine, _ = read_text(tmp_path, robot(
        CHAIN, '<gazebo><joint name="pin" type="revolute"><parent>a</parent><child>c</child>'
               '<pose>0 0.5 0 0 0 0.25</pose><axis><xyz>0 0.6 0.8</xyz>'
               '<use_parent_model_frame>1</use_parent_model_frame>'
               '<dynamics><damping>0.3</damping><spring_stiffness>2</spring_stiffness></dynamics>'
               '</axis></joint></gazebo>'))
    pin, poses = machine.closures['pin'], poses_by_hand(machine, {})
    ends = [poses[link] @ matrix(frame) for link, frame in zip(pin.links, pin.frames, strict=True)]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-15)
    np.testing.assert_allclose(ends[0][:3, :3] @ pin.axis, [0.0, 0.6, 0.8], atol=1e-15)
    assert (pin.damping, pin.stiffness, pin.lower) == (0.3, 2.0, -np.inf)


def test_a_joint_of_sdf_may_hold_the_base(tmp_path):
    machine, notes = read_text(tmp_path, robot(
        CHAIN, '<gazebo><joint name="foot" type="fixed"><parent>world</parent><child>a</child>'
               '</joint></gazebo>'))
    assert list(machine.joints) == ['foot', 'j1', 'j2']
    assert not machine.closures
    assert not any('nothing holds it' in note for note in notes)


def test_a_joint_of_sdf_may_close_a_loop_at_the_base(tmp_path):
    """The base stays the root, though a joint leads to it."""
    machine, _ = read_text(tmp_path, robot(
        CHAIN, '<gazebo><joint name="pin" type="ball"><parent>c</parent><child>a</child>'
               '</joint></gazebo>'))
    assert machine.joints['a_base'].links == ('world', 'a')
    assert machine.closures['pin'].links == ('c', 'a')


def test_a_file_beside_has_pairs_of_frames(tmp_path):
    (tmp_path / 'robot.yaml').write_text(
        'closed_loop: [[c, a], [end_B, end_A]]\ntype: [3d, 6d]\nname_mot: [j1]\n')
    machine, _ = read_text(tmp_path, robot(
        CHAIN, '<frame name="end_A" link="a" xyz="3 0 0"/><frame name="end_B" link="c"/>'))
    assert {name: (one.kind, one.links) for name, one in machine.closures.items()} == {
        'c_to_a': ('spherical', ('c', 'a')), 'end': ('weld', ('c', 'a'))}
    assert machine.closures['end'].frames[1].at.tolist() == [3.0, 0.0, 0.0]
    assert [machine.joints[name].actuated for name in ('j1', 'j2')] == [True, False]


def test_a_file_beside_says_what_hinges_stand_for(tmp_path):
    (tmp_path / 'robot.yaml').write_text(
        'closed_loop: []\ntype: []\njoint_name: [j1, j2, j3]\n'
        'joint_type: [UJOINT_ZX, SPHERICAL, FIXED]\n')
    machine, notes = read_text(tmp_path, robot(CHAIN, '<link name="d"/>', joint(
        'j3', 'c', 'd', '<origin xyz="1 0 0"/><axis xyz="0 0 1"/>', 'continuous')))
    assert [machine.joints[name].kind for name in ('j1', 'j2', 'j3')] == [
        'universal', 'spherical', 'weld']
    assert machine.joints['j1'].axis.tolist() == [0.0, 0.0, 1.0]
    assert machine.joints['j1'].second_axis.tolist() == [1.0, 0.0, 0.0]
    assert machine.joints['j2'].frames[0].at.tolist() == [2.0, 0.0, 0.0]
    assert not any('robot.yaml' in note for note in notes)


def test_pairs_that_meet_nowhere_with_their_axes_meet_with_their_points(tmp_path):
    """Hinges about z, and frames that lean against each other, as tools call 6d what is a ball."""
    (tmp_path / 'robot.yaml').write_text('closed_loop: [[end_A, end_B]]\ntype: [6d]\n')
    (tmp_path / 'robot.urdf').write_text(robot(
        CHAIN, '<frame name="end_A" link="a" xyz="2.5 0 0" rpy="0.4 0 0"/>'
               '<frame name="end_B" link="c" xyz="1 0 0"/>'))
    raw = mapping_of(tmp_path / 'robot.urdf', {})
    assert raw['joints']['end']['kind'] == 'spherical'
    assert any(note.startswith('changed: joints.end: taken for spherical: with a weld its loop is')
               for note in raw['origin']['notes'])


@pytest.mark.parametrize(('text', 'said'), [
    ('closed_loop: [[c, a]]\ntype: [4d]', 'type: must be a list of 1 of 3d, 6d'),
    ('closed_loop: [[c]]', 'closed_loop: must be a list of pairs'),
    ('closed_loop: [[c, nowhere]]\ntype: [3d]', 'nowhere: no link and no frame'),
    ('closed_loop: [[c, a]\ntype: [3d]', 'robot.yaml'),
    ('closed_loop: [[c, c]]\ntype: [3d]', 'ties c to itself'),
    ('closed_loop: []\ntype: []\njoint_name: [j2]', 'joint_type: must be a list of as many as'),
    ('closed_loop: []\ntype: []\njoint_name: [j2]\njoint_type: [UJOINT_XX]',
     "joint_type: 'UJOINT_XX' must be SPHERICAL, FIXED or UJOINT_ with two of X, Y, Z")])
def test_wrong_pairs_end_in_words(tmp_path, text, said):
    (tmp_path / 'robot.yaml').write_text(text)
    with pytest.raises(MechanismError, match='robot.urdf: .*' + said.replace('[', r'\[')):
        read_text(tmp_path, robot(CHAIN))


def test_loops_without_number_are_refused(tmp_path):
    ball = ('<drake:ball_constraint><drake:ball_constraint_body_A name="a"/>'
            '<drake:ball_constraint_p_AP value="0 0 0"/><drake:ball_constraint_body_B name="c"/>'
            '<drake:ball_constraint_p_BQ value="0 0 0"/></drake:ball_constraint>')
    with pytest.raises(MechanismError, match=r'robot\.urdf: loops: there are more than 2000'):
        read_text(tmp_path, robot(CHAIN, 2001 * ball))


def test_ends_that_nothing_closes_are_said(tmp_path):
    ends = ''.join(f'<link name="closing_tip_{k}"/>' + joint(f'f{k}', link, f'closing_tip_{k}',
                                                             type_='fixed')
                   for k, link in ((1, 'a'), (2, 'c')))
    machine, notes = read_text(tmp_path, robot(CHAIN, ends))
    assert not machine.closures
    assert ('left out: link closing_tip_1: it looks like the end of a loop with closing_tip_2; '
            'import: loops: {closing_tip: {kind: revolute, frames: [closing_tip_1, '
            'closing_tip_2]}} closes it') in notes
    _, notes = read_text(tmp_path, robot(CHAIN, ends), strict=True, loops={
        'tip': {'kind': 'revolute', 'frames': ['closing_tip_1', 'closing_tip_2']}})
    assert not any('looks like' in note for note in notes)
    (tmp_path / 'robot.yaml').write_text('closed_loop: [[closing_tip_1, closing_tip_2]]')
    _, notes = read_text(tmp_path, robot(CHAIN, ends))
    assert not any('looks like' in note for note in notes)
    assert any('taken for 6d' in note for note in notes)


def test_another_file_beside_is_none_of_ours(tmp_path):
    (tmp_path / 'robot.yaml').write_text('extends: robot.urdf\n')
    machine, _ = read_text(tmp_path, robot(CHAIN))
    assert not machine.closures


@pytest.mark.parametrize(('origin', 'at'), [
    ('xyz="1 0 0" rpy="0 0 0.5"', [0.0, 0.0, 0.0]), ('xyz="3 1 0"', None)])
def test_a_second_parent_is_where_links_are_drawn_unless_its_origin_agrees(tmp_path, origin, at):
    """On b, which is at (1, 0, 0), turned by 0.5 rad about z; by hand where the origin is apart."""
    machine, notes = read_text(tmp_path, robot(CHAIN, joint(
        'j3', 'a', 'b', f'<origin {origin}/><axis xyz="0 0 1"/>', 'continuous')))
    on_child = machine.closures['j3'].frames[1]
    if at is None:
        cosine, sine = np.cos(0.5), np.sin(0.5)
        at = [2.0 * cosine + sine, cosine - 2.0 * sine, 0.0]
    np.testing.assert_allclose(on_child.at, at, atol=1e-15)
    assert any('it holds b where it is drawn' in note for note in notes) == any(at)


def test_a_ring_without_a_root_begins_at_its_first_link(tmp_path):
    machine, notes = read_text(tmp_path, robot(CHAIN, joint('j3', 'c', 'a', type_='continuous')))
    assert list(machine.joints) == ['a_base', 'j1', 'j2']
    assert list(machine.closures) == ['j3']
    assert 'changed: joint j3: closes a loop: a hangs on joint a_base already' in notes


@needs_public
@pytest.mark.parametrize(('name', 'joints', 'rank'), [('digit_like', 27, 18),
                                                      ('robot_delta', 14, 9)])
def test_parallel_robots_close_with_the_freedom_of_their_readme(name, joints, rank):
    """Rank of the equations that both frames of each closure are one."""
    path = PUBLIC / '11-gepetto-delta-kangaroo' / f'{name}_robot.urdf'
    machine = reader_of(path)(path, ImportOptions(), Notes(path.name))
    names = [joint.name for joint in machine.joints.values() if joint.is_scalar]
    assert len(names) == joints

    def gaps(values):
        poses = poses_by_hand(machine, dict(zip(names, values, strict=True)))
        found = []
        for one in machine.closures.values():
            first, second = (poses[link] @ matrix(frame)
                             for link, frame in zip(one.links, one.frames, strict=True))
            found.extend((second - first)[:3].ravel())
        return np.array(found)

    closed = least_squares(gaps, np.full(joints, 0.05), method='lm')
    assert np.linalg.norm(closed.fun) < 1e-6
    singular = np.linalg.svd(closed.jac, compute_uv=False)
    assert np.sum(singular > 1e-5 * singular[0]) == rank


@needs_public
def test_the_leg_with_linear_actuators_has_the_joints_and_equations_of_its_readme():
    path = PUBLIC / '11-gepetto-delta-kangaroo' / 'kangaroo_like_robot.urdf'
    machine = reader_of(path)(path, ImportOptions(), Notes(path.name))
    scalar = [joint for joint in machine.joints.values() if joint.is_scalar]
    assert (len(scalar), sum(joint.actuated for joint in scalar)) == (63, 6)
    assert [closure.kind for closure in machine.closures.values()] == 11 * ['weld']
    assert sum(link.inertial.mass for link in machine.links.values()) == pytest.approx(4.4765,
                                                                                       abs=1e-4)


@needs_public
def test_the_leg_closes_with_the_closures_that_its_makers_call_points_later():
    """In their file of two legs 3, 4 and 5, of rods with a slide, are frames, all others points."""
    raw = mapping_of(PUBLIC / '11-gepetto-delta-kangaroo' / 'kangaroo_like_robot.urdf', {})
    kinds = {name: one['kind'] for name, one in raw['joints'].items() if 'closedloop' in name}
    assert {name for name, kind in kinds.items() if kind == 'weld'} == {
        'closedloop3', 'closedloop4', 'closedloop5'}
    machine = Mechanism(raw, 'kangaroo.yaml')
    assert machine.closing_error(machine.q0) < 1e-9
