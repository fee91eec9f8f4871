"""What a mechanism looks like: outlines that follow its points, for pictures and pages alike."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import point_positions
from mb_model.constraints.relation import Coordinate
from mb_model.forces.acting import Force
from mb_model.pictures.parts.colours import COLOURS, INK, PALE, tint
from mb_model.pictures.plane.symbols import (
    CIRCLE,
    DAMPER_SHARE,
    GROUND,
    HATCH,
    LEAD,
    SIDE,
    SPIRAL,
    barrel,
    block,
    convex_hull,
    cylinder,
    lead,
    piston,
    rail,
    zigzag,
)

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism

_ALONG = 25         # vertices along a bar that bends


@dataclass(frozen=True)
class Shape:
    """An outline (v, 2), drawn at origin + x e1 + y e2; pose (k, 3, 2) holds these for k frames.

    A body that bends has more columns, its shapes, and more vectors: their deflections.
    A shape that keeps still has one frame.  nan separates the pieces of an open outline; fill: ''
    for none, else the outline is closed.  width: of the line [points]; layer: from back to front.
    """

    name: str
    outline: FloatArray
    pose: FloatArray
    stroke: str = INK
    fill: str = ''
    width: float = 1.0
    layer: int = 0
    dashed: bool = False

    def vertices(self) -> FloatArray:
        """Return the outline in every frame (k, v, 2) [m]."""
        return self.pose[:, :1] + self.outline @ self.pose[:, 1:]


def shapes_of(mechanism: 'Mechanism', q: ArrayLike) -> list[Shape]:
    """Return the Shapes of a mechanism, from back to front, at coordinates q (n) or (k, n)."""
    scene = _Scene(mechanism, q)
    shapes = [*scene.links(), *scene.joints(), *scene.sliders(), *scene.forces(),
              *scene.distances()]
    return sorted(shapes, key=lambda shape: shape.layer)


class _Scene:
    """The points of a mechanism in all frames, and the size of symbols, `unit` [m]."""

    def __init__(self, mechanism: 'Mechanism', q: ArrayLike) -> None:
        self.described, self._q = mechanism.described, np.atleast_2d(q)
        self._indices_of = mechanism.indices
        positions = point_positions(mechanism, q)
        self.positions = {name: positions[:, k] for k, name in enumerate(mechanism.points)}
        lengths = [body.length for body in self.described.bodies.values()]
        extent = np.ptp(point_positions(mechanism, mechanism.q0)[0], axis=0).max()
        self.unit = min(0.018 * max(extent, max(lengths)), 0.08 * float(np.median(lengths)))

    def links(self) -> Iterator[Shape]:
        """Yield every body in its shape; one without is the hull of its points, rounded."""
        for k, (name, body) in enumerate(self.described.bodies.items()):
            if body.beam is not None:
                yield from self._bent(name, body, COLOURS[k % len(COLOURS)])
                continue
            ends, radius = ((body.shape.ends, body.shape.radius) if body.shape else
                            (body.points.values(), 1.3 * self.unit))
            corners = np.concatenate([radius * CIRCLE + local for local in ends])
            colour = COLOURS[k % len(COLOURS)]
            yield Shape(name, convex_hull(corners), self._pose_of(body),
                        colour, tint(colour), 1.2, layer=2)

    def _bent(self, name: str, body: Any, colour: str) -> Iterator[Shape]:
        """Yield a bar that bends, and brackets to its further points."""
        radius, beam, pose = 1.3 * self.unit, body.beam, self._pose_of(body)
        modes = self._q[:, self._indices_of(body.modes)]
        chord = self.positions[list(body.points)[1]] - pose[:, 0]
        pose[:, 1] = chord / beam.length
        pose = np.concatenate([pose, modes[:, :, None] * pose[:, 2:]], axis=1)
        x, turn = np.linspace(0.0, beam.length, _ALONG), np.linspace(-0.5 * np.pi, 0.5 * np.pi, 12)
        cap = radius * np.column_stack([np.cos(turn), np.sin(turn)])
        side, end = np.column_stack([x, np.full(_ALONG, -radius)]), np.array([beam.length, 0.0])
        outline = np.concatenate([side, cap + end, end - side, -cap])
        bent = np.array([beam.deflection(at) for at in np.clip(outline[:, 0], 0.0, beam.length)])
        yield Shape(name, np.hstack([outline, bent]), pose, colour, tint(colour), 1.2, layer=2)
        for point in list(body.points)[2:]:
            along = body.points[point][0]
            at = pose[:, 0] + np.r_[along, 0.0, beam.deflection(along)] @ pose[:, 1:]
            yield Shape(name, np.array([[0.0, 0.0], [1.0, 0.0]]), np.stack([
                at, self.positions[point] - at, at], axis=1), colour, width=4.0, layer=2)

    def joints(self) -> Iterator[Shape]:
        """Yield a pin at every point of a body, and the ground under fixed ones."""
        held = {name for body in self.described.bodies.values() for name in body.points}
        held |= {name for coordinate in self._sprung() for name in coordinate.points}
        held |= {constraint.points[2] for constraint in self._constraints('slider')}
        for name, point in self.described.points.items():
            if name not in held:
                continue
            at = self._upright(self.positions[name][:1] if point.fixed else self.positions[name])
            if point.fixed:
                yield Shape(f'ground of {name}', HATCH, at, width=0.8)
                yield Shape(f'support of {name}', GROUND, at, fill='#e4e4e4', layer=1)
            yield Shape(name, 0.62 * CIRCLE, at, fill=PALE, width=1.2, layer=6)

    def sliders(self) -> Iterator[Shape]:
        """Yield a block on every line, and one rail for each line that is fixed.

        A line that slides through a fixed point is in a cylinder that swings about it.
        """
        travels: dict[tuple[str, str], list[Any]] = {}
        for constraint in self._constraints('slider'):
            first, second, point = constraint.points
            along = self._towards(first, second)
            at = along.copy()
            at[:, 0] = self.positions[point]
            if self.described.points[point].fixed:
                yield self._barrel(constraint.name, first, second, at)
                continue
            still = all(self.described.points[name].fixed for name in (first, second))
            yield Shape(f'block of {constraint.name}', self.unit * block(), at, fill='#d0d0d0',
                        layer=1 if still else 4)
            if still:
                travel = ((self.positions[point] - along[:, 0]) * along[:, 1]).sum(axis=1)
                travels.setdefault((first, second), []).append(travel / self.unit)
        for (first, second), travel in travels.items():
            yield Shape(f'rail from {first} to {second}',
                        self.unit * rail(np.min(travel) - 6.0, np.max(travel) + 6.0),
                        self._towards(first, second)[:1], width=0.9)

    def _barrel(self, name: str, first: str, second: str, at: FloatArray) -> Shape:
        """Return the barrel at poses, with room for the nearer end of a moving line."""
        reach = [((self.positions[end] - at[:, 0]) * at[:, 1]).sum(axis=1) / self.unit
                 for end in (first, second)]
        near = min(reach, key=lambda reached: np.abs(reached).max())
        return Shape(f'barrel of {name}', self.unit * barrel(near.min(), near.max()), at,
                     fill='#e4e4e4', layer=1)

    def forces(self) -> Iterator[Shape]:
        """Yield springs and dampers, between points or around joints."""
        for force in self._springs():
            acted = self.described.coordinates.get(force.coordinate, force)
            if acted.points and acted in (*self._sprung(), force):
                yield from self._between(force, *acted.points)
            elif acted.bodies and force.stiffness > 0.0:
                pose = self.unit * self._pose_of(self.described.bodies[acted.bodies[-1]])
                pose[:, 0] = self.positions[self._hinge(acted)]
                yield Shape(force.name, SPIRAL, pose, width=1.1, layer=5)

    def distances(self) -> Iterator[Shape]:
        """Yield a dashed line for every distance that nothing else shows."""
        for coordinate in self.described.coordinates.values():
            if coordinate.kind == 'distance' and coordinate not in self._sprung():
                first, second = coordinate.points
                yield Shape(coordinate.name, np.array([[0.0, 0.0], [1.0, 0.0]]),
                            self._towards(first, second, stretched=True), '#777777', width=0.9,
                            layer=1, dashed=True)

    def _between(self, force: Force, first: str, second: str) -> Iterator[Shape]:
        """Yield a spring and a damper, side by side if there are both."""
        spring, damper = force.stiffness > 0.0, force.viscous > 0.0
        side = SIDE if spring and damper else 0.0
        there, back = self._towards(first, second), self._towards(second, first)
        lengths = np.linalg.norm(self.positions[second] - self.positions[first], axis=1) / self.unit
        for pose in (there, back):
            pose[:, 1:] *= self.unit
        if spring:
            inner = there.copy()
            inner[:, 0] += LEAD * there[:, 1]
            inner[:, 1] *= np.maximum(lengths - 2.0 * LEAD, 1.0)[:, None]
            yield Shape(force.name, zigzag(side), inner, width=1.3, layer=5)
            yield Shape(force.name, lead(side), there, width=1.3, layer=5)
            yield Shape(force.name, lead(-side), back, width=1.3, layer=5)
        if damper:
            begin, end = DAMPER_SHARE * lengths.min(), lengths.min() - LEAD
            middle = 0.5 * (lengths.min() + lengths.max())
            yield Shape(force.name, cylinder(-side, begin, end), there, width=1.3, layer=5)
            yield Shape(force.name, piston(side, middle - 0.5 * (begin + end)), back, width=1.3,
                        layer=5)

    def _sprung(self) -> list[Coordinate]:
        """Return the distances that a spring or damper acts along."""
        acted = {force.coordinate for force in self._springs()}
        return [c for c in self.described.coordinates.values()
                if c.kind == 'distance' and c.name in acted]

    def _constraints(self, kind: str) -> list[Any]:
        return [c for c in self.described.constraints.values() if c.kind == kind]

    def _springs(self) -> list[Force]:
        """Return the forces that are springs or dampers."""
        return [force for force in self.described.forces.values() if isinstance(force, Force)
                and (force.stiffness > 0.0 or force.viscous > 0.0)]

    def _hinge(self, angle: Any) -> str:
        """Return the point that an angle, a coordinate or in a joint, is drawn around."""
        *others, last = (self.described.bodies[name].points for name in angle.bodies)
        return next((name for name in last if not others or name in others[0]), next(iter(last)))

    def _pose_of(self, body: Any) -> FloatArray:
        return self._towards(*list(body.points)[:2])

    def _towards(self, first: str, second: str, stretched: bool = False) -> FloatArray:
        """Return poses at the first point, x towards the second; of unit length or reaching it."""
        x = self.positions[second] - self.positions[first]
        unit = x / np.linalg.norm(x, axis=1, keepdims=True)
        across = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
        return np.stack([self.positions[first], x if stretched else unit, across], axis=1)

    def _upright(self, positions: FloatArray) -> FloatArray:
        """Return poses of symbols that do not turn."""
        pose = np.zeros((len(positions), 3, 2))
        pose[:, 0], pose[:, 1, 0], pose[:, 2, 1] = positions, self.unit, self.unit
        return pose
