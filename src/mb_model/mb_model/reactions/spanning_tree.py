"""A mechanism as a tree of joints with its loops cut, for the semi-recursive formulation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.requirements import require_plane
from mb_model.kernels.joints import PRISMATIC, REVOLUTE
from mb_model.mechanism_file.description import MechanismError
from mb_model.registry.constraints import EQUATIONS
from mb_model.space.spanning_tree import spanning_tree


@dataclass(frozen=True)
class Joint:
    """How a body hangs on its parent (None: the ground); offsets and axes in their own frames.

    sliders: of a prismatic joint, the two equations of sliders that it stands for, as (number in
    the mechanism's equations, the point that slides).
    """

    body: str
    parent: str | None
    kind: int
    pivot: str | None           # the point of a revolute joint
    offset: tuple[float, float]
    own: tuple[float, float]
    axis: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0
    sliders: tuple[tuple[int, str], ...] = ()


@dataclass
class SpanningTree:
    """Joints from the ground on; cuts: (body, point) that meet another body or the ground there.

    owners: moving point -> the body that carries it; loops: numbers of the equations of sliders
    and welded angles that are not joints of the tree.
    """

    joints: list[Joint] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)
    cuts: list[tuple[str, str]] = field(default_factory=list)
    loops: list[int] = field(default_factory=list)


def require_free(mechanism: Any) -> None:
    """Raise MechanismError for prescribed coordinates, states of forces and flexible bodies."""
    if mechanism.described.prescribed:
        raise MechanismError(f'{mechanism.file}: semi_recursive: not with prescribed coordinates: '
                             f'{", ".join(mechanism.described.prescribed)}')
    if mechanism.force_states:
        raise MechanismError(f'{mechanism.file}: semi_recursive: not with states of forces: '
                             f'{", ".join(mechanism.force_states)}')
    if mechanism.flexible_bodies:
        raise MechanismError(f'{mechanism.file}: semi_recursive: not with flexible bodies: '
                             f'{", ".join(mechanism.flexible_bodies)}')


def tree_in_plane(mechanism: Any) -> SpanningTree:
    """Return the SpanningTree of a mechanism, the shortest ways to the ground first.

    A point that two bodies share is a revolute joint; a body with two points on one line of
    another body, or of the ground, hangs on it by a prismatic joint.  Raises MechanismError for a
    mechanism that has anything else.
    """
    require_plane(mechanism, 'the formulation semi_recursive')
    require_free(mechanism)
    tree = SpanningTree()
    waiting = list(mechanism.bodies)

    def ties(carrier: str | None) -> Iterator[tuple[int, str, Joint]]:
        for name in waiting:
            joint = _slide(mechanism, carrier, name) or _turn(mechanism, carrier, name)
            if joint is not None:
                yield 0, name, joint

    for name, _, joint in spanning_tree(None, ties):
        tree.joints.append(joint)
        waiting.remove(name)
    if waiting:
        raise MechanismError(f'{mechanism.file}: bodies.{waiting[0]}: must share a point with the '
                             'ground or another body, or have two points on one line of it, for '
                             'the semi_recursive formulation')
    for joint in tree.joints:
        for point in mechanism.bodies[joint.body].points:
            carried = not mechanism.points[point].fixed and tree.owners.setdefault(
                point, joint.body) == joint.body
            if not carried and point != joint.pivot:
                tree.cuts.append((joint.body, point))
    tree.loops = _loops(mechanism, tree)
    return tree


def _turn(mechanism: Any, carrier: str | None, name: str) -> Joint | None:
    """Return the revolute joint between two bodies, None if they share no point."""
    for point, own in mechanism.bodies[name].points.items():
        offset = _offset(mechanism, carrier, point)
        if offset is not None:
            return Joint(name, carrier, REVOLUTE, point, offset, own)
    return None


def _slide(mechanism: Any, carrier: str | None, name: str) -> Joint | None:
    """Return the prismatic joint between two bodies, None if there is none."""
    lines, numbers = {}, {equation.meaning: number for number, equation
                          in enumerate(mechanism.equations)}      # redundant ones are left out
    for constraint in mechanism.described.constraints.values():
        if (constraint.kind == 'slider' and f'constraints.{constraint.name}' in numbers
                and constraint.points[2] in mechanism.bodies[name].points):
            lines.setdefault(constraint.points[:2], []).append(constraint)
    for (first, second), sliders in lines.items():
        start, end = (_offset(mechanism, carrier, point) for point in (first, second))
        if start is None or end is None or len(sliders) < 2:
            continue
        along = np.subtract(end, start) / np.hypot(*np.subtract(end, start))
        one, other = (mechanism.bodies[name].points[slider.points[2]] for slider in sliders[:2])
        own = np.subtract(other, one)
        from_, to = (_at_start(mechanism, slider.points[2]) for slider in sliders[:2])
        travel = to - from_
        line = _at_start(mechanism, second) - _at_start(mechanism, first)
        turn = 0.0 if travel @ line > 0.0 else np.pi
        angle = np.arctan2(along[1], along[0]) - np.arctan2(own[1], own[0]) + turn
        return Joint(name, carrier, PRISMATIC, None, tuple(start), one, tuple(along), angle,
                     tuple((numbers[f'constraints.{slider.name}'], slider.points[2])
                           for slider in sliders[:2]))
    return None


def _offset(mechanism: Any, carrier: str | None, point: str) -> tuple[float, float] | None:
    """Return where a point is in the frame of a body (None: the ground), None if not on it."""
    if carrier is None:
        return mechanism.points[point].position if mechanism.points[point].fixed else None
    return mechanism.bodies[carrier].points.get(point)


def _at_start(mechanism: Any, point: str) -> FloatArray:
    if mechanism.points[point].fixed:
        return np.array(mechanism.points[point].position)
    index = mechanism.point_index(point)
    return mechanism.q0[index:index + 2]


def _loops(mechanism: Any, tree: SpanningTree) -> list[int]:
    """Return the numbers of the equations that close loops beside the cut joints."""
    loops, used = [], [number for joint in tree.joints for number, _ in joint.sliders]
    for number, equation in enumerate(mechanism.equations):
        if equation.inner or equation.meaning.startswith('coordinates.'):
            continue
        if not EQUATIONS[equation.kind].closes_loops:
            raise MechanismError(f'{mechanism.file}: {equation.meaning}: the semi_recursive '
                                 'formulation knows sliders and welded angles only')
        if number not in used:
            loops.append(number)
    return loops


def write_tree(mechanism: Any, tree: SpanningTree, model: RecordArray) -> None:
    """Write a tree into a model; raises MechanismError if its loops leave other freedoms."""
    record, order = model[0], {None: 0} | {joint.body: k + 1 for k, joint in enumerate(tree.joints)}
    for k, joint in enumerate(tree.joints):
        record['joint_kind'][k], record['joint_parent'][k] = joint.kind, order[joint.parent]
        record['joint_body'][k] = list(mechanism.bodies).index(joint.body)
        record['joint_offset'][k, :2], record['joint_own'][k] = joint.offset, joint.own
        record['joint_axis'][k], record['joint_angle'][k] = joint.axis, joint.angle
        record['joint_size'][k] = record['scale'][0] if joint.kind == PRISMATIC else 1.0
    for point, body in tree.owners.items():
        k = mechanism.point_index(point) // 2
        record['point_joint'][k] = order[body] - 1
        record['point_offset'][k, :2] = mechanism.bodies[body].points[point]
    for k, (body, point) in enumerate(tree.cuts):
        record['cut_joint'][k] = order[body] - 1
        record['cut_point'][k] = mechanism.point_index(point)
        record['cut_offset'][k, :2] = mechanism.bodies[body].points[point]
    record['loop_constraint'][:len(tree.loops)] = tree.loops
    record['joints'], record['moving'] = len(tree.joints), 2 * len(tree.owners)
    record['cuts'], record['loops'] = len(tree.cuts), len(tree.loops)
    for number, equation in enumerate(mechanism.equations):
        if equation.meaning.startswith('coordinates.'):
            column = mechanism.coordinates.index(equation.meaning.removeprefix('coordinates.'))
            record['added_constraint'][column - 2 * len(tree.owners)] = number
    rows = 2 * len(tree.cuts) + len(tree.loops)
    if len(tree.joints) - rows > mechanism.g:
        raise MechanismError(f'{mechanism.file}: {len(tree.joints)} joints and {rows} equations of '
                             f'loops leave more than {mechanism.g} degrees of freedom')
