"""A mechanism as a Machine: a tree of links and joints, with loops as closures.

It is drawn where the mechanism starts.  Joints of two and three coordinates that descriptions do
not know are chains of joints with links without mass between.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import WORLD, Inertial, Link, LinkJoint, Machine, Shape
from mb_import.notes import Notes
from mb_import.writers.additions import drives_of, relations_of, with_forces, with_keys
from mb_import.writers.sensors import sensors_of
from mb_import.writers.tree import RobotTree, robot_tree
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import (
    GROUND,
    Hinge,
    Motion,
    Pose,
    across,
    single,
    spatial_description,
    values_of,
)

_CLOSURES = ('revolute', 'prismatic', 'cylindrical', 'screw', 'planar', 'spherical', 'universal',
             'weld', 'distance')
_CYLINDERS = 'cylinder', 'tube', 'rod'
_Z = np.array([0.0, 0.0, 1.0])


def machine_of(mechanism: Mechanism, notes: Notes) -> Machine:
    """Return the Machine of a mechanism; raises MechanismError for what no description has.

    That is: bodies that bend, wheels that roll, constraints beside joints and sums.  Forces that
    are no springs, dampers or friction, and sensors of other kinds, are left out, with a note.
    """
    if mechanism.flexible_bodies:
        raise notes.error(f'bodies.{mechanism.flexible_bodies[0]}', 'bends: links are rigid')
    if mechanism.rolling:
        raise notes.error(f'joints.{mechanism.rolling[0]}', 'rolls: no description has such a '
                                                            'contact')
    tree = robot_tree(mechanism)
    described = mechanism.described if mechanism.dimension == 3 else spatial_description(mechanism)
    names = {GROUND: WORLD} | {link.body: link.name for link in tree.links[1:] if link.body}
    shapes = _shapes(mechanism)
    links = {}
    for body, name in names.items():
        if body != GROUND:
            one = described.bodies[body]
            inertial = Inertial(one.mass, np.array(one.centre_of_gravity), np.array(one.inertia))
            heavy = one.mass > 0.0 or inertial.inertia.any()
            links[name] = Link(name, inertial if heavy else None, shapes.get(body, ()))
    joints = {}
    for hinge, called in tree.chains:
        for joint, between in _joints(mechanism, tree, hinge, called, names):
            if between is not None:
                links[between.name] = between
            joints[joint.name] = joint
    closures = {}
    for joint in tree.closures:
        closure = _closure(joint, names, notes)
        closures[closure.name] = closure
    gravity = np.array([*mechanism.gravity, 0.0][:3])
    machine = Machine(mechanism.name, links, joints, closures, gravity=gravity)
    machine = with_forces(mechanism, with_keys(mechanism, machine, notes), names, notes)
    machine = relations_of(mechanism, machine, notes)
    return replace(machine, sensors=sensors_of(mechanism, machine, names, notes),
                   drives=drives_of(mechanism, machine, notes))


def _joints(mechanism: Mechanism, tree: RobotTree, hinge: Hinge, called: Sequence[str],
            names: dict[str, str]) -> Iterator[tuple[LinkJoint, Link | None]]:
    """Yield the joints of a hinge, and the links without mass that they carry."""
    parent, child = names[hinge.parent], names[hinge.group]
    inner, outer = (Pose(frame.origin, frame.axes) for frame in (hinge.inner, hinge.outer))
    base = hinge.group if hinge.joint is None else hinge.joint.name
    if mechanism.dimension == 2 and called:
        base = called[0]
    motions = single(hinge.motions)
    if not motions:
        yield LinkJoint(base, 'weld', (parent, child), (inner, outer)), None
        return
    if hinge.joint is None and hinge.ball == 3:
        motion = mechanism.body_motion(hinge.group, mechanism.q0)
        start = Pose(motion.position, motion.rotation)
        yield LinkJoint(base, 'free', (parent, child), (start, still())), None
        return
    turned, gap = _drawn(mechanism, hinge)
    frames = inner, outer.then(Pose(np.zeros(3), turned.T))
    if hinge.is_ball and hinge.ball == 3:
        yield LinkJoint(base, 'spherical', (parent, child), frames), None
        return
    if hinge.ball == 2 and len(motions) == 2:       # a thin rod turns across its line
        line = turned @ _Z
        axis = across(line)
        yield LinkJoint(base, 'universal', (parent, child), frames, axis,
                        np.cross(line, axis)), None
        return
    if _is_cross(motions):
        axis, second = motions[0].before[:, 2], turned @ motions[1].after.T @ _Z
        yield LinkJoint(base, 'universal', (parent, child), frames, axis, second), None
        return
    values = values_of(motions, turned, gap)
    for k, (motion, value) in enumerate(zip(motions, values, strict=True)):
        last = k + 1 == len(motions)
        name = base if len(motions) == 1 else (
            called[k] if len(called) == len(motions) else f'{base}_{motion.name}')
        behind = child if last else f'{name}_link'
        frames = (inner.then(Pose(np.zeros(3), motion.before)),
                  (outer if last else still()).then(Pose(np.zeros(3), motion.after.T)))
        yield (LinkJoint(name, 'prismatic' if motion.slides else 'revolute', (parent, behind),
                         frames, -_Z if motion.backwards else _Z, drawn=value),
               None if last else Link(behind))
        parent, inner = behind, still()


def _is_cross(motions: Sequence[Motion]) -> bool:
    """Whether two motions are turns about axes that are perpendicular."""
    if len(motions) != 2 or any(one.slides for one in motions):
        return False
    return abs((motions[0].after @ motions[1].before)[2, 2]) < 1e-12


def _drawn(mechanism: Mechanism, hinge: Hinge) -> tuple[FloatArray, FloatArray]:
    """Return the turn (3, 3) and the travel (3) [m] of a hinge's outer frame at the start."""
    first, second = (mechanism.body_motion(name, mechanism.q0)
                     for name in (hinge.parent, hinge.group))
    axes = first.rotation @ hinge.inner.axes
    gap = second.position_of(hinge.outer.origin) - first.position_of(hinge.inner.origin)
    return axes.T @ second.rotation @ hinge.outer.axes, axes.T @ gap


def _closure(joint, names: dict[str, str], notes: Notes) -> LinkJoint:
    if joint.kind not in _CLOSURES:
        raise notes.error(f'joints.{joint.name}', f'{joint.kind} closes a loop, expected one of '
                                                  f'{", ".join(_CLOSURES)}')
    frames = tuple(Pose(offset, axes) for offset, axes in zip(
        joint.offsets, joint.frames, strict=True))
    links = names[joint.bodies[0]], names[joint.bodies[1]]
    one = LinkJoint(joint.name.replace('/', '_'), joint.kind, links, frames, _Z)
    if joint.kind in ('spherical', 'weld', 'distance'):
        one = replace(one, axis=None)
    if joint.kind == 'universal':
        return replace(one, second_axis=_Z)
    return replace(one, length=joint.numbers.get('length', 0.0),
                   pitch=joint.numbers.get('pitch', 0.0))


def _shapes(mechanism: Mechanism) -> dict[str, tuple[Shape, ...]]:
    """Return body -> its Shapes; none in the plane, where bodies are bars between points."""
    if mechanism.dimension == 2:
        return {}
    return {name: tuple(
        Shape('cylinder' if one.kind in _CYLINDERS else one.kind,
              one.size[:2] if one.kind in _CYLINDERS else one.size, Pose(one.centre, one.axes))
        for one in body.shapes) for name, body in mechanism.bodies.items()}
