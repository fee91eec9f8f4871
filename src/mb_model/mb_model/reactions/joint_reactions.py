"""Reactions of the semi-recursive formulation: bodies balanced one by one, the leaves first."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.kernels.joints import PRISMATIC
from mb_model.reactions.reactions import (
    Reactions,
    applied_pushes,
    couple,
    determined_reactions,
    forces_on_coordinates,
    pushes_of,
)
from mb_model.reactions.spanning_tree import Joint, SpanningTree


def joint_reactions(mechanism: Any, tree: SpanningTree, model: RecordArray, work: RecordArray
                    ) -> Reactions:
    """Return the Reactions in a workspace that kernels.semi_recursive has left.

    The loops push with lam, (gap_s)^T lam = what the joints do not balance; then what a body's
    inertia, weight, loops and children need, its joint gives.  multipliers: two of each cut joint
    (the force on its body), one of each slider or welded angle that closes a loop.
    """
    balance = _Balance(mechanism, tree, model[0], work[0])
    balance.add_inertia()
    balance.add_applied()
    multipliers = balance.add_loops()
    balance.add_joints()
    return Reactions(balance.pins, balance.couplings, multipliers,
                     *determined_reactions(mechanism, work['q'][0]))


class _Balance:
    """Wrenches (force and moment about the origin) that the bodies still miss, by joint."""

    def __init__(self, mechanism: Any, tree: SpanningTree, model: Any, work: Any) -> None:
        self.mechanism, self.tree, self.model, self.work = mechanism, tree, model, work
        self.q = work['q']
        self.order = {joint.body: k for k, joint in enumerate(tree.joints)}
        self.missing = np.zeros((len(tree.joints), 3))
        self.pins = {name: {point: np.zeros(2) for point in body.points}
                     for name, body in mechanism.bodies.items()}
        self.couplings = {}

    def add_inertia(self) -> None:
        """Mass times acceleration, less the weight."""
        for name, body in self.mechanism.bodies.items():
            pose = self.work['pose'][self.order[name] + 1]
            x, y = pose[:2] + _turned(pose, body.centre_of_gravity)
            twist, rate = (self.work[key][self.order[name] + 1] for key in ('twist', 'twist_dot'))
            u, v = twist[0] - twist[2] * y, twist[1] + twist[2] * x
            a = np.array([rate[0] - rate[2] * y - twist[2] * v, rate[1] + rate[2] * x
                          + twist[2] * u])
            force = body.mass * (a - self.mechanism.gravity)
            self.missing[self.order[name]] += (*force, body.inertia * rate[2]
                                               + x * force[1] - y * force[0])

    def add_applied(self) -> None:
        """Forces on coordinates: of points they act on pins, others by their equations.

        Other forces act on bodies, or on pins too.
        """
        for body, point, push in applied_pushes(self.mechanism, self.work):
            if body is not None:
                self._take(body, push, self._at(point))
            elif not self.mechanism.points[point].fixed:
                self._push_pin(point, push)
        moving = 2 * len(self.tree.owners)
        forces = forces_on_coordinates(self.mechanism, self.work)
        for point in self.tree.owners:
            k = self.mechanism.point_index(point)
            self._push_pin(point, forces[k:k + 2])
        for column in range(moving, self.mechanism.n):
            number = int(self.model['added_constraint'][column - moving])
            row = int(self.model['constraint_row'][number])
            self._push(number, [forces[column] / self.work['phi_q'][row, column]])

    def add_loops(self) -> dict[str, FloatArray]:
        """What closes the loops; return the multipliers."""
        rows = 2 * len(self.tree.cuts) + len(self.tree.loops)
        gap_s = self.work['gap_s'][:rows, :len(self.tree.joints)]
        unbalanced = np.array([
            self.work['axis'][k, :3] @ self._carried(k) for k in range(len(self.tree.joints))])
        lam = np.linalg.lstsq(gap_s.T, unbalanced, rcond=None)[0]
        multipliers = {}
        for k, (body, point) in enumerate(self.tree.cuts):
            force = lam[2 * k:2 * k + 2]
            multipliers[f'cut joint of {body} at {point}'] = force.copy()
            self.pins[body][point] = force.copy()
            self._take(body, force, self._at(point))
            if not self.mechanism.points[point].fixed:
                self._push_pin(point, -force)
        for number, value in zip(self.tree.loops, lam[2 * len(self.tree.cuts):], strict=True):
            multipliers[self.mechanism.equations[number].meaning] = np.array([value])
            self._push(number, [-value])
        return multipliers

    def add_joints(self) -> None:
        """What the joints of the tree transmit, from the leaves to the ground."""
        for k in reversed(range(len(self.tree.joints))):
            joint, wrench = self.tree.joints[k], self.missing[k].copy()
            if joint.kind == PRISMATIC:
                self._slide(joint, wrench)
                continue
            self.pins[joint.body][joint.pivot] = wrench[:2]
            if joint.parent is not None:
                self._push_pin(joint.pivot, -wrench[:2])

    def _slide(self, joint: Joint, wrench: FloatArray) -> None:
        """A prismatic joint pushes at the two points of its sliders, across its axis."""
        axis = self.work['axis'][self.order[joint.body]]
        across = np.array([-axis[1], axis[0]])
        (_, point), (_, other) = joint.sliders
        position, apart = self._at(point), self._at(other) - self._at(point)
        moment = wrench[2] - (position[0] * wrench[1] - position[1] * wrench[0])
        second = moment / (apart[0] * across[1] - apart[1] * across[0])
        pushes = (wrench[:2] @ across - second, second)
        for (number, point), push in zip(joint.sliders, pushes, strict=True):
            self._push_pin(point, push * across)
            self._push_line(number, joint.parent, point, -push * across)

    def _push_line(self, number: int, parent: str | None, point: str, force: FloatArray) -> None:
        """The reaction of a slider on the body of its line."""
        if parent is not None:
            self._push_body(self.mechanism.equations[number].meaning, parent, force,
                            self._at(point))

    def _push(self, number: int, lam: ArrayLike) -> None:
        """The forces of an equation with multipliers lam, on bodies and pins."""
        equation = self.mechanism.equations[number]
        for slot, (position, push) in enumerate(pushes_of(equation, self.q, np.array(lam))):
            body, index = equation.bodies[slot], equation.index[slot]
            if body is not None:
                self._push_body(equation.meaning, body, push, position)
            elif index < self.mechanism.n:
                self._push_pin(self.mechanism.coordinates[index].removesuffix('.x'), push)

    def _push_body(self, meaning: str, body: str, force: FloatArray, position: FloatArray) -> None:
        self._take(body, force, position)
        couple(self.mechanism, self.q, self.couplings.setdefault(meaning, {}), body, force,
               position)

    def _push_pin(self, point: str, force: FloatArray) -> None:
        """A force on the pin in a moving point: the body that carries the point takes it."""
        owner = self.tree.owners[point]
        self.pins[owner][point] = self.pins[owner][point] + force
        self._take(owner, force, self._at(point))

    def _take(self, body: str, force: FloatArray, position: FloatArray) -> None:
        self.missing[self.order[body]] -= (*force, position[0] * force[1] - position[1] * force[0])

    def _carried(self, k: int) -> FloatArray:
        """Return what the bodies that joint k carries miss together."""
        total = self.missing[k].copy()
        for child, joint in enumerate(self.tree.joints):
            if joint.parent is not None and self.order[joint.parent] == k:
                total += self._carried(child)
        return total

    def _at(self, point: str) -> FloatArray:
        k = self.mechanism.point_index(point)
        return self.q[k:k + 2]


def _turned(pose: FloatArray, offset: Sequence[float]) -> FloatArray:
    return np.array([pose[2] * offset[0] - pose[3] * offset[1],
                     pose[3] * offset[0] + pose[2] * offset[1]])
