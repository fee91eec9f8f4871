"""Joints of a description as a tree: what hangs on what, and what closes loops."""

from machines import bar, hinge
import numpy as np
import pytest

from mb_import.joint_tree import joint_tree
from mb_import.machine import WORLD, LinkJoint
from mb_import.notes import Notes
from mb_model import MechanismError

ORIGIN = (0.0, 0.0, 0.0)


def tree_of(joints, names='abc', **options):
    notes = Notes('machine')
    options = {'base': '', 'default_base': 'floating'} | options
    return joint_tree({name: bar(name, 1.0) for name in names}, joints, notes, **options), notes


def test_a_link_that_its_child_alone_holds_hangs_on_the_child():
    """Joints lead from the world over a to b, and from c to b: c hangs on b, by the same angle."""
    tree, notes = tree_of([hinge('one', WORLD, 'a', ORIGIN), hinge('two', 'a', 'b', (1.0, 0, 0)),
                           hinge('three', 'c', 'b', (2.0, 0, 0), (3.0, 0, 0))])
    turned = tree.joints['three']
    assert turned.links == ('b', 'c')
    assert [frame.at.tolist() for frame in turned.frames] == [[3.0, 0, 0], [2.0, 0, 0]]
    assert turned.axis.tolist() == [0.0, -1.0, 0.0]
    assert (tree.closures, notes.notes) == ({}, [])


def test_a_fixed_base_fixes_all_that_no_joint_leads_to():
    tree, _ = tree_of([hinge('one', WORLD, 'a', ORIGIN), hinge('two', 'a', 'b', ORIGIN),
                       hinge('three', 'c', 'b', ORIGIN)], base='fixed')
    assert tree.joints['c_base'].kind == 'weld'
    assert list(tree.closures) == ['three']


def test_a_ring_hangs_on_its_first_link():
    tree, notes = tree_of([hinge('one', 'a', 'b', ORIGIN), hinge('two', 'b', 'c', ORIGIN),
                           hinge('three', 'c', 'a', ORIGIN)])
    assert list(tree.joints) == ['a_base', 'one', 'two']
    assert list(tree.closures) == ['three']
    assert 'link a: taken for floating' in str(notes.notes[0])


def test_no_link_hangs_on_a_rod():
    rod = LinkJoint('rod', 'distance', ('a', 'b'), hinge('h', 'a', 'b', ORIGIN).frames, length=1.0)
    tree, _ = tree_of([hinge('one', WORLD, 'a', ORIGIN), rod], 'ab')
    assert tree.joints['b_base'].kind == 'free'
    assert list(tree.closures) == ['rod']


def test_a_universal_joint_that_is_turned_over_swaps_its_axes():
    cross = LinkJoint('cross', 'universal', ('b', 'a'), hinge('h', 'b', 'a', ORIGIN).frames,
                      np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))
    tree, _ = tree_of([hinge('one', WORLD, 'a', ORIGIN), cross], 'ab')
    turned = tree.joints['cross']
    assert np.abs(turned.axis).tolist() == [0, 1, 0]        # on a
    assert np.abs(turned.second_axis).tolist() == [1, 0, 0]


@pytest.mark.parametrize(('joints', 'words'), [
    ([hinge('one', WORLD, 'd', ORIGIN)], 'there is no link d'),
    ([hinge('one', 'a', 'a', ORIGIN)], 'ties a to itself'),
    (2 * [hinge('one', WORLD, 'a', ORIGIN)], 'two joints of this name')])
def test_joints_that_mean_nothing(joints, words):
    with pytest.raises(MechanismError, match=words):
        tree_of(joints)
