"""A mechanism in space in EXUDYN: bodies with Euler parameters, generic joints, springs, gravity.

Bodies start as they do in ours.  A slender body is one without inertia about its line; its first
ball joint becomes a universal joint, and a sleeve of two of them a slideway, so that it cannot turn
about its line freely.
"""

from dataclasses import dataclass

import exudyn
from exudyn.itemInterface import (
    LoadMassProportional,
    MarkerBodyMass,
    MarkerBodyRigid,
    NodeRigidBodyEP,
    ObjectConnectorCartesianSpringDamper,
    ObjectConnectorDistance,
    ObjectConnectorRigidBodySpringDamper,
    ObjectConnectorSpringDamper,
    ObjectGround,
    ObjectJointGeneric,
    ObjectRigidBody,
)
import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.peers import frame_of_line, line_of, thin_inertia, universal_joints

TOLERANCE = 1e-10          # of Newton's increment, as in mb_model.kernels.index3_al
SOLVERS = ('EXUdense', 'EigenSparse')
# Which of x, y, z and the turns about them a joint holds, in the frame of its first body.
HELD = {'revolute': (1, 1, 1, 1, 1, 0), 'prismatic': (1, 1, 0, 1, 1, 1),
        'cylindrical': (1, 1, 0, 1, 1, 0), 'spherical': (1, 1, 1, 0, 0, 0),
        'universal': (1, 1, 1, 0, 0, 1), 'planar': (0, 0, 1, 1, 1, 0), 'weld': (1, 1, 1, 1, 1, 1)}


@dataclass(frozen=True)
class Body:
    """A body's node, its object and its centre of gravity in our frame."""

    node: int
    item: int
    centre: np.ndarray


