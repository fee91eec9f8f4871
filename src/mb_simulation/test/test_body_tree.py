"""Spanning trees of mechanisms."""

import pytest

from mb_simulation.prototypes.body_tree import AngleClosure, Closure, Joint, span


def test_four_bar_has_one_loop():
    tree = span({'crank': ('A', 'P'), 'coupler': ('P', 'Q'), 'rocker': ('Q', 'B')}, ('A', 'B'))
    assert tree.joints == (Joint('crank', None, 'A'), Joint('rocker', None, 'B'),
                           Joint('coupler', 'crank', 'P'))
    assert tree.closures == (Closure('coupler', 'rocker', 'Q'),)


def test_open_chain_has_no_closure():
    tree = span({'lower': ('P', 'Q'), 'upper': ('O', 'P')}, ('O',))
    assert [joint.body for joint in tree.joints] == ['upper', 'lower']
    assert tree.closures == ()


def test_three_bodies_on_one_point_are_held_together():
    tree = span({'a': ('A', 'P'), 'b': ('B', 'P'), 'c': ('C', 'P')}, ('A', 'B', 'C'))
    assert len(tree.joints) == 3
    assert {(c.body, c.other) for c in tree.closures} == {('b', 'a'), ('c', 'a')}


def test_body_on_two_fixed_points_is_closed_with_the_ground():
    tree = span({'frame': ('A', 'B', 'C')}, ('A', 'B'))
    assert tree.closures == (Closure('frame', None, 'B'),)


def test_body_that_hangs_on_nothing_is_named():
    with pytest.raises(ValueError, match='flying: not joined to any fixed point'):
        span({'crank': ('A', 'P'), 'flying': ('R', 'S')}, ('A',))


def test_pin_in_a_slot_is_a_joint_whichever_side_has_the_pin():
    crank, rocker = span({'crank': ('A', 'P'), 'rocker': ('B', 'Q')}, ('A', 'B'),
                         [('B', 'Q', 'P')]).joints
    assert crank == Joint('crank', None, 'A')
    assert rocker == Joint('rocker', 'crank', 'P', along=('B', 'Q'), own_line=True)
    joint, = span({'bead': ('P', 'Q')}, ('A', 'B'), [('A', 'B', 'P')]).joints
    assert joint == Joint('bead', None, 'P', along=('A', 'B'))


def test_two_pins_in_a_slot_and_a_weld_keep_the_angle():
    tree = span({'block': ('P', 'Q'), 'flag': ('Q', 'R')}, ('A', 'B'),
                [('A', 'B', 'P'), ('A', 'B', 'Q')], [('flag', 'block')])
    assert [(joint.body, joint.turns) for joint in tree.joints] == [
        ('block', False), ('flag', False)]
    assert tree.angle_closures == ()


def test_weld_of_bodies_on_other_joints_is_a_closure():
    tree = span({'a': ('A', 'P'), 'b': ('B', 'Q')}, ('A', 'B'), welded=[('a', 'b')])
    assert tree.angle_closures == (AngleClosure('a', 'b'),)


def test_slider_that_closes_a_loop_is_left():
    tree = span({'rod': ('P', 'Q')}, ('A', 'B', 'C'), [('A', 'B', 'P'), ('A', 'C', 'Q')])
    assert [joint.along for joint in tree.joints] == [('A', 'B')]
    assert tree.slider_closures == (('A', 'C', 'Q'),)
