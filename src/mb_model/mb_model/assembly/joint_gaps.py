"""How far joints that close loops, and relations of coordinates, are open at joint values."""

from collections.abc import Iterator, Mapping
from math import pi

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import BodyMotion
from mb_model.assembly.joint_closures import Closures, Gap
from mb_model.assembly.joint_tree import JointTree
from mb_model.constraints.relation import Coordinate
from mb_model.mechanism_file.description import Description
from mb_model.mechanism_file.expressions import evaluate
from mb_model.registry.joints import COORDINATES

_TURN = 2.0 * pi


class JointGaps:
    """The equations of a mechanism on its joint tree, for assembly.least_squares.

    start (p): where values start, values that the file fixes at these; lower, upper (p): their
    limits; free (p): which values the file does not fix; supported: whether the mechanism has no
    parts that joint values do not say, such as bodies that bend.
    """

    def __init__(self, description: Description, size: float) -> None:
        self._description, self._size = description, size
        self.tree = tree = JointTree(description, size)
        self._fixed = dict(description.start) | {
            name: _at_start(one.motion, description) for name, one in
            description.prescribed.items()}
        self.start, count = tree.start.copy(), len(tree.start)
        self.lower, self.upper = np.full(count, -np.inf), np.full(count, np.inf)
        self.free = np.ones(count, bool)
        self._values: dict[str, int] = {}            # coordinate -> value that it is
        self._others: list[Coordinate] = []          # coordinates that others need, or limits
        needed = {name for one in description.constraints.values() if one.kind == 'linear'
                  for name in one.terms}
        for name, one in description.coordinates.items():
            if one.inertia is not None or (COORDINATES[one.kind].value is None
                                           and name not in needed):
                continue
            index = tree.value_of(one.joint, one.kind) if one.joint else None
            if index is not None and index not in self._values.values():
                self._values[name] = index
                self._limit(one, index)
            elif name in needed or name in self._fixed or np.isfinite((one.lower, one.upper)).any():
                self._others.append(one)
        self._closures = Closures(tree, size)
        kinds = {one.kind for one in description.constraints.values()}
        self.supported = (
            not any(body.beam is not None for body in description.bodies.values())
            and kinds <= {'linear', 'prescribed'}
            and all(COORDINATES[one.kind].value is not None for one in self._others))

    def _limit(self, one: Coordinate, index: int) -> None:
        """Note limits and start of a coordinate that is a value; whole turns by these."""
        lower, upper = one.lower, one.upper
        if one.name in self._fixed:
            self.start[index], self.free[index] = self._fixed[one.name], False
            return
        self.lower[index], self.upper[index] = lower, upper
        value = self.start[index]
        if self.tree.turning[index] and np.isfinite(upper - lower) and not (
                lower <= value <= upper):
            middle = np.clip(value, lower, upper)
            turned = value + _TURN * round((middle - value) / _TURN)
            value = min((turned + k * _TURN for k in (-1, 0, 1)),
                        key=lambda one: abs(one - np.clip(one, lower, upper)))
        self.start[index] = np.clip(value, lower, upper)

    def __call__(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what is open (m) [m] and its derivatives by the values (m, p)."""
        frames, twists = self.tree.frames(values)
        open_, slopes = self._closures.evaluate(frames, twists)
        rows = [np.r_[value, slope] for value, slope in self._relations(values, frames, twists)]
        if not rows:
            return open_, slopes
        relations = np.array(rows)
        return np.r_[open_, relations[:, 0]], np.vstack([slopes, relations[:, 1:]])

    def gaps(self, values: FloatArray) -> list[Gap]:
        """Return the Gap of each closure and relation."""
        frames, twists = self.tree.frames(values)
        gaps = self._closures.gaps(frames)
        names = [*(f'constraints.{name}' for name, one in self._description.constraints.items()
                   if one.kind == 'linear'),
                 *(f'coordinates.{one.name}' for one in self._others for _ in _kinds(
                     one, self._fixed))]
        gaps += [Gap(None, name, np.array([open_])) for name, (open_, _) in zip(
            names, self._relations(values, frames, twists), strict=True)]
        return gaps

    def coordinates(self, values: FloatArray) -> dict[str, float]:
        """Return the coordinates that poses of bodies say, by name, angles within half a turn."""
        motions, named = self._motions(self.tree.frames(values)[0]), {}
        for name, one in self._description.coordinates.items():
            kind = COORDINATES.get(one.kind)
            if one.inertia is None and kind is not None and kind.value is not None:
                named[name] = kind.value(one, self._description.joints.get(one.joint), motions)
        return named

    def _motions(self, frames: FloatArray) -> dict[str, BodyMotion]:
        """Return body -> BodyMotion at rest."""
        return {body: BodyMotion(frames[k, :3, 3], frames[k, :3, :3], *np.zeros((4, 3)))
                for body, k in self.tree.bodies.items()}

    def _relations(self, values: FloatArray, frames: FloatArray, twists: FloatArray
                   ) -> Iterator[tuple[float, FloatArray]]:
        """Yield what linear relations, starts and limits of other coordinates are off [m]."""
        alone = np.eye(len(values))
        of_coordinate = {name: (float(values[index]), alone[index])
                         for name, index in self._values.items()}
        of_coordinate |= {one.name: self._coordinate(one, frames, twists) for one in self._others}
        size, unit = self._size, self._description.unit
        for one in self._description.constraints.values():
            if one.kind == 'linear':
                slope = max(abs(factor) / (size if unit(name) == 'rad' else 1.0)
                            for name, factor in one.terms.items())
                value = sum(factor * of_coordinate[name][0] for name, factor in one.terms.items())
                row = sum((factor * of_coordinate[name][1] for name, factor in one.terms.items()),
                          np.zeros(len(values)))
                yield (value - one.sum) / slope, row / slope
        for other in self._others:
            value, row = of_coordinate[other.name]
            angle = other.unit == 'rad'
            scale = size if angle else 1.0
            for kind in _kinds(other, self._fixed):
                if kind == 'start':
                    off = value - self._fixed[other.name]
                    yield scale * (off - _TURN * round(off / _TURN) if angle else off), scale * row
                    continue
                lower, upper = other.lower, other.upper
                if angle and np.isfinite(lower + upper):
                    middle = 0.5 * (lower + upper)
                    value -= _TURN * round((value - middle) / _TURN)
                over = max(value - upper, 0.0) + min(value - lower, 0.0)
                yield scale * over, scale * row * (over != 0.0)

    def _coordinate(self, one: Coordinate, frames: FloatArray, twists: FloatArray
                    ) -> tuple[float, FloatArray]:
        """Return the value of a coordinate that is none of the tree, and its derivatives (p)."""
        kind = COORDINATES[one.kind]
        joint = self._description.joints.get(one.joint)
        motions = self._motions(frames)
        row = np.zeros(len(twists))
        for body, position, force, moment in kind.pushes(one, joint, motions):
            wrench = np.r_[np.cross(position, force) + moment, force]
            row += (twists @ wrench) * self.tree.carried[self.tree.bodies[body]]
        assert kind.value is not None
        return kind.value(one, joint, motions), row


def _kinds(one: Coordinate, fixed: Mapping[str, float]) -> tuple[str, ...]:
    """Return what a coordinate that is none of the tree is held by: 'start', 'limits'."""
    if one.name in fixed:
        return 'start',
    return ('limits',) * bool(np.isfinite((one.lower, one.upper)).any())


def _at_start(motion: float | str, description: Description) -> float:
    """Return a prescribed coordinate at the time 0."""
    return evaluate(motion, description.parameters | {'t': 0.0}) if isinstance(
        motion, str) else float(motion)
