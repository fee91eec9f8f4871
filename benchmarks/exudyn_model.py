"""A mechanism of pinned bodies in EXUDYN: rigid bodies in the plane, revolute joints, gravity."""

import exudyn
from exudyn.itemInterface import (
    LoadMassProportional,
    MarkerBodyMass,
    MarkerBodyPosition,
    NodeRigidBody2D,
    ObjectGround,
    ObjectJointRevolute2D,
    ObjectRigidBody2D,
)
import numpy as np

from mb_model import point_positions

TOLERANCE = 1e-10          # of the increment, as in mb_model.kernels.index3_al


def simulate(mechanism, steps, dt, body, modified_newton):
    """Return the angle [rad] of a body after steps of dt [s] from the mechanism's start."""
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    nodes = _add_bodies(system, mechanism)
    system.Assemble()
    settings = exudyn.SimulationSettings()
    settings.linearSolverType = exudyn.LinearSolverType.EXUdense
    settings.solutionSettings.writeSolutionToFile = False
    run = settings.timeIntegration
    run.numberOfSteps, run.endTime = steps, steps * dt
    run.adaptiveStep = False
    run.verboseMode = 0
    run.newton.useModifiedNewton = modified_newton
    run.newton.residualMode = 1      # tolerances apply to the increment
    run.newton.relativeTolerance = run.newton.absoluteTolerance = TOLERANCE
    system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.TrapezoidalIndex2)
    node = nodes[body]
    return (system.GetNode(node)['referenceCoordinates'][2]
            + system.GetNodeOutput(node, exudyn.OutputVariableType.Coordinates)[2])


def _add_bodies(system, mechanism):
    """Add bodies, gravity and joints; return body -> node."""
    places = dict(zip(mechanism.points, point_positions(mechanism, mechanism.q0)[0], strict=True))
    ground = system.AddObject(ObjectGround())
    nodes, pins = {}, {name: [] for name in places}
    for name, point in mechanism.points.items():
        if point.fixed:
            pins[name].append(_marker(system, ground, point.position))
    for body in mechanism.bodies.values():
        first, second = (places[name] for name in list(body.points)[:2])
        along = (second - first) / body.length
        centre = np.array(body.centre_of_gravity)
        place = first + centre[0] * along + centre[1] * np.array([-along[1], along[0]])
        nodes[body.name] = system.AddNode(NodeRigidBody2D(
            referenceCoordinates=[*place, np.arctan2(along[1], along[0])]))
        item = system.AddObject(ObjectRigidBody2D(
            mass=body.mass, inertia=body.inertia, nodeNumber=nodes[body.name]))
        system.AddLoad(LoadMassProportional(
            markerNumber=system.AddMarker(MarkerBodyMass(bodyNumber=item)),
            loadVector=[*mechanism.gravity, 0.0]))
        for name, local in body.points.items():
            pins[name].append(_marker(system, item, local - centre))
    for first, *others in filter(None, pins.values()):
        for other in others:
            system.AddObject(ObjectJointRevolute2D(markerNumbers=[first, other]))
    return nodes


def _marker(system, item, place):
    return system.AddMarker(MarkerBodyPosition(bodyNumber=item, localPosition=[*place, 0.0]))
