"""A mechanism in space in Pinocchio: a tree of joints, and constraints where its loops are cut.

All its joints are zero where ours is when the model is made, so that its configuration is neutral
there.  Loops are cut at the joints that hold least: at ball joints by one point, at hinges by two
points of their axis, one row of which is redundant.  A slender body hangs on a universal joint; a
body that no joint ties to the ground floats.
"""

import numpy as np
import pinocchio as pin

from benchmarks.peers import frame_of_line, line_of, thin_inertia, universal_joints

HOLDS = {'weld': 6, 'revolute': 5, 'prismatic': 5, 'universal': 4, 'cylindrical': 4, 'spherical': 3}
PRECISION, REPEATS = 1e-14, 20     # of the proximal iterations, for rows that are redundant
APART = 0.1                        # of the two points of a hinge [m]


class PinocchioModel:
    """A mechanism of ours at q, with the velocity qd, in Pinocchio; v: its velocity."""

    def __init__(self, mechanism, q, qd):
        self._mechanism = mechanism
        self._motions = {name: mechanism.body_motion(name, q, qd) for name in mechanism.bodies}
        self.model = pin.Model()
        self.model.gravity.linear = np.array(mechanism.gravity)
        self._universal = universal_joints(mechanism)
        self._placed = {'ground': (0, pin.SE3.Identity())}     # body -> (joint, its frame in it)
        cut = self._add_tree()
        self.q, self.constraints = pin.neutral(self.model), self._constraints(cut)
        self.data = self.model.createData()
        self._records = pin.StdVec_RigidConstraintData()
        for constraint in self.constraints:
            self._records.append(constraint.createData())
        pin.initConstraintDynamics(self.model, self.data, self.constraints, self._records)
        self.settings = pin.ProximalSettings(PRECISION, 1e-12, REPEATS)
        self.v = self._velocity()

    def acceleration(self, q=None, v=None, forces=None):
        """Return the accelerations of its joints, at the configuration and velocity of ours."""
        q, v = (own if value is None else value for value, own in ((q, self.q), (v, self.v)))
        tau = np.zeros(self.model.nv) if forces is None else forces
        if len(self.constraints):
            return pin.constraintDynamics(self.model, self.data, q, v, tau, self.constraints,
                                          self._records, self.settings)
        return pin.aba(self.model, self.data, q, v, tau)

    def moved(self, q, way):
        """Return a configuration q moved along its joints by a way (nv)."""
        return pin.integrate(self.model, q, way)

    def derivatives(self):
        """Return the accelerations' derivatives by configuration and velocity.

        Those of all joints of the tree, as if they were free to move; evaluates the accelerations.
        """
        if len(self.constraints):
            self.acceleration()
            return pin.computeConstraintDynamicsDerivatives(
                self.model, self.data, self.constraints, self._records, self.settings)[:2]
        return pin.computeABADerivatives(self.model, self.data, self.q, self.v,
                                         np.zeros(self.model.nv))[:2]

    def body_accelerations(self):
        """Return body -> (acceleration of its frame's origin, angular acceleration), globally."""
        a = self.acceleration()
        pin.forwardKinematics(self.model, self.data, self.q, self.v, a)
        found = {}
        for name in self._mechanism.bodies:
            motion = pin.getFrameClassicalAcceleration(
                self.model, self.data, *self._placed[name], pin.LOCAL_WORLD_ALIGNED)
            found[name] = motion.linear, motion.angular
        return found

    def _add_tree(self):
        """Add joints and bodies, those that hold most first; return the joints that are left."""
        joints = list(self._mechanism.joints.values())
        group = {name: name for name in ('ground', *self._mechanism.bodies)}
        chosen = []
        for joint in sorted(joints, key=lambda one: -self._held(one)):
            first, second = (group[name] for name in joint.bodies)
            if first != second:
                chosen.append(joint)
                group = {name: first if of == second else of for name, of in group.items()}
        self._add_beyond('ground', chosen)
        for name in self._mechanism.bodies:
            if name not in self._placed:
                self._place(name, self.model.addJoint(
                    0, pin.JointModelFreeFlyer(), self._pose(name), name), pin.SE3.Identity())
                self._add_beyond(name, chosen)
        return [one for one in joints if one not in chosen]

    def _add_beyond(self, name, chosen):
        """Add what hangs on a body, branch by branch: Pinocchio wants subtrees in one piece."""
        for joint in chosen:
            if name in joint.bodies and not all(one in self._placed for one in joint.bodies):
                self._add_beyond(self._add(joint), chosen)

    def _held(self, joint):
        return HOLDS[self._kind(joint)]

    def _kind(self, joint):
        """Return the kind of a joint where slender bodies do not turn about themselves."""
        bodies = self._mechanism.bodies
        if joint.name in self._universal:
            return 'universal'
        if joint.kind == 'cylindrical' and all(
                name in bodies and bodies[name].slender for name in joint.bodies):
            return 'prismatic'
        return joint.kind

    def _pose(self, name):
        if name == 'ground':
            return pin.SE3.Identity()
        motion = self._motions[name]
        return pin.SE3(motion.rotation, motion.position)

    def _add(self, joint):
        """Add a joint of the tree with its outer body; return that."""
        inner = 0 if joint.bodies[0] in self._placed else 1
        parent, child = joint.bodies[inner], joint.bodies[1 - inner]
        number, in_joint = self._placed[parent]
        here = self._pose(joint.bodies[1]) * pin.SE3(self._axes(joint), joint.offsets[1])
        placement = in_joint * self._pose(parent).inverse() * here
        if joint.kind != 'weld':
            number = self.model.addJoint(
                number, JOINTS[self._kind(joint)](self._turns(joint, here)), placement, joint.name)
            placement = pin.SE3.Identity()
        self._place(child, number, placement * here.inverse() * self._pose(child))
        return child

    def _place(self, name, number, frame):
        """Let a joint carry a body, its frame being there."""
        body = self._mechanism.bodies[name]
        self._placed[name] = number, frame
        self.model.appendBodyToJoint(number, pin.Inertia(
            body.mass, np.array(body.centre_of_gravity), thin_inertia(body)), frame)

    def _axes(self, joint):
        """Return the joint's frame in its second body; z along the line of a slender one."""
        if joint.name not in self._universal:
            return joint.frames[1]
        slender = next(name for name in joint.bodies if name != 'ground'
                       and self._mechanism.bodies[name].slender)
        line = self._motions[slender].rotation @ line_of(self._mechanism.bodies[slender])
        return self._pose(joint.bodies[1]).rotation.T @ frame_of_line(line)

    def _turns(self, joint, here):
        """Return both axes of a universal joint in its own frame, that of the inner body first."""
        if joint.name in self._universal:
            return np.eye(3)[0], np.eye(3)[1]
        axes = [here.rotation.T @ self._pose(name).rotation @ turn[:, 2]
                for name, turn in zip(joint.bodies, joint.frames, strict=True)]
        return axes if joint.bodies[0] in self._placed else axes[::-1]

    def _constraints(self, cut):
        found = pin.StdVec_RigidConstraintModel()
        for joint in cut:
            if joint.kind not in ('spherical', 'revolute'):
                raise ValueError(f'joints.{joint.name}: a {joint.kind} joint is not cut here')
            for shift in (0.0,) if joint.kind == 'spherical' else (0.0, APART):
                sides = [(number, in_joint * pin.SE3(np.eye(3), place + shift * turn[:, 2]))
                         for (number, in_joint), place, turn in zip(
                             (self._placed[name] for name in joint.bodies), joint.offsets,
                             joint.frames, strict=True)]
                found.append(pin.RigidConstraintModel(
                    pin.ContactType.CONTACT_3D, self.model, *sides[0], *sides[1],
                    pin.ReferenceFrame.LOCAL))
        return found

    def _velocity(self):
        """Return v that gives all bodies the velocities they have in ours, by least squares."""
        pin.computeJointJacobians(self.model, self.data, self.q)
        rows, wanted = [], []
        for name, motion in self._motions.items():
            number, in_joint = self._placed[name]
            rows.append(pin.getFrameJacobian(self.model, self.data, number, in_joint,
                                             pin.LOCAL_WORLD_ALIGNED))
            wanted += [motion.velocity, motion.angular_velocity]
            if self._mechanism.bodies[name].slender:        # its turn about its line is free
                line = motion.rotation @ line_of(self._mechanism.bodies[name])
                rows[-1][3:] -= np.outer(line, line @ rows[-1][3:])
        return np.linalg.lstsq(np.concatenate(rows), np.concatenate(wanted), rcond=None)[0]


def _universal_joint(axes):
    joint = pin.JointModelComposite(2)
    for axis in axes:
        joint.addJoint(pin.JointModelRevoluteUnaligned(np.array(axis)), pin.SE3.Identity())
    return joint


def _sleeve(axes):
    joint = pin.JointModelComposite(2)
    joint.addJoint(pin.JointModelPZ(), pin.SE3.Identity())
    joint.addJoint(pin.JointModelRZ(), pin.SE3.Identity())
    return joint


JOINTS = {'revolute': lambda axes: pin.JointModelRZ(), 'prismatic': lambda axes: pin.JointModelPZ(),
          'spherical': lambda axes: pin.JointModelSpherical(), 'universal': _universal_joint,
          'cylindrical': _sleeve}
