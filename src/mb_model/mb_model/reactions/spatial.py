"""Reactions of mechanisms in space: the force and the moment in each joint.

Bodies share nodes, so that most joints have no multipliers.  What every body needs to move as it
does, beside gravity, loads and forces on coordinates, is what its joints give: six equations for
each body, whose unknowns are the components that each joint transmits.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.body_motion import BodyMotion, body_motion
from mb_model.assembly.closing import constraint_jacobian
from mb_model.compilation.spatial.beams import solid_numbers
from mb_model.registry.joints import COORDINATES, JOINTS
from mb_model.registry.spatial import FORCES
from mb_model.space.body import GROUND, SpatialBody
from mb_model.space.forces import wrench

_RANK = 1e-9        # of the largest singular value: below it a combination is not determined


@dataclass(frozen=True)
class JointReaction:
    """What the first body of a joint does to the second one, at the second body's point.

    In the axes of the joint's frame on the first body, z along its axis [N, N m].  determined:
    False if rigid bodies do not say how it shares its load with others; the smallest share is
    given then.
    """

    force: FloatArray                    # (3)
    moment: FloatArray                   # (3)
    determined: bool
    axes: FloatArray                     # the frame's axes in global axes, columns (3, 3)


@dataclass(frozen=True)
class SpatialReactions:
    """Forces in one state of a mechanism in space: name of a joint -> JointReaction.

    multipliers: name of a body, joint, coordinate or constraint -> Lagrange multipliers.
    residual: the largest force or moment that the joints do not explain [N or N m].
    """

    joints: dict[str, JointReaction]
    multipliers: dict[str, FloatArray]
    residual: float


def spatial_reactions_of(mechanism: Any, work: RecordArray) -> SpatialReactions:
    """Return the SpatialReactions in a workspace with q, qd, qdd, Q, lam that belong together."""
    motions = {GROUND: body_motion(mechanism, GROUND, None)} | {
        name: body_motion(mechanism, name, *(work[field][0, :mechanism.n]
                                             for field in ('q', 'qd', 'qdd')))
        for name in mechanism.bodies}
    needs = {name: _needed_by_beam(mechanism, body, motions[name], work) if body.beam
             else _needed(mechanism, body, motions[name])
             for name, body in mechanism.bodies.items()}
    for body, position, force, moment in _pushes(mechanism, work, motions):
        if body != GROUND:
            arm = position - _centre(mechanism, motions, body)
            needs[body] -= np.r_[force, moment + np.cross(arm, force)]
    return _shared(mechanism, motions, needs, _multipliers(mechanism, work))


def _centre(mechanism: Any, motions: Mapping[str, BodyMotion], body: str) -> FloatArray:
    return motions[body].position_of(mechanism.bodies[body].centre_of_gravity)


def _needed(mechanism: Any, body: SpatialBody, motion: BodyMotion) -> FloatArray:
    """Return force and moment about the centre of gravity (6) that a body's motion needs."""
    inertia = motion.rotation @ body.inertia @ motion.rotation.T
    turn = motion.angular_velocity
    force = body.mass * (motion.acceleration_of(body.centre_of_gravity) - mechanism.gravity)
    return np.r_[force, inertia @ motion.angular_acceleration
                 + np.cross(turn, inertia @ turn)]


def _needed_by_beam(mechanism: Any, body: SpatialBody, motion: BodyMotion, work: RecordArray
                    ) -> FloatArray:
    """Return the same of a flexible body, whose springs do nothing to it as a whole.

    Its solids have mass P between their columns c: int (a - g) dm = sum_j P_0j (c_j'' - g_j), and
    int r x (a - g) dm = sum_ij P_ij c_i x (c_j'' - g_j), g_j being g for the point, else 0.
    """
    model, needed = mechanism.model[0], np.zeros(6)
    for k in solid_numbers(mechanism.bodies, body.name):
        terms = range(model['solid_terms'][k], model['solid_terms'][k + 1])
        positions, lifts = (sum(np.outer(model['solid_weight'][t], work[field][0, node:node + 3])
                             for t in terms for node in (model['solid_node'][t],))
                         for field in ('q', 'qdd'))
        lifts[0] -= mechanism.gravity
        inertia = np.diag(model['solid_inertia'][k, :3])
        moments = np.zeros((4, 4))
        moments[0, 0] = model['solid_mass'][k]
        moments[1:, 1:] = 0.5 * np.trace(inertia) * np.eye(3) - inertia
        needed[:3] += moments[0] @ lifts
        needed[3:] += np.cross(positions, moments @ lifts).sum(axis=0)
    centre = motion.position_of(body.centre_of_gravity)
    needed[3:] -= np.cross(centre, needed[:3])
    return needed


def _pushes(mechanism: Any, work: RecordArray, motions: Mapping[str, BodyMotion]
            ) -> Iterator[tuple[str, FloatArray, FloatArray, FloatArray]]:
    """Yield (body, position, force, moment) of forces on coordinates and of wrenches on bodies."""
    total = _on_coordinates(mechanism, work)
    for name, coordinate in mechanism.described.coordinates.items():
        force = total[mechanism.coordinates.index(name)]
        if force != 0.0 and coordinate.inertia is None and coordinate.kind in COORDINATES:
            joint = mechanism.joints.get(coordinate.joint)
            for body, position, push, moment in COORDINATES[coordinate.kind].pushes(
                    coordinate, joint, motions):
                yield body, position, force * push, force * moment
    yield from _of_elements(mechanism, work, motions)


