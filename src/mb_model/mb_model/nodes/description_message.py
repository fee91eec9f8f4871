"""A mechanism as the response of DescribeMechanism."""

from geometry_msgs.msg import Inertia, Point, Vector3
import numpy as np

from mb_interfaces.msg import Formulation, MechanismBody, MechanismJoint, MechanismPoint
from mb_model.assembly.body_motion import body_poses
from mb_model.assembly.places import point_places
from mb_model.integration.registry import FORMULATIONS
from mb_model.space.rotation import quaternion
from mb_ros.states import doubles
from mb_ros.vector_messages import pose_of, xyz


def describe(mechanism, response):
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
                       frames=list(map(pose_of, joint.places, map(quaternion, joint.frames))))
        for joint in mechanism.joints.values()]
    response.parameter_names = list(mechanism.parameters)
    response.formulations = [
        Formulation(name=name, description=kind.description,
                    integrators=list(kind.integrators))
        for name, kind in FORMULATIONS.items() if kind.serves(mechanism)]
    response.yaml = mechanism.text


def _points(mechanism, poses):
    """Return a MechanismPoint of every point, where it is at the start."""
    if mechanism.dimension == 2:
        places = point_places(mechanism, mechanism.q0)[0]
        return [MechanismPoint(name=point.name, fixed=point.fixed, position=Point(**xyz(place)))
                for point, place in zip(mechanism.points.values(), places, strict=True)]
    return [MechanismPoint(name=f'{body.name}.{point}',
                           position=Point(**xyz(poses[body.name][0][0]
                                                + poses[body.name][1][0] @ place)))
            for body in mechanism.bodies.values() for point, place in body.points.items()]


def _body(mechanism, body, origins, turns):
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
