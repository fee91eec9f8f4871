"""Loops that a format cannot close are cut at another of their joints."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from math import atan2

import numpy as np

from mb_import.drawing import drawn_poses
from mb_import.joint_tree import reversed_joint, still
from mb_import.machine import WORLD, Link, LinkJoint, Machine
from mb_import.notes import Notes
from mb_model.space_api import Pose

_INSTEAD = 'spherical', 'revolute', 'universal', 'prismatic'      # the best one first
_BY_ONE = 'revolute', 'prismatic'
_HANGING = *_BY_ONE, 'cylindrical', 'universal', 'spherical'      # kinds that a link can hang on


def recut(machine: Machine, closing: Collection[str], notes: Notes) -> Machine:
    """Return a Machine in which joints of kinds `closing` alone close loops, where that can be.

    A closure of another kind becomes a joint of the tree, and a joint of its loop closes that: one
    that nothing is said about but where it is.  A cylindrical joint is two, with a link without
    mass between.  Closures whose loops have no such joint stay.
    """
    for closure in list(machine.closures.values()):
        if closure.kind in closing or closure.kind not in _HANGING:
            continue
        swap = _instead(machine, closure, closing)
        if swap is not None:
            machine = _swapped(machine, closure, *swap)
            notes.changed(f'joints.{closure.name}', f'a joint of the tree: {swap[0].name} closes '
                                                    'its loop')
    return machine


def _instead(machine: Machine, closure: LinkJoint,
             closing: Collection[str]) -> tuple[LinkJoint, list[LinkJoint], bool] | None:
    """Return (joint, those between it and an end of the closure, whether that is its second end).

    None if there is none.
    """
    paths = [_path(machine, link) for link in closure.links]
    common = {joint.name for joint in paths[0]} & {joint.name for joint in paths[1]}
    for kind in _INSTEAD:
        for second, path in ((True, paths[1]), (False, paths[0])):
            own = [joint for joint in path if joint.name not in common]
            for k, joint in enumerate(own):
                if kind in closing and joint.kind == kind and not _is_used(machine, joint):
                    return joint, own[:k], second
    return None


def _path(machine: Machine, link: str) -> list[LinkJoint]:
    """Return the joints from a link to the world."""
    holding = {joint.links[1]: joint for joint in machine.joints.values()}
    path = []
    while link != WORLD:
        path.append(holding[link])
        link = holding[link].links[0]
    return path


def _is_used(machine: Machine, joint: LinkJoint) -> bool:
    """Whether anything is said about the coordinate of a joint, or what is around it is no body."""
    numbers = joint.stiffness, joint.damping, joint.friction, joint.armature
    terms = [one.terms for one in (*machine.relations.values(), *machine.drives.values())]
    light = [link for link in joint.links
             if link != WORLD and machine.links[link].inertial is None]
    return (any(numbers) or bool(light) or np.isfinite([joint.lower, joint.upper]).any()
            or any(joint.name in one for one in terms)
            or any(one.joint == joint.name for one in machine.sensors.values()))


def _swapped(machine: Machine, closure: LinkJoint, instead: LinkJoint, between: list[LinkJoint],
             second: bool) -> Machine:
    """Return a Machine whose tree has the closure for another joint; `between` turn over."""
    held = _drawn(machine, closure)
    held = held if second else reversed_joint(held)
    turned = {joint.name: reversed_joint(joint) for joint in between}
    links, added = dict(machine.links), [held]
    if held.kind == 'cylindrical':
        links[f'{held.name}_link'] = Link(f'{held.name}_link')
        added = _split(held, machine.closures[closure.name], machine)
    joints = [turned.get(joint.name, joint) for joint in machine.joints.values()
              if joint.name != instead.name]
    kept = {name: one for name, one in machine.closures.items() if name != closure.name}
    return replace(machine, links=links, joints=_ordered([*joints, *added]),
                   closures=kept | {instead.name: replace(instead, drawn=0.0)})


def _drawn(machine: Machine, closure: LinkJoint) -> LinkJoint:
    """Return a closure with the value of its coordinate as drawn; a ball is at zero there."""
    turn, gap = _gap(machine, closure)
    if closure.kind == 'spherical':
        first, second = closure.frames
        return replace(closure, frames=(first, second.then(Pose(np.zeros(3), turn.T))))
    if closure.kind not in _BY_ONE or closure.axis is None:
        return closure
    return replace(closure, drawn=_angle(turn, closure.axis) if closure.kind == 'revolute' else
                   float(gap @ closure.axis))


def _gap(machine: Machine, closure: LinkJoint) -> tuple[np.ndarray, np.ndarray]:
    """Return turn (3, 3) and travel (3) [m] from the first frame of a closure to its second."""
    poses = drawn_poses(machine, {})
    first, second = (poses[link].then(frame)
                     for link, frame in zip(closure.links, closure.frames, strict=True))
    between = first.inverse().then(second)
    return between.turn, between.at


def _angle(turn: np.ndarray, axis: np.ndarray) -> float:
    sine = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0],
                           turn[1, 0] - turn[0, 1]]) @ axis
    return atan2(sine, 0.5 * (np.trace(turn) - 1.0))


def _split(held: LinkJoint, closure: LinkJoint, machine: Machine) -> list[LinkJoint]:
    """Return the slide and the hinge that a cylindrical joint is, with a link between."""
    turn, gap = _gap(machine, closure)
    axis = closure.axis if closure.axis is not None else np.array([0.0, 0.0, 1.0])
    middle = f'{held.name}_link'
    return [LinkJoint(f'{held.name}_slider', 'prismatic', (held.links[0], middle),
                      (held.frames[0], still()), held.axis, drawn=float(gap @ axis)),
            LinkJoint(f'{held.name}_angle', 'revolute', (middle, held.links[1]),
                      (still(), held.frames[1]), held.axis,
                      drawn=_angle(turn, axis))]


def _ordered(joints: Iterable[LinkJoint]) -> dict[str, LinkJoint]:
    """Return joints by name, parents before children."""
    waiting, tree, reached = list(joints), dict[str, LinkJoint](), {WORLD}
    while waiting:
        ready = [joint for joint in waiting if joint.links[0] in reached]
        tree |= {joint.name: joint for joint in ready}
        reached |= {joint.links[1] for joint in ready}
        waiting = [joint for joint in waiting if joint.name not in tree]
    return tree
