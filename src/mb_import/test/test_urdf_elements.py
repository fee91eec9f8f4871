"""Links and joints of URDF: what is taken, what is said about the rest, what is refused."""

from math import inf, pi

import numpy as np
import pytest
from read_descriptions import OURS, joint, read, read_text, robot

from mb_model import MechanismError

LIMIT = '<limit lower="-1" upper="2" effort="5" velocity="3"/>'
PIN = '<axis xyz="0 0 1"/>' + LIMIT
REST = joint('j2', 'b', 'c', type_='fixed')


def one(folder, rest, type_='revolute', **section):
    """Return (the first joint, notes) of a robot whose first joint is given."""
    machine, notes = read_text(folder, robot(joint('j1', 'a', 'b', rest, type_), REST), **section)
    return machine.joints['j1'], [note for note in notes if 'nothing holds it' not in note]


@pytest.mark.parametrize(('type_', 'kind', 'axis'), [
    ('revolute', 'revolute', True), ('continuous', 'revolute', True),
    ('prismatic', 'prismatic', True), ('fixed', 'weld', False), ('floating', 'free', False),
    ('planar', 'planar', True), ('ball', 'spherical', False), ('universal', 'universal', True)])
def test_every_kind_of_joint_is_one_of_ours(tmp_path, type_, kind, axis):
    found, _ = one(tmp_path, '<origin xyz="1 2 3" rpy="0 0 1.5"/><axis xyz="0 0 1"/>', type_)
    assert (found.kind, found.axis is not None) == (kind, axis)
    assert found.frames[0].at.tolist() == [1.0, 2.0, 3.0]
    np.testing.assert_allclose(found.frames[0].turn[:, 0], [np.cos(1.5), np.sin(1.5), 0.0],
                               atol=1e-15)
    np.testing.assert_array_equal(found.frames[1].turn, np.eye(3))


def test_limits_and_dynamics_are_taken(tmp_path):
    found, notes = one(tmp_path, PIN + '<dynamics damping="0.1" friction="0.2"/>')
    assert (found.lower, found.upper, found.effort, found.velocity) == (-1.0, 2.0, 5.0, 3.0)
    assert (found.damping, found.friction, notes) == (0.1, 0.2, [])


def test_an_axis_is_along_x_without_one(tmp_path):
    assert one(tmp_path, '', 'continuous')[0].axis.tolist() == [1.0, 0.0, 0.0]


def test_a_screw_has_a_pitch(tmp_path):
    found, _ = one(tmp_path, PIN + '<screw_thread_pitch value="0.005"/>', 'screw')
    assert (found.kind, found.pitch) == ('screw', 0.005)
    with pytest.raises(MechanismError, match='joint j1: a screw needs <screw_thread_pitch'):
        one(tmp_path, PIN, 'screw')


def test_quaternions_of_new_origins_are_taken(tmp_path):
    """Turned by 0.8 rad about (0, 0.6, 0.8); not normalised."""
    half = 3.0 * np.sin(0.4) * np.array([0.0, 0.6, 0.8])
    text = ' '.join(map(repr, [*map(float, half), float(3.0 * np.cos(0.4))]))
    turn = one(tmp_path, f'<origin quat_xyzw="{text}"/>', 'fixed')[0].frames[0].turn
    np.testing.assert_allclose(turn @ [0.0, 0.6, 0.8], [0.0, 0.6, 0.8], atol=1e-15)
    assert np.trace(turn) == pytest.approx(1.0 + 2.0 * np.cos(0.8))


@pytest.mark.parametrize(('rest', 'type_', 'said', 'bounds'), [
    ('<axis xyz="0 3 4"/>' + LIMIT, 'revolute',
     'changed: joint j1: axis: [0.0, 3.0, 4.0] made as long as 1', (-1.0, 2.0)),
    ('', 'revolute', 'guessed: joint j1: it has no <limit>, taken for unlimited', (-inf, inf)),
    ('<limit lower="0" upper="-1" effort="1" velocity="1"/>', 'prismatic', 'changed: joint j1: '
     'limit: lower 0 to upper -1 is an empty range, so taken for unlimited', (-inf, inf)),
    ('<limit upper="1" effort="1" velocity="1"/>', 'revolute',
     'guessed: joint j1: limit: lower taken for 0', (0.0, 1.0)),
    ('<limit lower="-inf" upper="1" effort="inf" velocity="1"/>', 'revolute', None, (-inf, 1.0)),
    ('<limit lower="-1" upper="1" effort="0" velocity="0"/>', 'revolute',
     'guessed: joint j1: limit: effort and velocity are 0, taken for not said', (-1.0, 1.0)),
    ('<limit lower="-1" upper="1"/>', 'continuous', 'changed: joint j1: limit: a continuous joint '
     'is not kept between -1 and 1', (-inf, inf)),
    (PIN + '<safety_controller k_velocity="1"/>', 'revolute', 'left out: joint j1: '
     '<safety_controller>: it limits a controller, not the machine', (-1.0, 2.0)),
    (PIN + '<odd/>', 'revolute', 'left out: joint j1: <odd> is not known', (-1.0, 2.0)),
    (PIN + '<mimic joint="j3"/>', 'revolute',
     'left out: joint j1: mimic: there is no joint j3', (-1.0, 2.0)),
    (PIN + '<mimic joint="j1"/>', 'revolute',
     'left out: joint j1: mimic: it follows itself, by way of j1', (-1.0, 2.0)),
    ('<mimic joint="j2"/>', 'planar',
     'left out: joint j1: mimic: j1 is planar, which has no single coordinate', (-inf, inf)),
    (PIN.replace('effort', 'jerk="1" effort'), 'revolute',
     'left out: joint j1: limit: its attribute jerk is not known', (-1.0, 2.0)),
    ('<axis xyz="0 0 0"/>', 'fixed', None, (-inf, inf))])
