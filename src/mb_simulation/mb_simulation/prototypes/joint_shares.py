"""Coordinates of a mechanism as sums of the joints of MuJoCo's tree, where they are such."""

from collections.abc import Sequence

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import GROUND, SpatialTree, single
from mb_simulation.prototypes.pushed import joint_name, joint_of


def turned(tree: SpatialTree, bodies: Sequence[str]) -> dict[str, float]:
    """Return hinge -> its share in the angle from one body in the plane to another, without zeros.
    """
    carried = {hinge.group: hinge for hinge in tree.hinges}
    shares: dict[str, float] = {}
    for body, sign in zip(bodies, (-1.0, 1.0), strict=True):
        while body != GROUND:
            hinge = carried[body]
            for motion in hinge.chain:
                if not motion.slides:
                    name = joint_name(hinge, motion)
                    shares[name] = shares.get(name, 0.0) + sign
            body = hinge.parent
    return {name: share for name, share in shares.items() if share}


class JointShares:
    """The joints of MuJoCo's tree of a mechanism that coordinates are sums of."""

    def __init__(self, mechanism: Mechanism, tree: SpatialTree) -> None:
        """Take a mechanism and its body_tree."""
        self._mechanism, self._tree = mechanism, tree

    def of(self, name: str) -> dict[str, float]:
        """Return joint -> share in a coordinate, but for a constant; {} if it is no such sum."""
        one = self._mechanism.described.coordinates.get(name)
        if one is None:
            return {}
        if self._mechanism.dimension == 3:
            joint = joint_of(self._mechanism, self._tree, name) if one.joint else ''
            return {joint: 1.0} if joint else {}
        if one.kind == 'angle':
            return turned(self._tree, (GROUND, one.body))
        if one.kind == 'relative_angle':
            return turned(self._tree, one.bodies)
        return self._slide(one.points) if one.kind == 'slider' else {}

    def _slide(self, points: tuple[str, ...]) -> dict[str, float]:
        """Return the slide that is the travel of a point along a line on the body that carries it.
        """
        *along, point = points
        for hinge in self._tree.hinges:
            body = self._mechanism.bodies[hinge.group]
            on = (self._mechanism.bodies[hinge.parent].points if hinge.parent != GROUND else
                  [name for name, one in self._mechanism.points.items() if one.fixed])
            motion, *more = single(hinge.chain)
            if motion.slides and not more and point in body.points and set(along) <= set(on):
                parent = self._mechanism.body_motion(hinge.parent, self._mechanism.q0)
                axis = parent.rotation @ hinge.sides[0].axes @ motion.before[:, 2]
                first, second = map(self._position, along)
                share = float(axis[:2] @ (second - first) / np.linalg.norm(second - first))
                return {joint_name(hinge, motion): -share if motion.backwards else share}
        return {}

    def _position(self, point: str) -> FloatArray:
        """Return where a point in the plane is at the start (2)."""
        index, n = self._mechanism.point_index(point), self._mechanism.n
        where = self._mechanism.q0 if index < n else self._mechanism.model['fixed'][0]
        return where[index:index + 2]