def _of_elements(mechanism: Any, work: RecordArray, motions: Mapping[str, BodyMotion]
                 ) -> Iterator[tuple[str, FloatArray, FloatArray, FloatArray]]:
    """Yield the same of forces on no coordinate, those from outside too."""
    record, rates = mechanism.model[0], dict(zip(
        mechanism.coordinates, work['qd'][0].tolist(), strict=False))
    forces = [force for force in mechanism.described.forces.values()
              if FORCES[force.kind].pushes is not None]
    for force, values in zip(forces, record['element_value'], strict=True):
        yield from FORCES[force.kind].pushes(force, values, motions, rates)
    frames = [tuple(frame) for frame in record['solid_frame']]
    for k in range(int(work['loads'][0])):
        body = list(mechanism.bodies)[frames.index(tuple(work['load_index'][0, k]))]
        yield from wrench.pushes(wrench.Wrench(body), work['load_value'][0, k], motions)


def _on_coordinates(mechanism: Any, work: RecordArray) -> FloatArray:
    """Return the forces on all coordinates (n) less what armatures need, but for space's equations.
    """
    n, g = mechanism.n, mechanism.g
    model = mechanism.model
    total = work['Q'][0, :n] - model['own_inertia'][0, :n] * work['qdd'][0, :n]
    total[model['independent'][0, :g]] += work['forces'][0, :g]
    _, jacobian = constraint_jacobian(model, work)
    row = 0
    for equation in mechanism.equations:
        if not hasattr(equation, 'vectors'):
            rows = slice(row, row + equation.rows)
            total -= work['lam'][0, rows] @ jacobian[rows]
        row += equation.rows
    return total


def _multipliers(mechanism: Any, work: RecordArray) -> dict[str, FloatArray]:
    multipliers, row = {}, 0
    for equation in mechanism.equations:
        part = work['lam'][0, row:row + equation.rows]
        row += equation.rows
        multipliers[equation.meaning] = np.r_[multipliers.get(equation.meaning, ()), part]
    return multipliers


def _shared(mechanism: Any, motions: Mapping[str, BodyMotion], needs: Mapping[str, FloatArray],
            multipliers: dict[str, FloatArray]) -> SpatialReactions:
    """Return the SpatialReactions for what bodies need: name -> force and moment (6)."""
    names, blocks, frames = list(needs), [], {}
    for joint in mechanism.joints.values():
        first, second = (motions[body].rotation @ frame
                         for body, frame in zip(joint.bodies, joint.frames, strict=True))
        here, position = (motions[body].position_of(at)
                       for body, at in zip(joint.bodies, joint.offsets, strict=True))
        rows = JOINTS[joint.kind].transmits(joint, first, second, position - here)
        frames[joint.name] = first, rows
        block = np.zeros((6 * len(names), len(rows)))
        for sign, body in ((-1.0, joint.bodies[0]), (1.0, joint.bodies[1])):
            if body != GROUND:
                at = 6 * names.index(body)
                arm = position - _centre(mechanism, motions, body)
                block[at:at + 3] += sign * rows[:, :3].T
                block[at + 3:at + 6] += sign * (rows[:, 3:] + np.cross(arm, rows[:, :3])).T
        blocks.append(block)
    matrix = np.column_stack(blocks) if blocks else np.zeros((6 * len(names), 0))
    right = np.concatenate([needs[name] for name in names])
    for name in names:
        if mechanism.bodies[name].slender:      # nothing turns it about its line
            line = motions[name].rotation @ mechanism.bodies[name].line
            at = slice(6 * names.index(name) + 3, 6 * names.index(name) + 6)
            across = np.eye(3) - np.outer(line, line)
            matrix[at], right[at] = across @ matrix[at], across @ right[at]
    return _solved(mechanism, matrix, right, frames, multipliers)


def _solved(mechanism: Any, matrix: FloatArray, right: FloatArray,
            frames: Mapping[str, tuple[FloatArray, FloatArray]], multipliers: dict[str, FloatArray]
            ) -> SpatialReactions:
    _, sizes, directions = np.linalg.svd(matrix, full_matrices=True)
    rank = int(np.count_nonzero(sizes > _RANK * sizes.max(initial=0.0)))
    shares = np.linalg.lstsq(matrix, right, rcond=_RANK)[0]
    open_ = np.abs(directions[rank:]).max(axis=0, initial=0.0) > 1e-6
    joints, column = {}, 0
    for name in mechanism.joints:
        first, rows = frames[name]
        part = slice(column, column + len(rows))
        column += len(rows)
        wrench = shares[part] @ rows
        joints[name] = JointReaction(first.T @ wrench[:3], first.T @ wrench[3:],
                                     not open_[part].any(), first)
    residual = np.abs(matrix @ shares - right).max(initial=0.0)
    return SpatialReactions(joints, multipliers, float(residual))
