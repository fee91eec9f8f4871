"""Answers of the model server as messages, and the numbers of any message."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from geometry_msgs.msg import Inertia, Point, Vector3, Wrench
import numpy as np

from mb_interfaces.msg import Formulation, MechanismBody, MechanismJoint, MechanismPoint, Reaction
from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import body_poses, point_positions
from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import Mechanism
from mb_model.mechanism.analysis import centres_of_gravity
from mb_model.space.body import GROUND
from mb_model.space.rotation import quaternion
from mb_ros.states import doubles, pose_of, xyz


def describe(mechanism: Mechanism, response: Any) -> None:
    """Fill a response of DescribeMechanism."""
    response.name, response.description = mechanism.name, mechanism.description
    response.dimension = mechanism.dimension
    response.coordinates = list(mechanism.coordinates)
    response.units = [mechanism.unit(name) for name in mechanism.coordinates]
    response.independent = list(mechanism.independent)
    for name, values in (('q', mechanism.q0), ('z', mechanism.z0), ('zd', mechanism.zd0),
                         ('parameters', list(mechanism.parameters.values()))):
        setattr(response, name, doubles(values))
    response.gravity = Vector3(**xyz(mechanism.gravity))
    poses = body_poses(mechanism, mechanism.q0)
    response.points = _points(mechanism, poses)
    response.bodies = [_body(mechanism, body, *poses[body.name])
                       for body in mechanism.bodies.values()]
    response.joints = [
        MechanismJoint(name=joint.name, kind=joint.kind, bodies=list(joint.bodies),
                       frames=list(map(pose_of, joint.offsets, map(quaternion, joint.frames))))
        for joint in mechanism.joints.values()]
    response.parameter_names = list(mechanism.parameters)
    response.formulations = [
        Formulation(name=name, description=kind.description,
                    integrators=list(kind.integrators))
        for name, kind in FORMULATIONS.items() if kind.serves(mechanism)]
    response.yaml = mechanism.text


def _points(mechanism: Mechanism,
            poses: Mapping[str, tuple[FloatArray, FloatArray]]) -> list[MechanismPoint]:
    """Return a MechanismPoint of every point, where it is at the start."""
    if mechanism.dimension == 2:
        positions = point_positions(mechanism, mechanism.q0)[0]
        return [MechanismPoint(name=point.name, fixed=point.fixed, position=Point(**xyz(position)))
                for point, position in zip(mechanism.points.values(), positions, strict=True)]
    return [MechanismPoint(name=f'{body.name}.{point}',
                           position=Point(**xyz(poses[body.name][0][0]
                                                + poses[body.name][1][0] @ offset)))
            for body in mechanism.bodies.values() for point, offset in body.points.items()]


def _body(mechanism: Mechanism, body: Any, origins: FloatArray, turns: FloatArray) -> MechanismBody:
    """Return the MechanismBody of a body whose frame has an origin (1, 3) and a turn (1, 3, 3)."""
    message = MechanismBody(name=body.name, pose=pose_of(origins[0], quaternion(turns[0])))
    inertia = np.zeros((3, 3))
    if mechanism.dimension == 2:
        message.points = list(body.points)
        inertia[2, 2] = body.inertia
    else:
        message.points = [f'{body.name}.{point}' for point in body.points]
        message.slender = body.slender
        inertia = body.inertia
    message.inertia = Inertia(
        m=body.mass, com=Vector3(**xyz(body.centre_of_gravity)),
        **{f'i{"xyz"[i]}{"xyz"[j]}': float(inertia[i, j]) for i in range(3) for j in range(i, 3)})
    return message


def reaction_messages(mechanism: Mechanism, q: FloatArray, reactions: Any) -> list[Reaction]:
    """Return a Reaction for every body at every joint, slider, weld and angle that acts on it.

    reactions: of the mechanism at q (n).
    """
    return (_in_space if mechanism.dimension == 3 else _in_plane)(mechanism, q, reactions)


def _in_plane(mechanism: Mechanism, q: FloatArray, reactions: Any) -> list[Reaction]:
    positions = dict(zip(mechanism.points, point_positions(mechanism, q)[0], strict=True))
    messages = [_message(body, point, force, (0.0, 0.0, 0.0), positions[point],
                      reactions.determined[body][point])
             for body, points in reactions.forces.items() for point, force in points.items()]
    centres = centres_of_gravity(mechanism, q)
    return messages + [
        _message(body, name, force, (0.0, 0.0, moment), centres[body],
                 reactions.couplings_determined.get(name, True))
        for name, bodies in reactions.couplings.items() for body, (force, moment) in bodies.items()]


def _in_space(mechanism: Mechanism, q: FloatArray, reactions: Any) -> list[Reaction]:
    messages, poses = [], body_poses(mechanism, q)
    for name, reaction in reactions.joints.items():
        joint, axes = mechanism.joints[name], reaction.axes
        (origin,), (turn,) = poses[joint.bodies[1]]
        position = origin + turn @ joint.offsets[1]
        force, moment = axes @ reaction.force, axes @ reaction.moment
        messages += [_message(body, name, sign * force, sign * moment, position,
                              reaction.determined, axes)
                  for body, sign in zip(joint.bodies, (-1.0, 1.0), strict=True) if body != GROUND]
    return messages


def _message(body: str, joint: str, force: Iterable[float], moment: Iterable[float],
             position: Iterable[float], determined: bool,
             axes: FloatArray | None = None) -> Reaction:
    return Reaction(body=body, joint=joint, determined=determined,
                    wrench=Wrench(force=Vector3(**xyz(force)), torque=Vector3(**xyz(moment))),
                    frame=pose_of(position, quaternion(np.eye(3) if axes is None else axes)))


_KINDS = 'double', 'float'


def numbers_of(message: Any) -> Iterator[tuple[str, Any]]:
    """Yield (name of the field, its numbers) of a message and of those within it."""
    for name, kind in message.get_fields_and_field_types().items():
        value = getattr(message, name)
        if any(word in kind for word in _KINDS):
            yield name, value
        elif hasattr(value, 'get_fields_and_field_types'):
            yield from numbers_of(value)
        elif isinstance(value, list):
            for one in value:
                if hasattr(one, 'get_fields_and_field_types'):
                    yield from numbers_of(one)


def not_finite(message: Any) -> list[str]:
    """Return the names of the fields of a message with numbers that are not finite."""
    return list(dict.fromkeys(name for name, numbers in numbers_of(message)
                              if not np.isfinite(numbers).all()))
