"""Bodies in space as solids."""

from dataclasses import dataclass

import numpy as np

from mb_model.space_api import across, section_poses, shortest_connections

GROUND = 'ground'
PIECES = 12                 # of a body that bends, each of them straight
_BAR = 0.02                 # radius of a bar of a body without shapes, of how far it reaches


@dataclass(frozen=True, eq=False)
class SpatialSolid:
    """A box, cylinder or sphere of a body, in the body's frame.

    size: edges, radius and length along z, or radius [m]; centre (3); axes (3, 3): columns.
    """

    kind: str
    size: tuple[float, ...]
    centre: np.ndarray
    axes: np.ndarray


def body_solids(mechanism, name):
    """Return what is seen of a body of a mechanism in space: its shapes, else bars to its joints.
    """
    body = mechanism.bodies[name]
    if body.shapes:
        return [SpatialSolid(solid.kind if solid.kind in ('box', 'sphere') else 'cylinder',
                             tuple(solid.size[:{'box': 3, 'sphere': 1}.get(solid.kind, 2)]),
                             solid.centre, solid.axes) for solid in body.shapes]
    places = [np.array(place) for place in body.points.values()]
    places += [place for joint in mechanism.joints.values()
               for other, place in zip(joint.bodies, joint.places, strict=True) if other == name]
    places = [*np.unique(np.array([*places, body.centre_of_gravity]), axis=0)]
    reach, found = max((np.linalg.norm(place - places[0]) for place in places), default=0.0), []
    for i, j in shortest_connections(places) if reach > 0.0 else ():
        way = places[j] - places[i]
        z, x = way / np.linalg.norm(way), across(way)
        found.append(SpatialSolid('cylinder', (_BAR * reach, float(np.linalg.norm(way))),
                                  0.5 * (places[i] + places[j]),
                                  np.column_stack([x, np.cross(z, x), z])))
    return found


def beam_pieces(mechanism, q):
    """Return (flexible body, k) -> (places (1, 3) [m], turns (1, 3, 3)) of its PIECES at q (n)."""
    found = {}
    for name in mechanism.flexible_bodies:
        size = mechanism.bodies[name].beam.shape.length / PIECES
        places, turns = section_poses(mechanism, name, size * (np.arange(PIECES) + 0.5), q)
        found |= {(name, k): (places[k:k + 1], turns[k:k + 1]) for k in range(PIECES)}
    return found


def piece_solid(mechanism, name):
    """Return the SpatialSolid of a piece of a flexible body, whose x axis is along it."""
    length = mechanism.bodies[name].beam.shape.length
    return SpatialSolid('cylinder', (_BAR * length, length / PIECES), np.zeros(3),
                        np.eye(3)[:, [1, 2, 0]])


def marked_places(mechanism):
    """Return (body, place) of every point of bodies, and of joints where the file names none."""
    found = {}
    for body in mechanism.bodies.values():
        for place in body.points.values():
            found[body.name, tuple(np.round(place, 12))] = None
    for joint in mechanism.joints.values():
        body, place = joint.bodies[1], joint.places[1]
        if body == GROUND:
            body, place = joint.bodies[0], joint.places[0]
        found[body, tuple(np.round(place, 12))] = None
    return list(found)
