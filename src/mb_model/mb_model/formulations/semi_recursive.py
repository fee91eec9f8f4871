"""Semi-recursive formulation: relative joint coordinates, loops closed at cut joints."""

import numpy as np

from mb_model.formulations.accelerations import AccelerationStepper
from mb_model.kernels import entry_points, formulation_numbers
from mb_model.kernels.joints import PRISMATIC
from mb_model.reactions.joint_reactions import joint_reactions
from mb_model.reactions.spanning_tree import spanning_tree, write_tree


class SemiRecursive(AccelerationStepper):
    """Independent joint coordinates, chosen anew in each step; q and z follow from them.

    Raises MechanismError for a mechanism that is not a tree of revolute and prismatic joints with
    loops of such joints, sliders and welded angles.
    """

    kind = formulation_numbers.SEMI_RECURSIVE

    def __init__(self, mechanism, integrator=None, **settings):
        self.tree = spanning_tree(mechanism)
        super().__init__(mechanism, integrator, **settings)

    def _new_model(self):
        model = self.mechanism.model.copy()
        write_tree(self.mechanism, self.tree, model)
        return model

    def refresh(self):
        self._require(entry_points.solve_velocity(self.model, self.work))
        self._enter()
        self._require(entry_points.start_joints(self.model, self.work))

    @property
    def multipliers(self):
        """The multipliers of the loops, by what closes them: see joint_reactions."""
        return self.reactions().multipliers

    def reactions(self):
        return joint_reactions(self.mechanism, self.tree, self.model, self._balanced())

    def _enter(self):
        """Write joint coordinates and rates from the points in q and qd."""
        work = self.work[0]
        still = (0.0, np.zeros(2), np.zeros(2), 0.0)
        bodies = {None: still} | {name: self._motion(name) for name in self.mechanism.bodies}
        for k, joint in enumerate(self.tree.joints):
            angle, _, _, rate = bodies[joint.body]
            parent_angle, _, _, parent_rate = bodies[joint.parent]
            if joint.kind == PRISMATIC:
                axis = _turned(joint.axis, parent_angle)
                place, speed = _carry(bodies[joint.parent], joint.place)
                own, own_speed = _carry(bodies[joint.body], joint.own)
                work['s'][k], work['sd'][k] = (own - place) @ axis, (own_speed - speed) @ axis
            else:
                work['s'][k], work['sd'][k] = angle - parent_angle, rate - parent_rate

    def _motion(self, body):
        """Return angle, place, velocity and turning rate of a body."""
        i, j = self.mechanism.body_indices(body)
        q, qd = self.work['q'][0], self.work['qd'][0]
        u, ud = q[j:j + 2] - q[i:i + 2], qd[j:j + 2] - qd[i:i + 2]
        return np.arctan2(u[1], u[0]), q[i:i + 2], qd[i:i + 2], (
            u[0] * ud[1] - u[1] * ud[0]) / (u @ u)


def _turned(vector, angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def _carry(motion, place):
    """Return place and velocity of a place in a body's frame."""
    angle, origin, velocity, rate = motion
    arm = _turned(place, angle)
    return origin + arm, velocity + rate * np.array([-arm[1], arm[0]])
