"""Mechanisms in the plane as bodies and joints in space, and the tree that these make."""

import numpy as np
import pytest

from mb_model import Mechanism, MechanismError, load_mechanism
from mb_model.space.motion import about_z
from mb_model.space_api import GROUND, body_tree, single, spatial_description, values_of

PLACES = {'A': (0.0, 0.0), 'B': (4.0, 0.0), 'C': (3.0, 3.0), 'P': (1.0, 0.0), 'Q': (2.0, 0.0),
          'R': (2.0, 1.0), 'S': (3.0, 1.0)}


def machine(bodies, fixed, sliders=(), welded=()):
    """Return a Mechanism of rods between two points, by their names, at PLACES."""
    names = {point: None for points in (*bodies.values(), fixed) for point in points}
    return Mechanism({
        'name': 'machine',
        'points': {name: {'fixed' if name in fixed else 'start': list(PLACES[name])}
                   for name in names},
        'bodies': {name: {'points': list(points), 'mass': 1.0, 'length': float(np.linalg.norm(
            np.subtract(*(PLACES[point] for point in points))))}
            for name, points in bodies.items()},
        'constraints': {
            **{f'slot{k}': {'kind': 'slider', 'along': list(points[:2]), 'point': points[2]}
               for k, points in enumerate(sliders)},
            **{f'weld{k}': {'kind': 'welded_angle', 'bodies': list(pair), 'angle': angle}
               for k, (*pair, angle) in enumerate(welded)}}}, 'machine.yaml')


def hung(tree):
    """Return (body, parent, kind of joint) from the ground on."""
    return [(hinge.group, hinge.parent, hinge.joint.kind) for hinge in tree.hinges]


@pytest.mark.parametrize(('described', 'hinges', 'closures'), [
    (({'crank': 'AP', 'coupler': 'PR', 'rocker': 'RB'}, 'AB'),
     [('crank', GROUND, 'revolute'), ('rocker', GROUND, 'revolute'),
      ('coupler', 'crank', 'revolute')], [('coupler', 'rocker')]),
    (({'lower': 'PQ', 'upper': 'AP'}, 'A'),
     [('upper', GROUND, 'revolute'), ('lower', 'upper', 'revolute')], []),
    (({'a': 'AR', 'b': 'PR', 'c': 'QR'}, 'AB', ['ABP', 'ABQ']),
     [('b', GROUND, 'pin_in_slot'), ('c', GROUND, 'pin_in_slot'), ('a', GROUND, 'revolute')],
     [('c', 'b'), ('a', 'b')]),
    (({'crank': 'AP', 'rocker': 'BQ'}, 'AB', ['BQP']),
     [('crank', GROUND, 'revolute'), ('rocker', 'crank', 'pin_in_slot')], [('rocker', GROUND)]),
    (({'bead': 'PR'}, 'AB', ['ABP']), [('bead', GROUND, 'pin_in_slot')], []),
    (({'block': 'PQ', 'flag': 'QR'}, 'AB', ['ABP', 'ABQ'], [('flag', 'block', -np.pi / 2)]),
     [('block', GROUND, 'prismatic'), ('flag', 'block', 'weld')], []),
    (({'a': 'AP', 'b': 'BQ'}, 'AB', (), [('a', 'b', np.pi)]),
     [('a', GROUND, 'revolute'), ('b', GROUND, 'revolute')], [('b', 'a')]),
    (({'rod': 'PR'}, 'ABC', ['ABP', 'ACR']), [('rod', GROUND, 'pin_in_slot')], [('rod', GROUND)]),
], ids=['four_bar', 'open_chain', 'three_bodies_on_a_point', 'slot_of_a_rocker',
        'slot_of_the_ground', 'two_pins_and_a_weld', 'weld_of_bodies_on_other_joints',
        'slider_that_closes_a_loop'])
def test_tree_and_what_closes_its_loops(described, hinges, closures):
    """A body that is carried is the second of its joint, one that closes a loop the first."""
    tree = body_tree(machine(*described))
    assert hung(tree) == hinges
    assert [joint.bodies for joint in tree.closures] == closures


def test_bodies_that_hang_on_nothing_are_named():
    with pytest.raises(MechanismError, match=r'machine\.yaml: bodies flying, on_it: not joined'):
        body_tree(machine({'crank': 'AP', 'flying': 'RS', 'on_it': 'SQ'}, 'A'))


def test_a_body_with_the_name_of_the_ground_is_refused():
    with pytest.raises(MechanismError, match=r'machine.yaml: bodies\.ground: is the name of what'):
        spatial_description(machine({'ground': 'AP'}, 'A'))


def values(mechanism, q):
    """Return body -> values of the joint that carries it; its pose follows from these."""
    found = {}
    for hinge in body_tree(mechanism).hinges:
        frame, other = hinge.sides
        parent, child = (mechanism.body_motion(body, q) for body in (hinge.parent, hinge.group))
        axes = parent.rotation @ frame.axes
        turned = axes.T @ child.rotation @ other.axes
        between = axes.T @ (child.position_of(other.origin) - parent.position_of(frame.origin))
        found[hinge.group] = values_of(single(hinge.chain), turned, between)
        place, turn = np.zeros(3), np.eye(3)
        for motion, value in zip(hinge.chain, found[hinge.group], strict=True):
            turn = turn @ motion.before
            place += motion.slides * value * turn[:, 2]
            turn = turn @ (np.eye(3) if motion.slides else about_z(value)) @ motion.after
        assert place == pytest.approx(between, abs=1e-9)
        assert turn == pytest.approx(turned, abs=1e-9)
    return found


@pytest.mark.parametrize(('name', 'measured'), [
    ('slider_crank', {'theta': ('crank', 0)}), ('crane', {}), ('five_bar', {}), ('three_rrr', {}),
    ('inverted_slider_crank', {'theta': ('crank', 0), 's': ('rocker', 1)})])
def test_joints_measure_what_coordinates_do(name, measured):
    mechanism = load_mechanism(name)
    q = mechanism.assemble(mechanism.z0 + 0.1)
    of_joints = values(mechanism, q)
    for coordinate, (body, number) in measured.items():
        assert of_joints[body][number] == pytest.approx(
            q[mechanism.coordinates.index(coordinate)], abs=1e-9)


@pytest.mark.parametrize('name', ['four_bar', 'inverted_slider_crank'])
def test_motion_of_a_body_is_that_of_its_points(name, rng):
    mechanism = load_mechanism(name)
    z, zd = mechanism.z0, rng.normal(size=mechanism.g)
    q = mechanism.assemble(z)
    qd = mechanism.velocity(q, zd)
    qdd = mechanism.acceleration(q, qd, rng.normal(size=mechanism.g))
    for body, described in mechanism.bodies.items():
        motion = mechanism.body_motion(body, q, qd, qdd)
        for point, local in described.points.items():
            k, at = mechanism.point_index(point), (*local, 0.0)
            for values, vector in ((q, motion.position_of(at)), (qd, motion.velocity_of(at)),
                                   (qdd, motion.acceleration_of(at))):
                if not mechanism.points[point].fixed:
                    assert vector[:2] == pytest.approx(values[k:k + 2], abs=1e-9)
                assert vector[2] == 0.0
