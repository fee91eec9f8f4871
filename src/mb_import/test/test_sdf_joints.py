"""Joints of SDF: kinds, limits, dynamics, screws, crosses, gears and mimics."""

from math import inf, pi, radians

import numpy as np
import pytest
from read_machines import lines, poses
from sdf_texts import joint, link, machine_of, model

from mb_model import MechanismError

AXIS = '<axis><xyz>0 1 0</xyz>{}</axis>'


def test_limits_and_dynamics_of_an_axis(tmp_path):
    machine, notes = machine_of(tmp_path, model(joint('prismatic', AXIS.format(
        '<limit><lower>-0.1</lower><upper>0.2</upper><effort>50</effort><velocity>3</velocity>'
        '</limit><dynamics><damping>4</damping><friction>5</friction><spring_reference>0.05'
        '</spring_reference><spring_stiffness>600</spring_stiffness></dynamics>'))))
    slide = machine.joints['j']
    assert (slide.kind, slide.links, slide.axis.tolist()) == (
        'prismatic', ('base', 'arm'), [0.0, 1.0, 0.0])
    assert (slide.lower, slide.upper, slide.effort, slide.velocity, slide.actuated) == (
        -0.1, 0.2, 50.0, 3.0, True)
    assert (slide.damping, slide.friction, slide.rest, slide.stiffness) == (4, 5, 0.05, 600)
    assert [line for line in lines(notes) if 'joint' in line] == []


@pytest.mark.parametrize('limit', ['', '<limit/>', '<limit><lower>-1e16</lower><upper>1e16</upper>'
                                   '<effort>-1</effort><velocity>-1</velocity></limit>',
                                   '<limit><lower>-inf</lower><upper>inf</upper></limit>'])
def test_limits_that_are_none(tmp_path, limit):
    hinge = machine_of(tmp_path, model(joint('revolute', AXIS.format(limit))))[0].joints['j']
    assert (hinge.lower, hinge.upper, hinge.effort, hinge.velocity, hinge.actuated) == (
        -inf, inf, None, None, None)


@pytest.mark.parametrize('limits', [(0, 0), (1, -1)])
def test_limits_with_nothing_between_are_none(tmp_path, limits):
    """A file of GTDynamics has 0 and 0, and a joint that turns."""
    machine, notes = machine_of(tmp_path, model(joint('revolute', AXIS.format(
        '<limit><lower>{}</lower><upper>{}</upper></limit>'.format(*limits)))))
    assert (machine.joints['j'].lower, machine.joints['j'].upper) == (-inf, inf)
    assert any('changed: joint j: axis: its limits' in line for line in lines(notes))


def test_a_continuous_joint_has_no_limits(tmp_path):
    hinge = machine_of(tmp_path, model(joint('continuous', AXIS.format(
        '<limit><lower>-1</lower><upper>1</upper></limit>'))))[0].joints['j']
    assert (hinge.kind, hinge.lower, hinge.upper) == ('revolute', -inf, inf)


@pytest.mark.parametrize(('type_', 'kind'), [('fixed', 'weld'), ('ball', 'spherical')])
def test_joints_without_axis(tmp_path, type_, kind):
    assert machine_of(tmp_path, model(joint(type_)))[0].joints['j'].kind == kind


@pytest.mark.parametrize(('text', 'travel'), [
    ('<screw_thread_pitch>0.004</screw_thread_pitch>', 0.004),
    ('<thread_pitch>1570.7963267948966</thread_pitch>', -0.004),
    ('<thread_pitch>-1570.7963267948966</thread_pitch>', 0.004)])
def test_a_right_handed_screw_travels_along_its_axis(tmp_path, text, travel):
    """The old parameter is in rad/m, > 0 of a left-handed thread."""
    machine, _ = machine_of(tmp_path, model(joint('screw', text + AXIS.format(''))))
    assert poses(machine, j=2.0 * pi)['arm'].at == pytest.approx([0.0, travel, 1.0])