def test_what_is_changed_guessed_or_left_out_is_said(tmp_path, rest, type_, said, bounds):
    found, notes = one(tmp_path, rest, type_)
    assert notes == ([] if said is None else [said])
    assert (found.lower, found.upper) == bounds
    assert found.axis is None or np.linalg.norm(found.axis) == pytest.approx(1.0)


@pytest.mark.parametrize(('rest', 'type_', 'said'), [
    (PIN, 'hinge', "joint j1: type 'hinge' must be one of revolute, continuous"),
    ('<axis xyz="0 0 0"/>' + LIMIT, 'revolute', 'joint j1: axis: [0.0, 0.0, 0.0] is no direc'),
    ('<axis xyz="1 0"/>', 'continuous', "joint j1: axis: '1 0' must be 3 finite numbers"),
    ('<origin xyz="1 nan 0"/>', 'fixed', "joint j1: origin: xyz: '1 nan 0' must be 3 finite"),
    ('<origin quat_xyzw="0 0 0 0"/>', 'fixed', 'origin: quat_xyzw: [0.0, 0.0, 0.0, 0.0] is no'),
    ('<limit lower="low" upper="1"/>', 'revolute', "joint j1: limit: lower: 'low' must be 1"),
    ('<limit lower="nan" upper="1"/>', 'revolute', "joint j1: limit: lower: 'nan' must be 1"),
    (PIN + '<dynamics damping="-1"/>', 'revolute', 'joint j1: dynamics: damping: -1 must be >= 0'),
    (PIN + '<mimic/>', 'revolute', 'mimic: its attribute joint is missing'),
    (PIN + '<origin xyz="1e200 0 0"/>', 'revolute', 'must be 3 finite numbers within 1e+30')])
def test_wrong_joints_end_in_words(tmp_path, rest, type_, said):
    with pytest.raises(MechanismError) as error:
        one(tmp_path, rest, type_)
    assert str(error.value).startswith('robot.urdf: ')
    assert said in str(error.value)


def test_mimics_are_relations_whose_own_limits_do_not_hold():
    machine, notes = read(OURS / 'palletiser.urdf')
    level = machine.relations['level_elbow_mimic']
    assert (dict(level.terms), level.total) == ({'level_elbow': 1.0, 'elbow': 1.0}, 0.05)
    followers = [machine.joints[name] for name in ('level_shoulder', 'level_elbow')]
    assert {(one.lower, one.upper) for one in followers} == {(-inf, inf)}
    assert [note for note in notes if 'does not hold' in note] == [
        f'changed: joint level_shoulder: limit: 0 to {2 * pi:g} does not hold: it follows '
        'shoulder, from -1.2 to 0.6']


def test_one_of_joints_that_follow_each_other_leads(tmp_path):
    machine, notes = read_text(tmp_path, robot(
        joint('j1', 'a', 'b', PIN + '<mimic joint="j2" multiplier="0.5"/>'),
        joint('j2', 'b', 'c', PIN + '<mimic joint="j1" multiplier="2"/>')))
    assert {name: dict(one.terms) for name, one in machine.relations.items()} == {
        'j2_mimic': {'j2': 1.0, 'j1': -2.0}}
    assert 'left out: joint j1: mimic: it follows itself, by way of j2, j1' in notes


def test_a_joint_that_follows_a_fixed_one_stays_at_its_offset(tmp_path):
    machine, _ = read_text(tmp_path, robot(
        joint('j1', 'a', 'b', PIN + '<mimic joint="j2" offset="0.3"/>'), REST))
    assert machine.relations['j1_mimic'].terms == {'j1': 1.0}
    assert machine.relations['j1_mimic'].total == 0.3


LINK = '<robot name="r"><link name="a">{}</link></robot>'


