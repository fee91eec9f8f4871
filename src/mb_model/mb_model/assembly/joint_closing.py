"""Closing a mechanism in space in the coordinates of its joints, from however it is drawn.

Values of the joints of a spanning tree are moved until the others close: bodies stay rigid and
joints of the tree whole on the way, so that a loop may be open by any distance and angle.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.assembly.joint_gaps import Gap, JointGaps
from mb_model.assembly.least_squares import LeastSquares
from mb_model.assembly.start_distance import distance
from mb_model.compilation.spatial.layout import size_of
from mb_model.mechanism_file.description import Description

CLOSED = 1e-10          # of the mechanism's size
_ITERATIONS = 150       # from one start, the most
_FEWER = 60             # the same, to another branch
_NEARER = 40            # to draw a closed position nearer to the drawn one
_WEIGHT = 0.03          # of how far values are from the drawn ones, then, against what is open
# Starts beside the drawn pose: how far values are thrown (of a turn or size), and how many.
_THROWS = (0.02, 2), (0.1, 3), (0.3, 4), (1.0, 8)
_ENOUGH = 4             # closed ones, of which the nearest is taken
_SAME = 1e-4            # of bodies, see start_distance.distance: positions that are no others


@dataclass(frozen=True)
class ClosedPose:
    """A closed position: values (p) of the joint tree, and how far it is from the drawn pose."""

    values: FloatArray
    distance: float


class JointClosing:
    """Closes a Description in space; supported: whether it can be; has_loops: whether it must."""

    def __init__(self, description: Description) -> None:
        self._description, self._size = description, size_of(description)
        self._gaps = JointGaps(description, self._size)
        self.supported, self.has_loops = self._gaps.supported, bool(self._gaps.tree.closures)
        self._slender = {name for name, body in description.bodies.items() if body.slender}
        free, scale = self._gaps.free, self._gaps.tree.scale
        self._scale = scale[free]
        self._bounds = self._gaps.lower[free] / self._scale, self._gaps.upper[free] / self._scale
        self.start = self._gaps.start[free] / self._scale
        self._problem = LeastSquares(self.evaluate, *self._bounds)

    def _whole(self, x: FloatArray) -> FloatArray:
        """Return all values (p) of scaled free ones."""
        values = self._gaps.start.copy()
        values[self._gaps.free] = x * self._scale
        return values

    def evaluate(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what is open (m), in sizes of the mechanism, and its derivatives."""
        open_, slopes = self._gaps(self._whole(x))
        return open_ / self._size, slopes[:, self._gaps.free] * self._scale / self._size

    def _near_drawn(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the same, and how far values are from the drawn ones."""
        open_, slopes = self.evaluate(x)
        return (np.r_[open_, _WEIGHT * (x - self.start)],
                np.vstack([slopes, _WEIGHT * np.eye(len(x))]))

    def _starts(self, throws: Any) -> Iterator[FloatArray]:
        """Yield scaled values to start from: the drawn ones, then thrown ones, always the same."""
        random = np.random.default_rng(0)
        yield self.start
        for far, count in throws:
            for _ in range(count):
                x = self.start + far * pi * random.uniform(-1.0, 1.0, len(self.start))
                yield np.clip(x, *self._bounds)

    @cached_property
    def _searched(self) -> tuple[list[ClosedPose], FloatArray]:
        """The closed positions that a search meets, the nearest first; the least open values."""
        return self._search(_THROWS, _ENOUGH)

    def _search(self, throws: Any, enough: int) -> tuple[list[ClosedPose], FloatArray]:
        positions: list[ClosedPose] = []
        least, best, closings = np.inf, self.start, 0
        for start in self._starts(throws):
            x, open_ = self._problem.minimise(start, CLOSED, _ITERATIONS)
            if open_ < least:
                least, best = open_, x
            if open_ > 1e2 * CLOSED:
                continue
            closings += 1
            x = self._nearer(x)
            values = self._whole(x)
            if all(self._apart(values, other.values) > _SAME for other in positions):
                positions.append(ClosedPose(values, self.distance_of(values)))
            if closings >= enough:
                break
        positions.sort(key=lambda one: one.distance)
        return positions, self._whole(best)

    def branches(self, throws: Any) -> list[ClosedPose]:
        """Return the closed positions met with no value drawn nearer, the nearest first.

        Where the file fixes all degrees of freedom these are its branches.
        """
        positions: list[ClosedPose] = []
        for start in self._starts(throws):
            x, open_ = self._problem.minimise(start, CLOSED, _FEWER)
            values = self._whole(x)
            if open_ <= 1e2 * CLOSED and all(
                    self._apart(values, other.values) > 10.0 * _SAME for other in positions):
                positions.append(ClosedPose(values, self.distance_of(values)))
        return sorted(positions, key=lambda one: one.distance)

    def _nearer(self, x: FloatArray) -> FloatArray:
        """Return a closed position nearer to the drawn pose, by way of closed ones."""
        drawn = LeastSquares(self._near_drawn, *self._bounds)
        moved, _ = drawn.minimise(x, 0.0, _NEARER)
        moved, open_ = self._problem.minimise(moved, CLOSED, _NEARER)
        nearer = np.linalg.norm(moved - self.start) < np.linalg.norm(x - self.start)
        return moved if nearer and open_ <= 1e2 * CLOSED else x

    def distance_of(self, values: FloatArray) -> float:
        """Return how far bodies are from the drawn pose at values (p)."""
        tree = self._gaps.tree
        return distance(tree.poses_at(values), tree.drawn, self._size, self._slender)

    def _apart(self, values: FloatArray, others: FloatArray) -> float:
        """Return how far bodies are apart at two lists of values (p)."""
        tree = self._gaps.tree
        return distance(tree.poses_at(values), tree.poses_at(others), self._size, self._slender)

    def coordinates(self, pose: ClosedPose) -> dict[str, float]:
        """Return the coordinates that poses of bodies say, by name, angles within half a turn."""
        return self._gaps.coordinates(pose.values)

    def closes_as_drawn(self) -> bool:
        """Return whether it closes from the drawn pose at once."""
        return bool(self._problem.minimise(self.start, CLOSED, _ITERATIONS)[1] <= 1e2 * CLOSED)

    def least_gap(self) -> float:
        """Return how far it is open at its nearest to closing [m]; 0: it closes."""
        least = np.inf
        for start in self._starts(_THROWS):
            _, open_ = self._problem.minimise(start, CLOSED, _ITERATIONS)
            if open_ <= 1e2 * CLOSED:
                return 0.0
            least = min(least, open_)
        return least * self._size

    @property
    def closed(self) -> list[ClosedPose]:
        """The closed positions that a search meets, the nearest to the drawn pose first."""
        return self._searched[0]

    def described(self, pose: ClosedPose) -> Description:
        """Return the Description with the poses of a closed position."""
        poses = self._gaps.tree.poses_at(pose.values)
        bodies = {name: replace(body, pose=poses[name])
                  for name, body in self._description.bodies.items()}
        return replace(self._description, bodies=bodies)

    def open_gaps(self) -> list[Gap]:
        """Return the Gaps of closures where all is least open, the largest first."""
        gaps = self._gaps.gaps(self._searched[1])
        return sorted(gaps, key=lambda gap: -gap.size)

    def loop(self, gap: Gap) -> list[str]:
        """Return the joints of the loop that the joint of a gap closes."""
        return self._gaps.tree.loop(gap.joint) if gap.joint is not None else []
