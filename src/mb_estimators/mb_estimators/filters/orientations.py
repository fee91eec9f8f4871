"""Orientations of bodies among the degrees of freedom of a filter: their references follow them."""

from functools import cached_property
from typing import Any

from numba import boolean, float64
import numpy as np

from mb_estimators.kernels.orientations import see_from_bodies
from mb_estimators.state import without_views, words_of
from mb_model import FreeOrientations, Mechanism, orientation_indices
from mb_model.arrays import FloatArray, IntArray, RecordArray
from mb_model.kernel_api import bound, centre_references, new_chart_changes

PLANAR_PAPER = ('as_published: not with orientations: the paper is of planar mechanisms, whose '
                'states count from one frame for ever; expected false')
Motion = tuple[FloatArray, ...]         # z, zd, zdd (g), q, qd, qdd (n)


class Orientations:
    """The orientations of a Mechanism, as a filter has them.

    Its states are errors at references, which are where the bodies are before and after every
    step; see mb_model.kernels.chart_errors.  indices (charts, 3): in z, -1 where they are none of
    z; independent: of the others; changes: of the references when they last followed; moved:
    whether any did.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        """Set up.  Raises MechanismError for orientations that are degrees of freedom in part."""
        self.indices = orientation_indices(mechanism)
        self.changes = new_chart_changes(mechanism.model)
        self.moved = False
        self._mechanism, self._g = mechanism, mechanism.g
        self.independent = [chart for chart in self.indices if chart[0] >= 0]

    def change(self, size: int, accelerations: bool) -> FloatArray | None:
        """Return the matrix (size, size) that carried errors over, None if no reference moved.

        accelerations: whether their errors are states, behind z and zd.
        """
        if not self.moved or not self.independent:
            return None
        return self._matrix(self.changes, size, accelerations)

    def _matrix(self, changes: FloatArray, size: int, accelerations: bool):
        """Return the matrix of changes of references, see change."""
        g, matrix = self._g, np.eye(size)
        for chart, change in zip(self.indices, changes, strict=True):
            if chart[0] >= 0:
                matrix[np.ix_(chart, chart)] = matrix[np.ix_(g + chart, g + chart)] = change[0]
                matrix[np.ix_(g + chart, chart)] = change[1]
                if accelerations:
                    matrix[np.ix_(2 * g + chart, 2 * g + chart)] = change[0]
        return matrix

    def carried_correction(self, correction: FloatArray, zd: FloatArray,
                           accelerations: bool) -> FloatArray:
        """Return a correction (l) as it is from where the reference followed to.

        zd: corrected, there.  What leads from the prediction to the bodies is, reversed,
        the turn back with the rates of the prediction.
        """
        g, carried = self._g, correction.copy()
        for chart, change in zip(self.indices, self.changes, strict=True):
            if chart[0] < 0:
                continue
            J, now = np.linalg.inv(change[0]), zd[chart]
            before = J @ now - correction[g + chart]
            carried[g + chart] = now - J.T @ before
            if accelerations:
                carried[2 * g + chart] = change[0] @ correction[2 * g + chart]
        return carried

    def in_bodies(self, models: RecordArray, works: RecordArray, covariance: FloatArray,
                  motion: Motion) -> tuple[Motion, FloatArray]:
        """Return the motion in a workspace, seen from the bodies, and the covariance of that.

        covariance: of states, z, zd, and zdd if there is more; motion: views of `works`.
        """
        covariance = np.array(covariance)
        if motion[0][self._charts].any():
            works = words_of(works).copy().view(works.dtype)
            changes, size = np.empty_like(self.changes), len(covariance)
            centre_references(models, works, changes)
            motion = motion_views(self._mechanism, works[0])
            turn = self._matrix(changes, size, size > 2 * self._g)
            covariance = turn @ covariance @ turn.T
        self._see(motion[1], motion[2], covariance, True)
        return motion, covariance

    def at_references(self, covariance: FloatArray, zd: FloatArray, zdd: FloatArray,
                      seen: int) -> FloatArray:
        """Return the covariance of states of which in_bodies makes `covariance`, at zd, zdd (g).

        seen: how many of them are of the motion; others, as what forces accelerate, stay.
        """
        turn = np.eye(len(covariance))
        turn[:seen, :seen] = np.linalg.inv(self.to_bodies(seen, zd, zdd))
        given = turn @ covariance @ turn.T
        return 0.5 * (given + given.T)

    def to_bodies(self, size: int, zd: FloatArray, zdd: FloatArray) -> FloatArray:
        """Return the matrix (size, size) from errors at references to errors in bodies' frames."""
        matrix = np.eye(size)
        self._see(zd, zdd, matrix, False)
        return matrix

    @cached_property
    def _charts(self):
        return np.array(self.independent, np.int64).reshape(-1, 3)

    @cached_property
    def _see(self):
        return bound(see_from_bodies, (self._charts, self._g), float64[::1], float64[::1],
                     float64[:, ::1], boolean)

    __getstate__ = without_views


def motion_views(mechanism: Mechanism, work: Any) -> Motion:
    """Return views of z, zd, zdd (g) and q, qd, qdd (n) of a workspace."""
    g, n = mechanism.g, mechanism.n
    return (*(work[name][:g] for name in ('z', 'zd', 'zdd')),
            *(work[name][:n] for name in ('q', 'qd', 'qdd')))


def turns_at(free: FreeOrientations, q: FloatArray) -> FloatArray:
    """Return the rotation matrices (b, 3, 3) of the bodies at q (n)."""
    return np.swapaxes(free.frames(q, q, q)[0], -1, -2)


def counted_from(x: FloatArray, g: int, indices: IntArray, turns: FloatArray,
                 references: FloatArray) -> FloatArray | None:
    """Return z, zd (g) and what follows of bodies at `turns` (b, 3, 3), counted from references.

    x: the same, with 0 and angular velocities of these bodies at `indices` (b, 3); references
    (b, 3, 3).  None where one is a quarter turn away.
    """
    x = x.copy()
    for chart, here, there in zip(indices, references, turns, strict=True):
        turn = here.T @ there
        if not np.trace(turn) > 1.0:
            return None
        x[chart] = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0],
                                   turn[1, 0] - turn[0, 1]])
        x[g + chart] = 0.5 * (np.trace(turn) * np.eye(3) - turn.T) @ x[g + chart]
    return x
