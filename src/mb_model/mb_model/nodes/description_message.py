"""A mechanism as the response of DescribeMechanism."""

from mb_interfaces.msg import Formulation, MechanismBody, MechanismPoint
from mb_model.assembly.places import point_places
from mb_model.integration.registry import FORMULATIONS
from mb_ros.states import doubles


def describe(mechanism, response):
    """Fill a response of DescribeMechanism."""
    response.name, response.description = mechanism.name, mechanism.description
    response.coordinates = list(mechanism.coordinates)
    response.units = [mechanism.unit(name) for name in mechanism.coordinates]
    response.independent = list(mechanism.independent)
    for name, values in (('q', mechanism.q0), ('z', mechanism.z0), ('zd', mechanism.zd0),
                         ('parameters', list(mechanism.parameters.values()))):
        setattr(response, name, doubles(values))
    response.gravity = mechanism.gravity
    places = point_places(mechanism, mechanism.q0)[0].tolist()
    response.points = [
        MechanismPoint(name=point.name, fixed=point.fixed, x=x, y=y)
        for point, (x, y) in zip(mechanism.points.values(), places, strict=True)]
    response.bodies = [
        MechanismBody(name=body.name, points=list(body.points), length=body.length, mass=body.mass,
                      centre_of_gravity=body.centre_of_gravity, inertia=body.inertia)
        for body in mechanism.bodies.values()]
    response.parameter_names = list(mechanism.parameters)
    response.formulations = [
        Formulation(name=name, description=kind.description,
                    integrators=list(kind.integrators))
        for name, kind in FORMULATIONS.items()]
    response.yaml = mechanism.text
