"""What Adams reports of a motion, computed from ours.

Requests of a part: DISPLACEMENT, VELOCITY, ACCELERATION of its CM marker against the ground, in
global axes, angular velocity and acceleration too; ORIENT(27, ...), the Euler parameters of the
marker.  JOINT(id, 0, ...) and SFORCE(id, 0, ...): force and torque on the part of the I marker at
that marker, in global axes where RM is 0 or a marker that has them.  The torque is about the I
marker, also where the joint lets the parts slide away from each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model.adams.parts import Marker
from mb_model.arrays import FloatArray
from mb_model.mechanism_file.expressions import evaluate
from mb_model.registry.joints import COORDINATES
from mb_model.space.body import GROUND
from mb_model.space.rotation import quaternion
from mb_model.stepping.stepper import Stepper


@dataclass(frozen=True)
class Reaction:
    """A force to report: what connections do to a body, its torque about a point of the body.

    connections: names of joints, forces and constraints of the mechanism; at (3): in the body's
    frame [m].
    """

    connections: tuple[str, ...]
    body: str
    at: Sequence[float]


def reaction_on_i(raw: dict[str, Any]) -> Reaction:
    """Return what all joints and springs of an AdamsModel's mapping do to the part of I.

    That is the part of the I marker of the first of them; all connect the same two parts.
    """
    connections = raw['joints'] | raw['forces']
    first = next(entry for entry in connections.values() if 'bodies' in entry)
    return Reaction(tuple(connections), first['bodies'][1], first['at'][1])


def reported(stepper: Stepper, centre: Marker, reactions: dict[str, Reaction]
             ) -> dict[str, FloatArray]:
    """Return what Adams reports of the present state of a Stepper.

    Pos, Vel, Acc, Avel, Aacc (3) and Quat (4) of a marker; of each Reaction Rforce and Rtorque (3)
    with its name behind.
    """
    mechanism: Any = stepper.mechanism
    motions = {name: mechanism.body_motion(name, stepper.q, stepper.qd, stepper.qdd)
               for name in (GROUND, *mechanism.bodies)}
    motion = motions[centre.body]
    values = {'Pos': motion.position_of(centre.at),
             'Vel': motion.velocity_of(centre.at),
             'Acc': motion.acceleration_of(centre.at),
             'Quat': quaternion(motion.rotation @ centre.turn),
             'Avel': motion.angular_velocity, 'Aacc': motion.angular_acceleration}
    if reactions:
        pushes = _pushes(stepper, motions)
        for name, reaction in reactions.items():
            position, total = motions[reaction.body].position_of(reaction.at), np.zeros(6)
            for connection in reaction.connections:
                for body, at, force, moment in pushes[connection]:
                    if body == reaction.body:
                        total += np.r_[force, moment + np.cross(at - position, force)]
            values[f'Rforce{name}'], values[f'Rtorque{name}'] = total[:3], total[3:]
    return values


def _pushes(stepper: Any, motions: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return connection -> (body, position (3), force (3), moment (3)) in global axes, a list."""
    mechanism, reactions = stepper.mechanism, stepper.reactions()
    pushes = {}
    for name, joint in mechanism.joints.items():
        one = reactions.joints[name]
        force, moment = one.axes @ one.force, one.axes @ one.moment
        position = motions[joint.bodies[1]].position_of(joint.offsets[1])
        pushes[name] = [(joint.bodies[1], position, force, moment),
                       (joint.bodies[0], position, -force, -moment)]
    for name, force in mechanism.described.forces.items():
        k = mechanism.coordinates.index(force.coordinate)
        pushes[name] = _on_coordinate(mechanism, force.coordinate, motions,
                                     _force(force, stepper.q[k], stepper.qd[k]))
    for coordinate, constraint in mechanism.described.prescribed.items():
        lam = reactions.multipliers[f'constraints.{constraint.name}'][0]
        pushes[constraint.name] = _on_coordinate(mechanism, coordinate, motions, -lam)
    return pushes


def _force(force: Any, x: float, v: float) -> float:
    """Return the force of a spring and damper, linear or by expressions, at x and its rate v."""
    if force.kind == 'characteristic':
        return evaluate(force.of_coordinate, {'x': x}) + evaluate(force.of_rate, {'v': v})
    return -(force.stiffness * (x - force.rest) + force.viscous * v)


def _on_coordinate(mechanism: Any, name: str, motions: Mapping[str, Any],
                   force: float) -> list[Any]:
    """Return what a force on a coordinate does to bodies, see SpatialCoordinateKind.

    On the position of a body it is against the ground.
    """
    coordinate = mechanism.described.coordinates[name]
    joint = mechanism.joints.get(coordinate.joint)
    pushes = [(body, position, force * push, force * moment) for body, position, push, moment
             in COORDINATES[coordinate.kind].pushes(coordinate, joint, motions)]
    if len(pushes) == 1:
        (_, position, push, moment), = pushes
        pushes.append((GROUND, position, -push, -moment))
    return pushes
