"""The observability Gramian and what follows from it."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.observability.states import States
from mb_model.arrays import FloatArray

_PART = 1e-3            # of a state in a direction without information: rounding below that


@dataclass(frozen=True)
class Gramian:
    """Information of readings up to instant k on States: the sum of H^T R^-1 H, (k, l, l).

    H: derivatives of the readings by the states in units of their sizes; R: noise of the sensors.
    """

    states: States
    sums: np.ndarray
    known_to: float         # share of its size to which an observable state is known

    @property
    def matrix(self) -> FloatArray:
        """The Gramian of all readings (l, l)."""
        return self.sums[-1]

    @property
    def eigenvalues(self) -> FloatArray:
        """Eigenvalues (l), increasing."""
        return np.linalg.eigvalsh(self.matrix).astype(float)

    @property
    def rank(self) -> int:
        """How many directions of the state are known to the share `known_to`."""
        return int(np.sum(self._is_known(self.eigenvalues)))

    @property
    def condition(self) -> float:
        """Largest over smallest eigenvalue, infinite if rounding decides the smallest one."""
        values = self.eigenvalues
        return float(values[-1] / values[0]) if values[0] > _rounding(values) else np.inf

    @property
    def deviations(self) -> FloatArray:
        """Standard deviations of the best estimate (l) in the units of the states, or infinity."""
        return self._shares(self.matrix[None])[0] * self.states.sizes

    @property
    def observable(self) -> np.ndarray:
        """Which states are known to the share `known_to`, (l) of bool."""
        return self._shares(self.matrix[None])[0] <= self.known_to

    def carried(self, by_start: FloatArray) -> FloatArray:
        """Return deviations (l), in the units of the states, of what the start has become.

        by_start (l, l): derivatives of the states then by those at the start.  Before all readings
        the start is known to the sizes of the states.
        """
        sizes = self.states.sizes
        moved = by_start * sizes / sizes[:, None]
        covariance = moved @ np.linalg.solve(self.matrix + np.eye(len(sizes)), moved.T)
        return sizes * np.sqrt(np.maximum(covariance.diagonal(), 0.0))

    def known_after(self, t: FloatArray) -> FloatArray:
        """Return from which of the instants t (k) on a state is known (l); NaN if never."""
        known = self._shares(self.sums) <= self.known_to
        return np.where(known[-1], t[np.argmax(known, axis=0)], np.nan)

    def unobservable_directions(self) -> FloatArray:
        """Return the directions (directions, l), in sizes of the states, that are not known."""
        values, vectors = np.linalg.eigh(self.matrix)
        return vectors.T[~self._is_known(values)]

    def _is_known(self, values: FloatArray) -> np.ndarray:
        """Return which eigenvalues belong to directions known to the share `known_to`."""
        return values > np.maximum(1.0 / self.known_to ** 2, _rounding(values))

    def _shares(self, sums: FloatArray) -> FloatArray:
        """Return the deviations for Gramians (k, l, l) in sizes of the states (k, l)."""
        values, vectors = np.linalg.eigh(sums)
        there = (values > _rounding(values))[:, None, :]
        parts = vectors ** 2
        variances = np.sum(np.divide(parts, values[:, None, :], where=there,
                                     out=np.zeros_like(parts)), axis=2)
        lost = np.any((parts > _PART ** 2) & ~there, axis=2)
        return np.where(lost, np.inf, np.sqrt(variances))


def _rounding(values: FloatArray) -> FloatArray:
    """Return the bound below which eigenvalues (..., l), increasing, are rounding errors."""
    return values.shape[-1] * np.finfo(float).eps * values[..., -1:]


def information(sensitivity: FloatArray, due: np.ndarray, variances: FloatArray,
                sizes: FloatArray) -> FloatArray:
    """Return the sums over instants (k, l, l) of H^T R^-1 H.

    sensitivity (k, channels, l) of readings that are due, (k, channels) of bool, with noise of the
    variances (channels); sizes (l) of the states.
    """
    weighted = sensitivity * sizes * (due / np.sqrt(variances))[:, :, None]
    return np.cumsum(weighted.transpose(0, 2, 1) @ weighted, axis=0)
