"""The tree of joints of a mechanism in space in its record, for the semi-recursive formulation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, RecordArray
from mb_model.compilation.layout import layout_of
from mb_model.compilation.spatial.layout import SpatialLayout
from mb_model.compilation.spatial.tree import Frame, SpatialTree
from mb_model.kernels import entry_points
from mb_model.kernels.joints import PRISMATIC, REVOLUTE
from mb_model.kernels.space_loops import CUT
from mb_model.mechanism_file.description import MechanismError
from mb_model.reactions.spanning_tree import require_free
from mb_model.reactions.spatial_clusters import hold_nodes, write_clusters
from mb_model.space.equation import SpatialEquation

_TRIALS = 3          # random positions that show what closes loops
_HOLDS = 1e-9        # of the mechanism's size: what a tree keeps is no more off


@dataclass(frozen=True)
class TreePlan:
    """A SpatialTree, and the constant turns (links, 9) of its joints' frames in their parents."""

    tree: SpatialTree
    turns: FloatArray


def tree_in_space(mechanism: Any) -> tuple[RecordArray, TreePlan]:
    """Return (model, TreePlan): a copy of the mechanism's model with its tree of joints.

    Raises MechanismError for what require_free refuses, for large clusters of loops of a large
    mechanism, and where loops leave other freedoms.
    """
    require_free(mechanism)
    geared = [name for name, one in mechanism.described.coordinates.items() if one.armature > 0.0]
    if geared and mechanism.is_sparse:
        raise MechanismError(f'{mechanism.file}: coordinates.{geared[0]}.armature: semi_recursive: '
                             'not with sparse storage')
    layout, model = layout_of(mechanism.described), mechanism.model.copy()
    record, tree = model[0], layout.tree
    plan = TreePlan(tree, _write_links(record, tree, layout.size))
    _write_nodes(record, tree, layout)
    _write_added(record, mechanism)
    _write_closing(mechanism, model, plan, *_candidates(mechanism, layout, record))
    return model, plan


def _write_links(record: Any, tree: SpatialTree, size: float) -> FloatArray:
    """Write the joints of a tree; return the constant turns of their frames."""
    turns, record['joints'] = np.zeros((tree.links, 9)), tree.links
    balls = 0
    for hinge in tree.hinges:
        at, parent = tree.frames[hinge.parent] @ hinge.inner, tree.carriers[hinge.parent]
        for k, motion in enumerate(hinge.motions, hinge.first):
            at = Frame(at.axes @ motion.before, at.origin)
            turns[k], record['joint_offset'][k] = at.axes.ravel(), at.origin
            record['joint_parent'][k] = parent + 1
            record['joint_kind'][k] = PRISMATIC if motion.slides else REVOLUTE
            record['joint_pitch'][k] = motion.pitch
            record['joint_size'][k] = size if motion.slides else 1.0
            at, parent = Frame(motion.after, np.zeros(3)), k
        if hinge.ball:
            record['ball_joint'][balls] = hinge.last + 1 - hinge.ball
            record['ball_turns'][balls] = hinge.ball
            balls += 1
    record['balls'] = balls
    return turns


