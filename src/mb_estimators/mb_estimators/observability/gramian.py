"""The observability Gramian and what follows from it."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.observability.states import States
from mb_model.arrays import FloatArray

_PART = 1e-3            # of a state in a direction without information: rounding below that
EXACT, BY_DIFFERENCES = 1e-12, 1e-7      # what derivatives of readings are wrong by, of the largest


@dataclass(frozen=True)
class Gramian:
    """Information of readings up to instant k on States: the sum of H^T R^-1 H.

    H: derivatives of the readings by the states in units of their sizes; R: noise of the sensors;
    roots (k, l, l): C of each sum C^T C.  Of these alone small eigenvalues are known: in the sums
    accurate readings of one direction round away what others say of the rest.
    """

    states: States
    roots: np.ndarray
    known_to: float         # share of its size to which an observable state is known
    rounding: float = EXACT     # share of the largest singular value of C below which none counts

    @property
    def matrix(self) -> FloatArray:
        """The Gramian of all readings (l, l)."""
        root: FloatArray = self.roots[-1]
        return root.T @ root

    @property
    def eigenvalues(self) -> FloatArray:
        """Eigenvalues (l), increasing."""
        return self._directions(self.roots[-1])[0]

    @property
    def rank(self) -> int:
        """How many directions of the state are known to the share `known_to`."""
        return int(np.sum(self._is_known(self.eigenvalues)))

    @property
    def condition(self) -> float:
        """Largest over smallest eigenvalue, infinite if rounding decides the smallest one."""
        values = self.eigenvalues
        return float(values[-1] / values[0]) if values[0] > self._bound(values) else np.inf

    @property
    def deviations(self) -> FloatArray:
        """Standard deviations of the best estimate (l) in the units of the states, or infinity."""
        return self._shares(self.roots[-1:])[0] * self.states.sizes

    @property
    def observable(self) -> np.ndarray:
        """Which states are known to the share `known_to`, (l) of bool."""
        return self._shares(self.roots[-1:])[0] <= self.known_to

    def carried(self, by_start: FloatArray) -> FloatArray:
        """Return deviations (l), in the units of the states, of what the start has become.

        by_start (l, l): derivatives of the states then by those at the start.  Before all readings
        the start is known to the sizes of the states.
        """
        sizes = self.states.sizes
        moved = by_start * sizes / sizes[:, None]
        root = np.linalg.qr(np.vstack([self.roots[-1], np.eye(len(sizes))]), mode='r')
        deviations: FloatArray = np.linalg.norm(np.linalg.solve(root.T, moved.T), axis=0)
        return sizes * deviations

    def known_after(self, t: FloatArray) -> FloatArray:
        """Return from which of the instants t (k) on a state is known (l); NaN if never."""
        known = self._shares(self.roots) <= self.known_to
        return np.where(known[-1], t[np.argmax(known, axis=0)], np.nan)

    def unobservable_directions(self) -> FloatArray:
        """Return the directions (directions, l), in sizes of the states, that are not known."""
        values, directions = self._directions(self.roots[-1])
        return directions[~self._is_known(values)]

    def _is_known(self, values: FloatArray) -> np.ndarray:
        """Return which eigenvalues belong to directions known to the share `known_to`."""
        return values > np.maximum(1.0 / self.known_to ** 2, self._bound(values))

    def _directions(self, roots: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return eigenvalues (..., l), increasing, and their directions (..., l, l), row by row."""
        _, values, directions = np.linalg.svd(roots)
        return values[..., ::-1] ** 2, directions[..., ::-1, :]

    def _shares(self, roots: FloatArray) -> FloatArray:
        """Return the deviations for roots (k, l, l) in sizes of the states (k, l)."""
        values, directions = self._directions(roots)
        there = (values > self._bound(values))[:, :, None]
        parts = directions ** 2
        variances = np.sum(np.divide(parts, values[:, :, None], where=there,
                                     out=np.zeros_like(parts)), axis=1)
        lost = np.any((parts > _PART ** 2) & ~there, axis=1)
        return np.where(lost, np.inf, np.sqrt(variances))

    def _bound(self, values: FloatArray) -> FloatArray:
        """Return the bound below which eigenvalues (..., l), increasing, are rounding errors."""
        return self.rounding ** 2 * values[..., -1:]


def square_roots(sensitivity: FloatArray, due: np.ndarray, variances: FloatArray,
                 sizes: FloatArray) -> FloatArray:
    """Return C (k, l, l) of the sums C^T C over instants of H^T R^-1 H.

    sensitivity (k, channels, l) of readings that are due, (k, channels) of bool, with noise of the
    variances (channels); sizes (l) of the states.
    """
    weighted = _weighted(sensitivity, due, variances, sizes)
    count, size = len(weighted), len(sizes)
    roots, root = np.empty((count, size, size)), np.zeros((size, size))
    for k in range(count):
        root = roots[k] = np.linalg.qr(np.vstack([root, weighted[k]]), mode='r')
    return roots


def square_root(sensitivity: FloatArray, due: np.ndarray, variances: FloatArray,
                sizes: FloatArray) -> FloatArray:
    """Return the last one of the square_roots (l, l), at once."""
    rows = _weighted(sensitivity, due, variances, sizes).reshape(-1, len(sizes))
    root: FloatArray = np.linalg.qr(np.vstack([np.zeros((len(sizes), len(sizes))), rows]), mode='r')
    return root


def _weighted(sensitivity: FloatArray, due: np.ndarray, variances: FloatArray,
              sizes: FloatArray) -> FloatArray:
    """Return the sensitivity (k, channels, l) by deviations of the noise and sizes of states."""
    weighted: FloatArray = sensitivity * sizes * (due / np.sqrt(variances))[:, :, None]
    return weighted
