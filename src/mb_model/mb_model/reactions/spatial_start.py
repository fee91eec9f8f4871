"""Joint coordinates of a tree in space and their rates, from where its bodies are and move."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mb_model.arrays import RecordArray
from mb_model.assembly.body_motion import AT_REST, BodyMotion, body_motion
from mb_model.compilation.spatial.tree import Frame, Hinge, SpatialTree
from mb_model.kernels import entry_points
from mb_model.space.body import GROUND
from mb_model.space.motion import about_z, first_angle
from mb_model.space.rotation import shortest


def enter_tree(mechanism: Any, plan: Any, model: RecordArray, works: RecordArray) -> None:
    """Write s, sd and the turns of joints from q and qd."""
    work, tree, n = works[0], plan.tree, mechanism.n
    work['turn'][:tree.links] = plan.turns
    motions = {group: AT_REST if group == GROUND else body_motion(
        mechanism, group, work['q'][:n], work['qd'][:n]) for group in tree.carriers}
    reached = {group: Frame(np.eye(3), np.zeros(3)) for group in tree.carriers
              if tree.carriers[group] < 0}
    for hinge in tree.hinges:
        own = Frame(motions[hinge.group].rotation, motions[hinge.group].position) @ hinge.outer
        reached[hinge.group] = _enter(work, hinge, reached[hinge.parent] @ hinge.inner, own)
    q = work['q'].copy()
    entry_points.pose_tree(model, works)
    work['q'] = q      # angles count turns there
    _enter_rates(mechanism, tree, motions, work)


def _enter(work: Any, hinge: Hinge, inner: Frame, wanted: Frame) -> Frame:
    """Write s of a hinge between frames in global axes, its outer one as it is wanted.

    Returns where its group is: a line may be turned about itself otherwise.
    """
    between = inner.inverse @ wanted
    turn, first = np.eye(3), len(hinge.motions) - hinge.ball
    for k, motion in enumerate(hinge.motions):
        turn = turn @ motion.before
        if k < first:
            s = (between.origin @ turn[:, 2] if motion.slides
                 else first_angle(turn.T @ between.axes, hinge.motions[k:first]))
            if motion.pitch != 0.0:
                s = between.origin @ turn[:, 2] / motion.pitch
            work['s'][hinge.first + k] = s
            turn = turn if motion.slides else turn @ about_z(s)
        elif k == first:
            ball = between.axes if hinge.ball == 3 else shortest((0.0, 0.0, 1.0),
                                                                 between.axes[:, 2])
            number = hinge.first + k
            before = work['turn'][number].reshape(3, 3) @ motion.before.T
            work['turn'][number] = (before @ turn @ motion.before.T @ ball
                                    @ motion.before).ravel()
            work['s'][number:number + hinge.ball] = 0.0
            turn = turn @ motion.before.T @ ball @ motion.before
        turn = turn @ motion.after
    return Frame(inner.axes @ turn, wanted.origin) @ hinge.outer.inverse


def _enter_rates(mechanism: Any, tree: SpatialTree, motions: Mapping[str, BodyMotion], work: Any
                 ) -> None:
    """Write sd: for each hinge the rates that move its group as it moves."""
    twists = {group: np.zeros(6) for group in tree.carriers if tree.carriers[group] < 0}
    for hinge in tree.hinges:
        motion, carrier = motions[hinge.group], twists[hinge.parent]
        axes = work['axis'][hinge.first:hinge.last + 1]
        position = motion.position_of(hinge.outer.origin)
        beside = np.eye(3)
        if mechanism.bodies[hinge.group].slender:
            line = motion.rotation @ mechanism.bodies[hinge.group].line
            beside = beside - np.outer(line, line)
        rows = np.column_stack([np.r_[axis[:3] + np.cross(axis[3:], position), beside @ axis[3:]]
                                for axis in axes]) if len(axes) else np.zeros((6, 0))
        wanted = np.r_[motion.velocity_of(hinge.outer.origin)
                       - carrier[:3] - np.cross(carrier[3:], position),
                       beside @ (motion.angular_velocity - carrier[3:])]
        rates = np.linalg.lstsq(rows, wanted, rcond=None)[0]
        work['sd'][hinge.first:hinge.last + 1] = rates
        twists[hinge.group] = carrier + rates @ axes
