"""Where forces on coordinates in space act: straight arrows of lengths, arcs about axes."""

import numpy as np

from mb_evaluation.scene.sweeps import ARC, ARC_RADIUS, STEPS, Sweep
from mb_model.space_api import across


def space_sweeps(mechanism, q, forces, greatest, reach):
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


def _acting(mechanism, q, one):
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