def test_a_universal_joint_has_two_axes(tmp_path):
    machine, _ = machine_of(tmp_path, model(joint('universal', '<axis><xyz>1 0 0</xyz></axis>'
                                                  '<axis2><xyz>0 1 0</xyz></axis2>')))
    cross = machine.joints['j']
    assert (cross.kind, cross.axis.tolist(), cross.second_axis.tolist()) == (
        'universal', [1, 0, 0], [0, 1, 0])


@pytest.mark.parametrize(('type_', 'second', 'more'), [
    ('universal', '0 1 0', '<dynamics><damping>2</damping></dynamics>'),
    ('revolute2', '1 1 0', ''),
    ('universal', '0 1 0', '<limit><effort>0</effort></limit>')])
def test_axes_of_which_more_is_said_are_hinges_in_series(tmp_path, type_, second, more):
    machine, notes = machine_of(tmp_path, model(joint(type_, f"""<axis><xyz>1 0 0</xyz></axis>
        <axis2><xyz>{second}</xyz>{more}</axis2>""")))
    first, last = machine.joints['j_axis'], machine.joints['j_axis2']
    assert (first.links, last.links) == (('base', 'j_cross'), ('j_cross', 'arm'))
    assert machine.links['j_cross'].inertial is None
    assert any('two hinges' in line for line in lines(notes))
    assert poses(machine)['arm'].at == pytest.approx([0, 0, 1])
    turned = poses(machine, j_axis=0.3, j_axis2=0.4)['arm'].turn
    axis = np.array([float(number) for number in second.split()])
    assert turned @ axis == pytest.approx(poses(machine, j_axis=0.3)['arm'].turn @ axis)


def test_a_mimic_of_a_second_axis(tmp_path):
    machine, _ = machine_of(tmp_path, model(
        link('tip'), joint('revolute2', '<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz>'
                           '</axis2>'),
        joint('revolute', """<axis><xyz>1 0 0</xyz><mimic joint="j" axis="axis2">
        <multiplier>2</multiplier><offset>0.5</offset><reference>0.1</reference></mimic></axis>""",
              'k', ('arm', 'tip'))))
    relation, = machine.relations.values()
    leader = 0.7                                      # follower = 2 (leader - 0.1) + 0.5
    assert relation.terms['k'] * 1.7 + relation.terms['j_axis2'] * leader == pytest.approx(
        relation.total)


def test_a_gearbox_couples_the_joints_of_its_wheels(tmp_path):
    """Its second wheel turns back: theta_2 = -3 theta_1; here its own axes are turned over."""
    machine, notes = machine_of(tmp_path, model(
        link('wheel'), joint('revolute', '<axis><xyz>0 0 1</xyz></axis>', 'one'),
        joint('revolute', '<axis><xyz>0 0 -1</xyz></axis>', 'two', ('wheel', 'base')),
        joint('gearbox', """<gearbox_ratio>3</gearbox_ratio>
        <gearbox_reference_body>base</gearbox_reference_body><axis><xyz>0 0 1</xyz></axis>
        <axis2><xyz>0 0 1</xyz></axis2>""", 'gear', ('arm', 'wheel'))))
    relation = machine.relations['gear']
    # Joint `two` has the base as its child, and its axis is along -z: signs cancel.
    one = 0.2
    assert relation.terms['one'] * one + relation.terms['two'] * -0.6 == pytest.approx(0.0)
    assert 'gear' not in {**machine.joints, **machine.closures}
    assert not any('gear' in line for line in lines(notes))


def test_a_gearbox_without_joints_is_left_out(tmp_path):
    machine, notes = machine_of(tmp_path, model(joint('ball'), link('wheel'), joint(
        'gearbox', '<gearbox_reference_body>base</gearbox_reference_body>', 'gear',
        ('arm', 'wheel'))))
    assert machine.relations == {}
    assert 'left out: joint gear: no revolute joint about its axis ties m::arm' in str(
        lines(notes))


def test_rotors_of_drake_are_seen_through_their_gear(tmp_path):
    machine, _ = machine_of(tmp_path, model(joint('revolute', AXIS.format('') +
                            '<drake:rotor_inertia>2e-5</drake:rotor_inertia>'
                            '<drake:gear_ratio>100</drake:gear_ratio>')))
    assert machine.joints['j'].armature == pytest.approx(0.2)


