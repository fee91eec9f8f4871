"""SDF files of users: places of frames, masses and inertias by their READMEs, and by hand."""

from math import cos, radians, sin

import numpy as np
import pytest
from read_machines import gaps, lines, poses, read_case

from mb_model import MechanismError

FOUR_BAR = '01-drake-four-bar/four_bar.sdf'
LOOP = '01-drake-four-bar/four_bar_loop.sdf'
MIMIC = '04-harmonic-mimic-four-bar/harmonic_mimic_mechanisms.sdf'


def test_an_effort_of_0_is_no_drive_and_none_says_nothing():
    machine, notes = read_case(FOUR_BAR)
    assert [(joint.effort, joint.actuated) for joint in machine.joints.values()] == [
        (None, None), (0.0, False), (0.0, False)]
    assert machine.gravity is None
    assert lines(notes) == []


def test_ends_of_the_bushing_are_in_the_axis_at_rest_and_0_1_m_apart():
    """Angles of the README: 75.5225, 104.4775 and 104.4775 degrees, about y, which points out."""
    machine, _ = read_case(FOUR_BAR)
    at = poses(machine, joint_WA=radians(75.5225), joint_AB=radians(104.4775),
               joint_WC=radians(104.4775))
    (first, one), (second, other) = (machine.frames[name] for name in ('Bc_bushing', 'Cb_bushing'))
    apart = at[second].then(other).at - at[first].then(one).at
    assert apart == pytest.approx([0.0, 0.1, 0.0], abs=1e-5)
    inertia = machine.links['A'].inertial.inertia
    assert np.diag(inertia) == pytest.approx(20.0 / 12.0 * np.array(
        [0.1 ** 2 + 0.2 ** 2, 4.2 ** 2 + 0.2 ** 2, 4.2 ** 2 + 0.1 ** 2]))


@pytest.mark.parametrize(('crank', 'coupler', 'rocker', 'pin'), [
    (0.0, 10.38656, -21.14154, (2.721346, 1.865385)),
    (0.0, -38.45905, -186.93095, (1.758654, -1.985385)),
    (90.0, 23.43671, 17.33752, (1.404, 1.909132)),
    (90.0, -23.43671, -197.33752, (1.404, -1.909132))])
def test_frames_that_a_joint_ties_meet_where_the_readme_says(crank, coupler, rocker, pin):
    machine, _ = read_case(LOOP)
    crank, coupler, rocker = map(radians, (crank, coupler, rocker))
    angles = {'world_driver': crank, 'driver_coupler': coupler - crank, 'world_rocker': rocker}
    apart = gaps(machine, **angles)['coupler_rocker'].at
    assert np.linalg.norm(apart) < 2e-6
    frame = machine.closures['coupler_rocker'].frames[0]
    assert poses(machine, **angles)['coupler'].then(frame).at[:2] == pytest.approx(pin, abs=2e-6)


def test_frames_that_are_drawn_apart_are_named_with_the_distance():
    _, notes = read_case(LOOP)
    assert lines(notes) == [
        f'changed: joint {joint}: {names} are {gap} m apart as drawn, and no pose says where the '
        'child is: they are taken to meet' for joint, names, gap in (
            ('world_driver', 'Wd and driver', 2), ('world_rocker', 'Wr and rocker', 2),
            ('driver_coupler', 'Dc and coupler', 1), ('coupler_rocker', 'Cr and Rc', 5.2))]


def test_a_weld_of_drake_closes_a_loop():
    machine, _ = read_case('01-drake-four-bar/four_bar_weld.sdf')
    closure, = machine.closures.values()
    assert (closure.kind, closure.links) == ('weld', ('coupler', 'shadow'))
    assert [frame.at.tolist() for frame in closure.frames] == 2 * [[2.4, 0.0, 0.0]]


