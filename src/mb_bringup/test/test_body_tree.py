"""Spanning trees of mechanisms."""

import pytest

from mb_bringup.prototypes.body_tree import Closure, Joint, span


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