def test_closures_of_drake_are_between_points(tmp_path):
    machine, _ = machine_of(tmp_path, model(joint('ball'), """<drake:distance_constraint>
        <drake:distance_constraint_body_A>base</drake:distance_constraint_body_A>
        <drake:distance_constraint_body_B>arm</drake:distance_constraint_body_B>
        <drake:distance_constraint_p_AP>1 0 0</drake:distance_constraint_p_AP>
        <drake:distance_constraint_p_BQ>0 2 0</drake:distance_constraint_p_BQ>
        <drake:distance_constraint_distance>3.5</drake:distance_constraint_distance>
        </drake:distance_constraint>"""))
    rod, = machine.closures.values()
    assert (rod.kind, rod.length) == ('distance', 3.5)
    assert [frame.at.tolist() for frame in rod.frames] == [[1, 0, 0], [0, 2, 0]]


def test_a_stiff_bushing_of_drake_closes(tmp_path):
    machine, notes = machine_of(tmp_path, model(joint('ball'), """
        <frame name="tip" attached_to="arm"><pose>0 0 0.5 0 0 0</pose></frame>
        <drake:linear_bushing_rpy><drake:bushing_frameA>base</drake:bushing_frameA>
        <drake:bushing_frameC>tip</drake:bushing_frameC>
        <drake:bushing_force_stiffness>9 9 9</drake:bushing_force_stiffness>
        <drake:bushing_torque_stiffness>8 8 0</drake:bushing_torque_stiffness>
        </drake:linear_bushing_rpy>"""))
    pin, = machine.closures.values()
    assert (pin.kind, pin.links, pin.axis.tolist()) == ('revolute', ('base', 'arm'), [0, 0, 1])
    assert pin.frames[1].at.tolist() == [0, 0, 0.5]
    assert any('its stiffness is taken for rigid: revolute' in line for line in lines(notes))


def test_a_joint_onto_the_world_is_seen_from_the_world(tmp_path):
    machine, _ = machine_of(tmp_path, model(
        joint('revolute', AXIS.format(''), 'foot', ('base', 'world')), joint('fixed')))
    assert machine.joints['foot'].links == ('world', 'base')
    up = machine.joints['foot']
    # The base turns by -q about the axis in the world, as the world turns by q in the base.
    turned = poses(machine, foot=radians(90))['base'].turn
    assert turned @ [1, 0, 0] == pytest.approx([0, 0, 1])
    assert up.axis.tolist() == [0, -1, 0]


@pytest.mark.parametrize(('text', 'words'), [
    (joint('hinge'), "type 'hinge' must be one of revolute, continuous, "),
    (joint('revolute', ends=('', 'arm')), 'has no <parent>'),
    (joint('revolute', ends=('bas', 'arm')), "no link or frame 'bas', expected one such as base"),
    (joint('revolute', AXIS.replace('0 1 0', '0 0 0')), '0 0 0 is no direction'),
    (joint('revolute', AXIS.format('<limit><lower>low</lower></limit>')),
     "'low' must be a number"),
    (joint('revolute', AXIS.format('<dynamics><damping>-1</damping></dynamics>')),
     'damping: -1 must be >= 0'),
    (joint('revolute', AXIS.format('<mimic joint="k"/>')), "there is no joint 'k'"),
    (joint('revolute', AXIS.format('<mimic joint="j"/>')), 'follows itself'),
    (joint('screw', '<thread_pitch>0</thread_pitch>' + AXIS), '0 rad/m is no thread'),
    (joint('universal', AXIS + AXIS.replace('axis', 'axis2')), 'its axes are parallel'),
    (joint('ball') + joint('ball'), 'two links or frames of this name')])
def test_joints_that_mean_nothing_are_errors(tmp_path, text, words):
    with pytest.raises(MechanismError, match=words):
        machine_of(tmp_path, model(text.replace('{}', '')))
