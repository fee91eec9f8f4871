"""Machines of our own in USD: units, axes, masses, closures, against closed forms."""

from math import hypot, pi, sqrt

import numpy as np
import pytest
from read_machines import DESCRIPTIONS, gaps, lines, poses, read_file

pytest.importorskip('pxr.UsdPhysics')
FOUR_BAR = DESCRIPTIONS / 'four_bar.usda'


@pytest.fixture(scope='module')
def four_bar():
    return read_file(FOUR_BAR)


def test_a_stage_in_centimetres_with_y_up_is_turned(four_bar):
    """Hinges are along y of ours: z of the stage points to -y."""
    machine, _ = four_bar
    at = poses(machine, **{name: joint.drawn for name, joint in machine.joints.items()})
    assert at['Crank'].at == pytest.approx([1.0, 0.0, 0.0])
    assert at['Crank'].of([0.2, 0, 0]) == pytest.approx([1.0, 0.0, 0.2], abs=1e-7)
    assert at['Coupler'].at == pytest.approx([1.0, 0.0, 0.2], abs=1e-7)
    assert at['Rocker'].at == pytest.approx([1.6, 0.0, 0.0])
    assert at['Crank'].turn[:, 2] == pytest.approx([0.0, -1.0, 0.0], abs=1e-7)
    assert machine.gravity == pytest.approx([0.0, 0.0, -9.81])


def test_the_joint_out_of_the_articulation_closes_the_loop(four_bar):
    machine, _ = four_bar
    assert list(machine.joints) == ['Motor', 'Pivot', 'Elbow']
    assert [joint.links for joint in machine.joints.values()] == [
        ('world', 'Crank'), ('world', 'Rocker'), ('Crank', 'Coupler')]
    assert list(machine.closures) == ['Pin']
    drawn = {name: joint.drawn for name, joint in machine.joints.items()}
    assert np.linalg.norm(gaps(machine, **drawn)['Pin'].at) < 1e-7
    assert drawn['Motor'] == pytest.approx(pi / 2)


def test_masses_are_said_or_follow_from_colliders(four_bar):
    machine, _ = four_bar
    crank, coupler, rocker = (machine.links[name].inertial
                              for name in ('Crank', 'Coupler', 'Rocker'))
    assert (crank.mass, coupler.mass, rocker.mass) == pytest.approx(
        (0.4, 2000.0 * pi * 0.01 ** 2 * 0.5, 1.5))
    # Principal axes are turned by a quarter about z; kg cm^2 are 1e-4 kg m^2.
    assert crank.inertia == pytest.approx(np.diag([0.012, 0.002, 0.013]), abs=1e-9)
    assert crank.centre == pytest.approx([0.1, 0.0, 0.0])
    across = coupler.mass * (0.25 * 0.01 ** 2 + 0.5 ** 2 / 12.0)
    assert np.diag(coupler.inertia) == pytest.approx([0.5 * coupler.mass * 1e-4, across, across])
    assert rocker.centre == pytest.approx([0.25, 0.0, 0.0])


def test_shapes_are_seen_colliders_where_nothing_else_is(four_bar):
    machine, _ = four_bar
    web, = machine.links['Crank'].shapes
    assert (web.kind, web.size) == ('box', pytest.approx((0.2, 0.02, 0.03)))
    rod, = machine.links['Rocker'].shapes
    assert (rod.kind, rod.size) == ('capsule', pytest.approx((0.01, 0.48)))
    assert rod.pose.turn @ [0, 0, 1] == pytest.approx([1, 0, 0])
    name, pose = machine.frames['Tip']
    assert (name, pose.at.tolist()) == ('Crank', pytest.approx([0.2, 0.0, 0.0]))


def test_drives_and_limits_are_in_radians_and_newtons(four_bar):
    machine, notes = four_bar
    motor = machine.joints['Motor']
    assert (motor.lower, motor.upper) == pytest.approx((-pi, 1.5 * pi))
    assert (motor.effort, motor.armature, motor.actuated) == (
        pytest.approx(3.0), pytest.approx(0.005), True)
    drive, = machine.drives.values()
    assert (dict(drive.terms), drive.commands) == ({'Motor': 1.0}, ('velocity',))
    assert lines(notes) == ['left out: drive of Motor: its gains are of its controller, not of the '
                            'machine']


def test_fingers_from_another_file_follow_each_other():
    machine, notes = read_file(DESCRIPTIONS / 'gripper.usda')
    assert [joint.kind for joint in machine.joints.values()] == ['weld', 'prismatic', 'prismatic']
    relation, = machine.relations.values()
    assert (dict(relation.terms), relation.total) == (
        {'RightSlide': 1.0, 'LeftSlide': -1.0}, 0.0)
    slide = machine.joints['LeftSlide']
    assert (slide.lower, slide.upper, slide.effort, slide.drawn) == (
        0.0, 0.04, 60.0, pytest.approx(0.01))
    at = poses(machine, LeftSlide=0.03, RightSlide=0.03)
    assert at['Left'].at == pytest.approx([0, 0.05, 1.02])
    assert at['Right'].at == pytest.approx([0, -0.05, 1.02])
    bar, pad = 2700 * 0.02 * 0.01 * 0.08, 1100 * 4 / 3 * pi * 0.008 ** 3
    finger = machine.links['Right'].inertial
    assert finger.mass == pytest.approx(bar + pad)
    assert finger.centre == pytest.approx([0, 0, (0.04 * bar + 0.08 * pad) / (bar + pad)])
    assert lines(notes) == []


def test_the_drawn_four_bar_has_the_lengths_of_its_text():
    """The pin of the text is where circles of 0.5 m about the tip and the pivot meet."""
    tip, pivot = np.array([0.0, 0.2]), np.array([0.6, 0.0])
    span = pivot - tip
    height = sqrt(0.5 ** 2 - 0.25 * float(span @ span))
    pin = 0.5 * (tip + pivot) + height * np.array([-span[1], span[0]]) / hypot(*span)
    machine, _ = read_file(FOUR_BAR)
    at = poses(machine, **{name: one.drawn for name, one in machine.joints.items()})
    assert at['Rocker'].of([0.5, 0, 0])[[0, 2]] - [1.0, 0.0] == pytest.approx(pin, abs=1e-6)
