"""Lengths of mechanisms in space that are possible, but most likely not what is meant."""

import numpy as np

from mb_model.registry.spatial import JOINTS
from mb_model.space.body import GROUND, Pose

_FAR = 3.0      # distance of what should meet, in sizes of both bodies: poses are near the start


def lengths_in_space(description):
    """Yield texts about joints whose bodies, as large as they are, start far apart."""
    poses = {name: body.pose for name, body in description.bodies.items() if body.pose}
    poses[GROUND] = Pose(np.zeros(3), np.eye(3))
    for name, joint in description.joints.items():
        if 'point' not in JOINTS[joint.kind].shared or not all(
                body in poses for body in joint.bodies):
            continue
        first, second = (poses[body].of(place)
                         for body, place in zip(joint.bodies, joint.places, strict=True))
        apart = float(np.linalg.norm(second - first))
        sizes = [reach_in_space(description, description.bodies[body])
                 for body in joint.bodies if body != GROUND]
        if apart > _FAR * sum(sizes) > 0.0:
            yield (f'joints.{name}: the places that meet are {apart:.4g} m apart where the bodies '
                   f'start, which are {max(sizes):.4g} m large; is one of them not in metres?')


def reach_in_space(description, body):
    """Return how far points, joints and shapes of a body are from its centre of gravity [m]."""
    places = [np.array(place) for place in body.points.values()]
    places += [place for joint in description.joints.values()
               for other, place in zip(joint.bodies, joint.places, strict=True)
               if other == body.name]
    centre = np.array(body.centre_of_gravity)
    ways = [np.linalg.norm(place - centre) for place in places]
    ways += [np.linalg.norm(solid.centre - centre) + 0.5 * max(solid.size)
             for solid in body.shapes]
    return float(max(ways, default=0.0))
