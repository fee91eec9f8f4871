"""A mechanism in the plane as bodies and joints in space: spatial_description(mechanism).

Its plane is z = 0; body_tree(mechanism) spans it, and mechanism.body_motion has the poses.

A point of two bodies is a hinge about z; a point on a line of another body is a pin in a slot.  Two
points of one body on one line, or one of a body at a constant angle, slide without a turn; bodies
at a constant angle that share a point are welded there.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import point_positions
from mb_model.mechanism_file.description import Description, MechanismError
from mb_model.space.body import GROUND, SpatialBody
from mb_model.space.joint import Joint
from mb_model.space.motion import about_z
from mb_model.space.rotation import TO_CROSS

_ALONG_X = TO_CROSS        # columns of a frame whose z is the x axis of another one


def spatial_description(mechanism: Any) -> Description:
    """Return the Description in space of a mechanism in the plane: its bodies and joints.

    Bodies are SpatialBodies with the frames, points and masses of the file and the ground beside
    them, GROUND; of the inertia only that about z counts.  Of each joint there are two, which carry
    one body or the other: the second of its `bodies`.  The carried body turns against the other
    one, and the point slides along the line, from its first point on.  Joint.point: the point of a
    hinge or a weld; Joint.constraints: which ones the joint stands for.
    Raises MechanismError for a body with the name of the ground.
    """
    described = mechanism.described
    if GROUND in described.bodies:
        raise MechanismError(f'{mechanism.file}: bodies.{GROUND}: is the name of what does not '
                             'move, take another one')
    bodies = {name: SpatialBody(
        name, {point: (*at, 0.0) for point, at in body.points.items()}, body.mass,
        (*body.centre_of_gravity, 0.0), body.inertia * np.eye(3))
        for name, body in described.bodies.items()}
    joints = _Joints(mechanism)
    tied = [*joints.slots(), *joints.welds(), *joints.hinges()]
    return replace(described, dimension=3, gravity=(*described.gravity, 0.0), bodies=bodies,
                   points={}, joints={joint.name: joint for joint in tied})


class _Joints:
    """The joints of a mechanism in the plane, between two bodies each."""

    def __init__(self, mechanism: Any) -> None:
        """Note the points of bodies (2), and the angles of these at the start."""
        described = mechanism.described
        self._constraints = described.constraints
        positions = dict(zip(mechanism.points, point_positions(mechanism, mechanism.q0)[0],
                             strict=True))
        self._points = {GROUND: {name: positions[name] for name, point in described.points.items()
                                 if point.fixed}}
        self._angles = {GROUND: 0.0}
        for name, body in described.bodies.items():
            self._points[name] = body.points
            first, second = (positions[point] for point in list(body.points)[:2])
            self._angles[name] = float(np.arctan2(*(second - first)[::-1]))

    def hinges(self) -> Iterator[Joint]:
        """Yield the joints of points that two bodies share."""
        for first, points in self._points.items():
            for point in points:
                for second in self._with(point):
                    if second != first:
                        yield self._joint('revolute', (first, second), (point, point), point,
                                          (np.eye(3), np.eye(3)))

    def welds(self) -> Iterator[Joint]:
        """Yield the joints of bodies at a constant angle."""
        for name, pair in self._welded().items():
            for bodies in (pair[::-1], pair):
                first, second = bodies
                point = next((point for point in self._points[second]
                              if point in self._points[first]), '')
                kind, points = ('weld' if point else 'same_angle'), (point, point)
                yield self._joint(kind, bodies, points, point, (
                    about_z(self._angles[second] - self._angles[first]), np.eye(3)), (name,))

    def slots(self) -> Iterator[Joint]:
        """Yield the joints of points on lines."""
        sliders = {name: one.points for name, one in self._constraints.items()
                   if one.kind == 'slider'}
        for name, (start, end, point) in sliders.items():
            line = next(body for body, points in self._points.items() if {start, end} <= {*points})
            for other in self._with(point):
                twins = [weld for weld, pair in self._welded().items() if {*pair} == {line, other}]
                twins += [twin for twin, points in sliders.items() if twin != name and {
                    *points[:2]} == {start, end} and points[2] in self._points[other]]
                yield from self._slot(line, other, (start, end, point), (name, *twins[:1]))

    def _slot(self, line: str, other: str, points: tuple[str, str, str],
              constraints: tuple[str, ...]) -> Iterator[Joint]:
        """Yield both joints of a point of a body on a line of another one."""
        start, end, point = points
        along = np.subtract(self._points[line][end], self._points[line][start])
        angle = float(np.arctan2(along[1], along[0]))
        turn = self._angles[line] - self._angles[other]
        for slot, bodies in enumerate(((line, other), (other, line))):
            own = angle + slot * np.pi      # where the line moves, it does so against its direction
            if len(constraints) > 1:
                kind, frames = 'prismatic', [about_z(one) @ _ALONG_X for one in (own, own + turn)]
            else:
                kind, frames = 'pin_in_slot', 2 * [about_z(own)]
            at = (point, start) if slot else (start, point)
            first, second = frames[::-1] if slot else frames
            yield self._joint(kind, bodies, at, '', (first, second), constraints,
                              {'slot': slot} if kind == 'pin_in_slot' else {})

    def _joint(self, kind: str, bodies: tuple[str, str], points: tuple[str, str], point: str,
               frames: tuple[FloatArray, FloatArray], constraints: tuple[str, ...] = (),
               numbers: dict[str, float] | None = None) -> Joint:
        """Return a joint of two bodies at points of them; '': the origins of their frames."""
        first, second = (np.array([*(self._points[body][at] if at else (0.0, 0.0)), 0.0])
                         for body, at in zip(bodies, points, strict=True))
        return Joint('/'.join((*bodies, *(constraints or (point,)))), kind, bodies, (first, second),
                     frames, numbers or {}, point=point, constraints=constraints)

    def _welded(self) -> dict[str, tuple[str, str]]:
        """Return constraint -> two bodies at a constant angle."""
        return {name: one.bodies for name, one in self._constraints.items()
                if one.kind == 'welded_angle'}

    def _with(self, point: str) -> list[str]:
        """Return the bodies that have a point."""
        return [body for body, points in self._points.items() if point in points]
