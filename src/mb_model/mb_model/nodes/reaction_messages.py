"""Reactions of the joints as messages."""

from geometry_msgs.msg import Vector3, Wrench
import numpy as np

from mb_interfaces.msg import Reaction
from mb_model.assembly.body_motion import body_poses
from mb_model.assembly.places import point_places
from mb_model.mechanism.analysis import centres_of_gravity
from mb_model.space.body import GROUND
from mb_model.space.rotation import quaternion
from mb_ros.vector_messages import pose_of, xyz


def reaction_messages(mechanism, q, reactions):
    """Return a Reaction for every body at every joint, slider, weld and angle that acts on it.

    reactions: those of the mechanism at q (n).
    """
    return (_in_space if mechanism.dimension == 3 else _in_plane)(mechanism, q, reactions)


def _in_plane(mechanism, q, reactions):
    places = dict(zip(mechanism.points, point_places(mechanism, q)[0], strict=True))
    found = [_message(body, point, force, (0.0, 0.0, 0.0), places[point],
                      reactions.determined[body][point])
             for body, points in reactions.forces.items() for point, force in points.items()]
    centres = centres_of_gravity(mechanism, q)
    return found + [
        _message(body, name, force, (0.0, 0.0, moment), centres[body],
                 reactions.couplings_determined.get(name, True))
        for name, bodies in reactions.couplings.items() for body, (force, moment) in bodies.items()]


def _in_space(mechanism, q, reactions):
    found, poses = [], body_poses(mechanism, q)
    for name, reaction in reactions.joints.items():
        joint, axes = mechanism.joints[name], reaction.axes
        (origin,), (turn,) = poses[joint.bodies[1]]
        place = origin + turn @ joint.places[1]
        force, moment = axes @ reaction.force, axes @ reaction.moment
        found += [_message(body, name, sign * force, sign * moment, place, reaction.determined,
                           axes)
                  for body, sign in zip(joint.bodies, (-1.0, 1.0), strict=True) if body != GROUND]
    return found


def _message(body, joint, force, moment, place, determined, axes=None):
    return Reaction(body=body, joint=joint, determined=determined,
                    wrench=Wrench(force=Vector3(**xyz(force)), torque=Vector3(**xyz(moment))),
                    frame=pose_of(place, quaternion(np.eye(3) if axes is None else axes)))
