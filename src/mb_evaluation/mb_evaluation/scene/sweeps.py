"""Where forces on coordinates act: straight arrows of lengths, arcs of angles."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mb_model import Mechanism, point_places
from mb_model.space_api import across

ARC = 1.5 * np.pi           # that the arrow of the greatest moment goes round [rad]
ARC_RADIUS = 0.3            # of the length of the arrow of the greatest force
STEPS = 24                  # pieces of an arc


@dataclass(frozen=True)
class Sweep:
    """The line (k, 2) [m] of an arrow, which ends in its last place, and its force."""

    coordinate: str
    line: np.ndarray
    force: float            # [N or N m]
    unit: str


def sweeps(mechanism: Mechanism, q: np.ndarray, forces: Mapping[str, float],
           greatest: Mapping[str, float], reach: float) -> list[Sweep]:
    """Return the Sweeps of forces on coordinates, by name, at q (n); none of zero.

    greatest: {'N': ..., 'N m': ...}, the forces and moments whose arrows are the longest;
    reach: how long a straight one is then [m].
    """
    places = dict(zip(mechanism.points, point_places(mechanism, q)[0], strict=True))
    found = []
    for name, force in forces.items():
        unit = 'N m' if mechanism.unit(name) == 'rad' else 'N'
        if not np.isfinite(force) or force == 0.0:
            continue
        share = float(np.clip(force / greatest[unit], -1.0, 1.0))
        if unit == 'N m':
            line = _arc(_hinge(mechanism, places, name), share, ARC_RADIUS * reach)
        else:
            place, direction = _along(mechanism, places, name)
            line = np.array([place, place + share * reach * direction])
        found.append(Sweep(name, line, float(force), unit))
    return found


def _along(mechanism: Mechanism, places: Mapping[str, np.ndarray], name: str):
    """Return the place and the direction (2) in which a force on a length acts."""
    if name not in mechanism.described.coordinates:
        point, axis = name.rsplit('.', 1)
        return places[point], np.array([axis == 'x', axis == 'y'], dtype=float)
    points = mechanism.described.coordinates[name].points
    line = places[points[1]] - places[points[0]]
    return places[points[-1]], line / np.linalg.norm(line)


def _hinge(mechanism: Mechanism, places: Mapping[str, np.ndarray], name: str):
    """Return the place that the body of an angle turns about, if it is a point."""
    *others, last = mechanism.described.coordinates[name].bodies
    points = mechanism.bodies[last].points
    held = mechanism.bodies[others[0]].points if others else {
        point for point in points if mechanism.points[point].fixed}
    return places[next((point for point in points if point in held), next(iter(points)))]


def _arc(centre: np.ndarray, share: float, radius: float) -> np.ndarray:
    """Return an arc (k, 2) that a positive share goes round counter-clockwise."""
    angles = 0.25 * np.pi + np.linspace(0.0, share * ARC, STEPS + 1)
    return centre + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def space_sweeps(mechanism: Mechanism, q: np.ndarray, forces: Mapping[str, float],
                 greatest: Mapping[str, float], reach: float) -> list[Sweep]:
    """Return the Sweeps, with lines (k, 3), of forces on coordinates by name at q (n); see sweeps.

    Forces on coordinates of nodes, which are no coordinates of the file, are left out.
    """
    found = []
    for name, force in forces.items():
        one = mechanism.described.coordinates.get(name)
        if one is None or not np.isfinite(force) or force == 0.0:
            continue
        unit = 'N m' if one.unit == 'rad' else 'N'
        place, axis = _acting(mechanism, q, one)
        share = float(np.clip(force / greatest[unit], -1.0, 1.0))
        if unit == 'N':
            line = np.array([place, place + share * reach * axis])
        else:
            x, angles = across(axis), np.linspace(0.0, share * ARC, STEPS + 1)
            y = np.cross(axis, x)
            line = place + ARC_RADIUS * reach * (
                np.outer(np.cos(angles), x) + np.outer(np.sin(angles), y))
        found.append(Sweep(name, line, float(force), unit))
    return found


def _acting(mechanism: Mechanism, q: np.ndarray, one):
    """Return the place and the axis (3) of a coordinate."""
    if one.joint:
        joint = mechanism.joints[one.joint]
        side = one.part if one.kind == 'angle' else 0
        first, second = (mechanism.body_motion(body, q) for body in joint.bodies)
        return (second.place(joint.places[1]),
                (first, second)[side].rotation @ joint.frames[side][:, 2])
    motions = [mechanism.body_motion(body, q) for body in one.bodies]
    if one.kind == 'orientation':
        return motions[0].position, motions[0].rotation[:, one.part]
    places = [motion.place(place) for motion, place in zip(motions, one.places, strict=True)]
    if one.kind == 'position':
        return places[0], np.eye(3)[one.part]
    way = places[1] - places[0]
    return places[1], way / np.linalg.norm(way)