def _write_nodes(record: Any, tree: SpatialTree, layout: SpatialLayout) -> None:
    """Write which joints carry the moving nodes and the bodies."""
    order = list(tree.carriers)
    record['moving'] = layout.moving
    for index, marks in layout.holders.items():
        group = min(marks, key=order.index)
        mark, frame = marks[group], tree.frames[group]
        record['point_joint'][index // 3], record['point_kind'][index // 3] = (
            tree.carriers[group], mark[0])
        record['point_offset'][index // 3] = mark[0] * frame.origin + frame.axes @ mark[1:]
    for k, body in enumerate(layout.bodies):
        group, origin, axes = layout.frame_in_group(body)
        frame = tree.frames[group] @ Frame(axes, origin)
        record['solid_joint'][k] = tree.carriers[group]
        record['solid_turn'][k], record['solid_offset'][k] = frame.axes.ravel(), frame.origin


def _write_added(record: Any, mechanism: Any) -> None:
    """Write the equations that added coordinates follow from."""
    equations = [one for one in mechanism.equations if isinstance(one, SpatialEquation)]
    by_column = {}
    for k, one in enumerate(equations):
        by_column.setdefault(one.scalars[0], []).append(k)
    for c, name in enumerate(mechanism.coordinates[int(record['moving']):]):
        saying = by_column[int(record['moving']) + c]
        own = [k for k in saying if equations[k].meaning == f'coordinates.{name}'] or saying
        record['added_constraint'][c], record['added_choices'][c] = own[0], len(own)


def _candidates(mechanism: Any, layout: SpatialLayout, record: Any
                ) -> tuple[list[tuple[Any, ...]], list[int]]:
    """Return what may close loops: cuts (vector, joint, kind, offset), numbers of equations.

    Numbers as in kernels.space_added: equations in space come first.
    """
    cuts = []
    for k, (name, body) in enumerate(layout.bodies.items()):
        if layout.frame_in_group(name)[0] == name and record['solid_joint'][k] >= 0:
            axes = record['solid_turn'][k].reshape(3, 3)
            directions = [axes @ body.line] if layout.is_slender(name) else axes.T
            vectors = [record['solid_offset'][k], *directions]
            cuts += [(record['solid_frame'][k, j], record['solid_joint'][k], float(j == 0), offset)
                     for j, offset in enumerate(vectors)]
    in_space = [one for one in mechanism.equations if isinstance(one, SpatialEquation)]
    others = [one for one in mechanism.equations if not isinstance(one, SpatialEquation)]
    return cuts, [k for k, one in enumerate((*in_space, *others))
                  if not one.meaning.startswith(('bodies.', 'coordinates.'))]


def _write_closing(mechanism: Any, model: RecordArray, plan: TreePlan, cuts: list[tuple[Any, ...]],
                   loops: list[int]) -> None:
    """Write those candidates that the tree does not keep by itself."""
    record, work = model[0], mechanism.workspace()
    most = len(work['gap'][0])
    work['turn'][0, :plan.tree.links] = plan.turns
    positions = np.random.default_rng(1).uniform(-1.0, 1.0, (_TRIALS, plan.tree.links))
    positions *= record['joint_size'][:plan.tree.links]

    def kept(write: Callable[[Any, list[Any]], None], candidates: list[Any], rows: int,
             hold: bool = False) -> list[Any]:
        """Return the candidates that are off in a random position.

        hold: they see nodes as reactions.held_nodes says.
        """
        off = np.zeros(len(candidates))
        for begin in range(0, len(candidates), most // rows):
            part = candidates[begin:begin + most // rows]
            write(record, part)
            if hold:
                hold_nodes(mechanism, record, plan.tree)
            for s in positions:
                work['s'][0, :len(s)] = s
                entry_points.pose_tree(model, work)
                gaps = np.abs(work['gap'][0, :rows * len(part)]).reshape(-1, rows).max(axis=1)
                off[begin:begin + len(part)] = np.maximum(off[begin:begin + len(part)], gaps)
            write(record, [])
        return [one for one, gap in zip(candidates, off, strict=True)
                if not gap <= _HOLDS * max(record['scale'][0], 1.0)]

    cuts, loops = kept(_write_cuts, cuts, CUT), kept(_write_loops, loops, 1)
    if mechanism.is_sparse:
        cuts = kept(_write_cuts, cuts, CUT, hold=True)
        loops = kept(_write_loops, loops, 1, hold=True)
    rows, joints = CUT * len(cuts) + len(loops), plan.tree.links
    if rows > most:
        raise MechanismError(f'{mechanism.file}: semi_recursive: its loops have {rows} equations, '
                             f'at most {most} are possible')
    if joints - rows > mechanism.g:
        raise MechanismError(f'{mechanism.file}: {joints} joint coordinates and {rows} equations '
                             f'of loops leave more than {mechanism.g} degrees of freedom')
    _write_cuts(record, cuts)
    _write_loops(record, loops)
    if rows and mechanism.is_sparse:
        write_clusters(mechanism, plan, model)


def _write_cuts(record: Any, cuts: list[tuple[Any, ...]]) -> None:
    record['cuts'] = len(cuts)
    for c, (vector, joint, kind, offset) in enumerate(cuts):
        record['cut_point'][c], record['cut_joint'][c] = vector, joint
        record['cut_kind'][c], record['cut_offset'][c] = kind, offset


def _write_loops(record: Any, loops: list[int]) -> None:
    record['loops'] = len(loops)
    record['loop_constraint'][:len(loops)] = loops