class ExudynModel:
    """A mechanism of ours in EXUDYN; `run` simulates from the start."""

    def __init__(self, mechanism, held=None):
        """held: joint -> what it holds, in place of HELD, where the whole would be redundant."""
        self._mechanism, self._held = mechanism, held or {}
        self._container = exudyn.SystemContainer()
        self._system = self._container.AddSystem()
        self._bodies = {}
        q, qd = mechanism.q0, mechanism.velocity(mechanism.q0, mechanism.zd0)
        self._motions = {name: mechanism.body_motion(name, q, qd) for name in mechanism.bodies}
        self._ground = self._system.AddObject(ObjectGround())
        for body in mechanism.bodies.values():
            self._add_body(body)
        universal = universal_joints(mechanism)
        for joint in mechanism.joints.values():
            self._add_joint(joint, joint.name in universal)
        for force in mechanism.described.forces.values():
            self._add_spring(force)
        self._system.Assemble()

    def run(self, steps, dt, modified_newton=False, solver='EXUdense'):
        """Simulate by the trapezoidal rule; return body -> (place (3), rotation (3, 3)) of frames.

        solver: of linear equations, of SOLVERS.
        """
        settings = exudyn.SimulationSettings()
        settings.linearSolverType = getattr(exudyn.LinearSolverType, solver)
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = 2.0 * steps * dt
        run = settings.timeIntegration
        run.numberOfSteps, run.endTime, run.verboseMode = steps, steps * dt, 0
        run.adaptiveStep = False
        run.newton.useModifiedNewton = modified_newton
        run.newton.residualMode = 1      # tolerances apply to the increment
        run.newton.relativeTolerance = run.newton.absoluteTolerance = TOLERANCE
        if not self._system.SolveDynamic(
                settings, solverType=exudyn.DynamicSolverType.TrapezoidalIndex2):
            raise RuntimeError(f'{self._mechanism.name}: EXUDYN does not converge')
        return {name: self._pose(body) for name, body in self._bodies.items()}

    def _pose(self, body):
        kinds = exudyn.OutputVariableType
        place, turn = (np.array(self._system.GetNodeOutput(body.node, kind))
                       for kind in (kinds.Position, kinds.RotationMatrix))
        turn = turn.reshape(3, 3)
        return place - turn @ body.centre, turn

    def _add_body(self, body):
        motion, centre = self._motions[body.name], np.array(body.centre_of_gravity)
        turn, spin = quaternion(motion.rotation), motion.angular_velocity
        place = motion.position_of(centre)
        speed = motion.velocity + np.cross(spin, place - motion.position)
        inertia = thin_inertia(body)
        node = self._system.AddNode(NodeRigidBodyEP(
            referenceCoordinates=[*place, *turn],
            initialVelocities=[*speed, *(0.5 * product([0.0, *spin], turn))]))
        item = self._system.AddObject(ObjectRigidBody(
            physicsMass=body.mass, nodeNumber=node,
            physicsInertia=[*np.diag(inertia), inertia[1, 2], inertia[0, 2], inertia[0, 1]]))
        self._system.AddLoad(LoadMassProportional(
            markerNumber=self._system.AddMarker(MarkerBodyMass(bodyNumber=item)),
            loadVector=[*self._mechanism.gravity]))
        self._bodies[body.name] = Body(node, item, centre)

    def _marker(self, name, place):
        if name not in self._bodies:
            return self._system.AddMarker(MarkerBodyRigid(
                bodyNumber=self._ground, localPosition=[*place]))
        body = self._bodies[name]
        return self._system.AddMarker(MarkerBodyRigid(
            bodyNumber=body.item, localPosition=[*(np.asarray(place) - body.centre)]))

    def _add_joint(self, joint, universal):
        markers = [self._marker(name, place)
                   for name, place in zip(joint.bodies, joint.offsets, strict=True)]
        if joint.kind == 'distance':
            self._system.AddObject(ObjectConnectorDistance(
                markerNumbers=markers, distance=joint.numbers['length']))
            return
        kind, frames = joint.kind, joint.frames
        if universal:
            kind, frames = 'universal', self._cross_of_line(joint)
        elif kind == 'universal':
            # EXUDYN keeps x of the first frame across y of the second.
            frames = joint.frames[0][:, [2, 0, 1]], joint.frames[1][:, [1, 2, 0]]
        elif kind == 'cylindrical' and self._is_strut(joint):
            kind, frames = 'prismatic', self._alike(joint)
        self._system.AddObject(ObjectJointGeneric(
            markerNumbers=markers, rotationMarker0=frames[0], rotationMarker1=frames[1],
            constrainedAxes=list(self._held.get(joint.name, HELD[kind]))))

    def _is_strut(self, joint):
        return all(name in self._bodies and self._mechanism.bodies[name].slender
                   for name in joint.bodies)

    def _rotation(self, name):
        return self._motions[name].rotation if name in self._motions else np.eye(3)

    def _alike(self, joint):
        """Return frames of both bodies that agree at the start, z along the first one's axis."""
        first, second = (self._rotation(name) for name in joint.bodies)
        return joint.frames[0], second.T @ first @ joint.frames[0]

    def _cross_of_line(self, joint):
        """Return frames of both bodies with x and y across the slender one's line at the start."""
        slender = next(name for name in joint.bodies if name in self._bodies
                       and self._mechanism.bodies[name].slender)
        along = self._rotation(slender) @ line_of(self._mechanism.bodies[slender])
        return tuple(self._rotation(name).T @ frame_of_line(along) for name in joint.bodies)

    def _add_spring(self, force):
        """Springs between two places, those on the length of a leg among them, and tyres."""
        if force.kind == 'tyre':
            self._add_tyre(force)
            return
        if force.kind != 'spring_damper':
            raise ValueError(f'{self._mechanism.name}: {force} is not made in EXUDYN here')
        coordinate = self._mechanism.described.coordinates[force.coordinate]
        if coordinate.kind == 'angle':
            raise ValueError(f'{self._mechanism.name}: springs of angles are not made in EXUDYN')
        bodies, places = coordinate.bodies, coordinate.offsets
        if coordinate.kind == 'slider':
            joint = self._mechanism.joints[coordinate.joint]
            bodies, places = joint.bodies, joint.offsets
            if joint.kind == 'prismatic':       # it may have no length at rest
                self._add_along(joint, force)
                return
        if coordinate.kind == 'position':       # a tyre, between the ground and the body
            up = np.eye(3)[coordinate.part]
            self._system.AddObject(ObjectConnectorCartesianSpringDamper(
                markerNumbers=[self._marker('ground', np.zeros(3)),
                               self._marker(bodies[0], places[0])],
                stiffness=[*(force.stiffness * up)], damping=[*(force.viscous * up)],
                offset=[*(force.rest * up)]))
            return
        self._system.AddObject(ObjectConnectorSpringDamper(
            markerNumbers=[self._marker(name, place)
                           for name, place in zip(bodies, places, strict=True)],
            stiffness=force.stiffness, damping=force.viscous, referenceLength=force.rest))

    def _add_along(self, joint, force):
        """A spring on the way of a slideway."""
        along = np.diag([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        self._system.AddObject(ObjectConnectorRigidBodySpringDamper(
            markerNumbers=[self._marker(name, place) for name, place in zip(
                joint.bodies, joint.offsets, strict=True)],
            rotationMarker0=joint.frames[0], rotationMarker1=joint.frames[1],
            stiffness=force.stiffness * along, damping=force.viscous * along,
            offset=[0.0, 0.0, force.rest, 0.0, 0.0, 0.0]))

    def _add_tyre(self, tyre):
        """A tyre by a function of ours that is no part of mb_model, between ground and wheel."""
        wheel = self._bodies[tyre.body].item
        turned = exudyn.OutputVariableType.RotationMatrix

        def force(system, t, number, place, turn, speed, spin, *_):
            axis = np.reshape(system.GetObjectOutputBody(wheel, turned), (3, 3)) @ tyre.axis
            push, moment = tyre_force(tyre.values, np.array(place), np.array(speed), axis,
                                      np.array(spin))
            return [*-push, *-moment]

        self._system.AddObject(ObjectConnectorRigidBodySpringDamper(
            markerNumbers=[self._marker('ground', np.zeros(3)), self._marker(tyre.body, tyre.at)],
            springForceTorqueUserFunction=force))


def quaternion(turn):
    """Return the Euler parameters (w, x, y, z) of a rotation matrix."""
    return np.roll(Rotation.from_matrix(turn).as_quat(), 1)


def product(p, q):
    """Return the product of two quaternions."""
    return np.array([p[0] * q[0] - np.dot(p[1:], q[1:]),
                     *(p[0] * np.array(q[1:]) + q[0] * np.array(p[1:]) + np.cross(p[1:], q[1:]))])


def tyre_force(values, centre, speed, axis, spin):
    """Return force (3) and moment about the centre (3) of a tyre with Fiala's curve on z = 0.

    values: radius, stiffness, damping, cornering stiffness, slip stiffness, friction, standstill
    speed; speed: of the centre; axis, spin: of the wheel, all in global axes.
    """
    radius, stiffness, damping, cornering, slip, friction, standstill = values[:7]
    up = np.array([0.0, 0.0, 1.0])
    ahead = np.cross(axis, up)
    lean = np.linalg.norm(ahead)                     # cosine of camber
    ahead /= lean
    spoke = np.cross(axis, ahead)                    # in the wheel's plane, downwards
    spoke *= -np.sign(spoke[2])
    reach = centre[2] / lean
    if reach >= radius:
        return np.zeros(3), np.zeros(3)
    arm = reach * spoke
    rim = speed + np.cross(spin, arm)
    load = (stiffness * (radius - reach) - damping * rim[2] / lean) / lean
    if load <= 0.0:
        return np.zeros(3), np.zeros(3)
    across = np.cross(up, ahead)
    pace = np.hypot(speed @ ahead, standstill)
    wanted = -np.array([slip * (rim @ ahead), cornering * (rim @ across)]) / pace
    size, most = np.hypot(*wanted), friction * load
    if size >= 3.0 * most:
        given = most / size * wanted
    else:
        given = wanted * (1.0 - size / (3.0 * most) + size ** 2 / (27.0 * most ** 2))
    force = load * up + given[0] * ahead + given[1] * across
    return force, np.cross(arm, force)
