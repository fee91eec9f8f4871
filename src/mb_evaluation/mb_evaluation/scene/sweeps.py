"""Where forces on coordinates act: straight arrows of lengths, arcs of angles."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mb_model import Mechanism, point_positions
from mb_model.space_api import across

ARC = 1.5 * np.pi           # that the arrow of the greatest moment goes round [rad]
ARC_RADIUS = 0.3            # of the length of the arrow of the greatest force
STEPS = 24                  # pieces of an arc
_DIAGONAL = np.array([0.5 ** 0.5, 0.5 ** 0.5, 0.0])     # where arcs begin in the plane


@dataclass(frozen=True)
class Sweep:
    """The line (k, 3) [m] of an arrow, which ends in its last position, and its force."""

    coordinate: str
    line: np.ndarray
    force: float            # [N or N m]
    unit: str


def sweeps(mechanism: Mechanism, q: np.ndarray, forces: Mapping[str, float],
           greatest: Mapping[str, float], reach: float) -> list[Sweep]:
    """Return the Sweeps of forces on coordinates, by name, at q (n); none of zero.

    greatest: {'N': ..., 'N m': ...}, the forces and moments whose arrows are the longest;
    reach: how long a straight one is then [m].  An arc goes round counter-clockwise if its moment
    is positive.  Left out are forces on bending, and in space on coordinates of nodes.
    """
    acting = _acting_in_plane if mechanism.dimension == 2 else _acting_in_space
    arrows = []
    for name, force in forces.items():
        coordinate = mechanism.described.coordinates.get(name)
        if not np.isfinite(force) or force == 0.0 or (coordinate.kind == 'mode' if coordinate else
                                                      mechanism.dimension == 3):
            continue
        unit = 'N m' if mechanism.unit(name) == 'rad' else 'N'
        position, axis = acting(mechanism, q, coordinate or name)
        share = float(np.clip(force / greatest[unit], -1.0, 1.0))
        if unit == 'N':
            line = np.array([position, position + share * reach * axis])
        else:
            x = _DIAGONAL if mechanism.dimension == 2 else across(axis)
            y, angles = np.cross(axis, x), np.linspace(0.0, share * ARC, STEPS + 1)
            line = position + ARC_RADIUS * reach * (
                np.outer(np.cos(angles), x) + np.outer(np.sin(angles), y))
        arrows.append(Sweep(name, line, float(force), unit))
    return arrows


def _acting_in_plane(mechanism: Mechanism, q: np.ndarray, coordinate):
    """Return the position and the axis (3) of a coordinate, or of one of a point by its name.

    The body of an angle turns about a point that it shares with the other body, if there is one.
    """
    positions = dict(zip(mechanism.points, np.pad(
        point_positions(mechanism, q)[0], ((0, 0), (0, 1))), strict=True))
    if isinstance(coordinate, str):
        point, axis = coordinate.rsplit('.', 1)
        return positions[point], np.eye(3)['xyz'.index(axis)]
    if coordinate.points:
        line = positions[coordinate.points[1]] - positions[coordinate.points[0]]
        return positions[coordinate.points[-1]], line / np.linalg.norm(line)
    *others, last = coordinate.bodies
    points = mechanism.bodies[last].points
    held = mechanism.bodies[others[0]].points if others else {
        point for point in points if mechanism.points[point].fixed}
    return positions[next((point for point in points if point in held),
                          next(iter(points)))], np.array([0.0, 0.0, 1.0])


def _acting_in_space(mechanism: Mechanism, q: np.ndarray, coordinate):
    """Return the position and the axis (3) of a coordinate."""
    if coordinate.joint:
        joint = mechanism.joints[coordinate.joint]
        side = coordinate.part if coordinate.kind == 'angle' else 0
        first, second = (mechanism.body_motion(body, q) for body in joint.bodies)
        return (second.position_of(joint.offsets[1]),
                (first, second)[side].rotation @ joint.frames[side][:, 2])
    motions = [mechanism.body_motion(body, q) for body in coordinate.bodies]
    if coordinate.kind == 'orientation':
        return motions[0].position, motions[0].rotation[:, coordinate.part]
    positions = [motion.position_of(local)
                 for motion, local in zip(motions, coordinate.offsets, strict=True)]
    if coordinate.kind == 'position':
        return positions[0], np.eye(3)[coordinate.part]
    line = positions[1] - positions[0]
    return positions[1], line / np.linalg.norm(line)