def test_a_square_of_sdf_1_6_floats_and_closes():
    machine, notes = read_case('02-gtdynamics-four-bar/four_bar_linkage_pure.sdf')
    assert list(machine.joints) == ['l1_base', 'j1', 'j2', 'j3']
    assert machine.joints['l1_base'].kind == 'free'
    apart = gaps(machine)['j4'].at
    assert np.linalg.norm(apart) < 4e-5                      # 1.5708 and 3.14159 are rounded
    at = poses(machine)
    for name, corner in (('l1', (0, 0, 0)), ('l2', (0, 0, 2)), ('l3', (0, -2, 2)),
                         ('l4', (0, -2, 0))):
        assert at[name].at == pytest.approx(corner, abs=1e-12)
    for joint in (*machine.joints.values(), *machine.closures.values()):
        if joint.kind == 'revolute':
            assert at[joint.links[1]].then(joint.frames[1]).turn @ joint.axis == pytest.approx(
                [1.0, 0.0, 0.0])
            assert (joint.lower, joint.upper, joint.damping, joint.velocity) == (
                -1.57, 1.57, 500.0, 0.5)
    assert any('taken for floating' in line for line in lines(notes))


def test_the_loop_of_the_other_square_hangs_on_a_pin():
    machine, _ = read_case('02-gtdynamics-four-bar/four_bar_linkage.sdf')
    assert [link.inertial.mass for link in machine.links.values()] == [1, 100, 15, 15, 100]
    assert machine.joints['j0'].links == ('l0', 'l1')
    assert list(machine.closures) == ['j4']


def test_the_foot_of_the_jumping_robot_closes_its_loop():
    machine, _ = read_case('02-gtdynamics-four-bar/jumping_robot.sdf')
    assert list(machine.closures) == ['j5']
    assert np.linalg.norm(gaps(machine)['j5'].at) < 1e-9


def test_several_models_are_listed():
    with pytest.raises(MechanismError, match='expected one of four_bar_linkage_mimic, '
                       'four_bar_linkage_without_mimic, pendulum_rack_pinion'):
        read_case(MIMIC)
    with pytest.raises(MechanismError, match="there is no model 'crane', expected one of ground_"):
        read_case(MIMIC, model='crane')


def test_masses_of_a_parallelogram_follow_from_its_shapes():
    machine, notes = read_case(MIMIC, model='four_bar_linkage_mimic', base='fixed')
    arm, plate = (machine.links[name].inertial for name in ('upper_left_link', 'lower_link'))
    assert arm.mass == pytest.approx(2 * 0.785398 + 19.634954, abs=2e-6)
    about_pin = arm.inertia[0, 0] + arm.mass * (arm.centre @ arm.centre)
    assert about_pin == pytest.approx(1.846831, abs=5e-7)
    assert plate.mass == pytest.approx(25.0)
    # The plate translates: its mass acts at the length of the arms.
    assert 2.0 * about_pin + plate.mass * 0.5 ** 2 == pytest.approx(9.943662, abs=1e-6)
    assert machine.gravity.tolist() == [0.0, 0.0, -9.8]
    assert any('the default of SDF' in line for line in lines(notes))


def test_the_plate_of_the_parallelogram_stays_level():
    machine, _ = read_case(MIMIC, model='four_bar_linkage_mimic', base='fixed')
    terms = [dict(relation.terms) for relation in machine.relations.values()]
    assert terms == [{'upper_right_joint': 1.0, 'upper_left_joint': -1.0},
                     {'lower_left_joint': 1.0, 'upper_left_joint': 1.0}]
    drawn, swung = poses(machine), poses(machine, upper_left_joint=0.4, lower_left_joint=-0.4)
    assert swung['lower_link'].turn == pytest.approx(drawn['lower_link'].turn)
    # The model is turned by half a turn about z, and the arms hang 25 degrees off.
    base = machine.joints['base_base'].frames[0]
    hinge = np.array([-0.025, -0.3 - 0.5 * sin(radians(-155)), 3.86 + 0.5 * cos(radians(-155))])
    frame = machine.joints['lower_left_joint'].frames[0]
    assert drawn['upper_left_link'].then(frame).at == pytest.approx(base.of(hinge))


def test_a_rack_travels_with_its_pinion():
    machine, _ = read_case(MIMIC, model='pendulum_rack_pinion')
    relation, = machine.relations.values()
    assert (dict(relation.terms), relation.total) == (
        {'rack_joint': 1.0, 'upper_joint': -0.105}, 0.0)
    assert machine.links['rack'].inertial.mass == pytest.approx(0.15 * 2.0 * 0.3 * 100.0)
    assert [shape.kind for shape in machine.links['upper_link'].shapes].count('mesh') == 1