def test_shapes_are_those_of_visual_and_of_collision_without_any():
    machine, _ = read(OURS / 'lumped_tools.urdf')
    kinds = {name: [shape.kind for shape in link.shapes] for name, link in machine.links.items()}
    assert kinds == {'arm': ['cylinder'], 'flange': [], 'camera': ['box'], 'gripper': ['mesh']}
    assert machine.links['arm'].shapes[0].size == (0.03, 0.4)
    assert machine.links['camera'].shapes[0].size == (0.08, 0.04, 0.03)
    assert machine.links['gripper'].shapes[0].mesh == 'package://tools/gripper.stl'
    np.testing.assert_allclose(machine.links['arm'].shapes[0].pose.turn[:, 2], [1.0, 0.0, 0.0],
                               atol=1e-15)


@pytest.mark.parametrize(('text', 'said'), [
    ('<inertial><mass value="-1"/></inertial>', 'link a: inertial: mass: -1 must be >= 0'),
    ('<inertial><mass/></inertial>', 'link a: inertial: mass: missing, expected 1 number'),
    ('<inertial/>', 'link a: inertial: <mass> is missing'),
    ('<inertial><mass value="1"/><inertia iyy="1" izz="1"/></inertial>',
     'link a: inertial: inertia: ixx: missing, expected 1 number'),
    ('<inertial><mass value="1"/><inertia ixx="-1" iyy="1" izz="1"/></inertial>',
     'link a: inertial: inertia: ixx: -1 must be >= 0'),
    ('<visual/>', 'link a: visual: <geometry> is missing'),
    ('<visual><geometry><sphere/></geometry></visual>',
     'link a: visual: sphere: radius: missing, expected 1 number'),
    ('<visual><geometry><box size="1 -1 1"/></geometry></visual>',
     'link a: visual: box: -1 must be >= 0')])
def test_wrong_links_end_in_words(tmp_path, text, said):
    with pytest.raises(MechanismError) as error:
        read_text(tmp_path, LINK.format(text))
    assert str(error.value) == f'robot.urdf: {said}'


@pytest.mark.parametrize(('text', 'said'), [
    ('<inertial><mass value="1"/></inertial>',
     'guessed: link a: inertial: it has no <inertia>, taken for a point mass'),
    ('<inertial><mass value="1"/><inertia ixx="-5e-20" iyy="1" izz="1"/></inertial>',
     'guessed: link a: inertial: inertia: ixy, ixz, iyz taken for 0'),
    ('<visual><geometry><cone/></geometry></visual>', 'left out: link a: visual: geometry holds '
     '<cone>, expected one of box, sphere, cylinder, capsule, mesh'),
    ('<visual><geometry><box size="0 0 0"/></geometry></visual>',
     'changed: link a: visual: box: it has no size, so it is not seen'),
    ('<self_collision_checking/>', 'left out: link a: <self_collision_checking> is not known')])
def test_what_links_lack_or_have_besides_is_said(tmp_path, text, said):
    _, notes = read_text(tmp_path, LINK.format(text))
    assert said in notes


@pytest.mark.parametrize(('text', 'said'), [
    ('<robot name="r"/>', 'robot: it has no <link>'),
    ('<robot><xacro:macro name="m"/></robot>', 'robot: it has elements of xacro: files with such '
     'end in .xacro'),
    ('<model/>', '<model>: is no description of a robot, expected <robot>'),
    ('<robot><link/></robot>', 'link: its attribute name is missing'),
    (robot('<link name="a"/>'), 'link a: there are two links of this name'),
    (robot(REST, REST), 'joint j2: there are two joints of this name'),
    (robot(joint('j', 'a', 'd')), 'joint j: there is no link d'),
    (robot(joint('j', 'a', 'a')), 'joint j: ties a to itself'),
    (robot('<joint name="j" type="fixed"><child link="a"/></joint>'), 'joint j: <parent> is missi'),
    (robot('<frame name="f" link="d"/>'), 'frame f: there is no link d'),
    ('<robot><link name="a"></robot>', 'is no XML'),
    ('<!DOCTYPE r [<!ENTITY x SYSTEM "/etc/passwd">]><robot>&x;</robot>', 'DOCTYPE or entities')])
def test_texts_that_are_no_robots_end_in_words(tmp_path, text, said):
    with pytest.raises(MechanismError, match=r'robot\.urdf: ') as error:
        read_text(tmp_path, text)
    assert said in str(error.value)


def test_a_link_called_world_does_not_move(tmp_path):
    machine, notes = read_text(tmp_path, robot('<link name="world"/>', joint(
        'base', 'a', 'world', '<origin xyz="1 0 0" rpy="0 0 0.5"/><axis xyz="0 0 1"/>',
        'continuous'), REST))
    assert 'world' not in machine.links
    assert machine.joints['base'].links == ('world', 'a')
    assert machine.joints['base'].axis.tolist() == [0.0, 0.0, -1.0]
    assert any(note.startswith('changed: joint base: its child is the world') for note in notes)
    assert machine.joints['b_base'].kind == 'free'


def test_strict_refuses_what_is_left_out(tmp_path):
    with pytest.raises(MechanismError, match=r'joint j1: <odd> is not known; left out, which '
                                             r'import\.strict forbids'):
        one(tmp_path, PIN + '<odd/>', strict=True)
