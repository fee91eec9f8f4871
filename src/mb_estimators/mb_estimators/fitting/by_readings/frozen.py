"""Filters' paths as a linear system that no longer changes, and how likely readings are in it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_estimators.fitting.by_readings.path import Path
from mb_estimators.kernels.frozen_likelihood import frozen_likelihood
from mb_model.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Begun:
    """A Path, and its errors at the start before readings: mean (l), covariance (l, l)."""

    path: Path
    mean: FloatArray
    covariance: FloatArray


@dataclass(frozen=True)
class FrozenSystem:
    """Recordings of one machine: what is Begun with each, whose constants (l) they share.

    owner (c): the sensor of a channel; shared (l): which errors are of constants of the machine.
    """

    parts: tuple[Begun, ...]
    owner: IntArray
    shared: FloatArray

    @property
    def all_counted(self) -> list[IntArray]:
        """Of each recording (k): that every reading counts, see likelihood."""
        return [np.ones(len(part.path.y), np.int64) for part in self.parts]


@dataclass(frozen=True)
class Likelihood:
    """The log-likelihood of counted readings by noises, with derivatives by free logarithms.

    value; gradient (p); information (p, p): of Fisher; start (l), start_covariance (l, l): of the
    errors at the first start by the counted readings; innovations: of each recording, nu and s
    (k, c), of reading after reading, NaN where none is; rates (k, c, p): of log s, in any case.
    """

    value: float
    gradient: FloatArray
    information: FloatArray
    start: FloatArray
    start_covariance: FloatArray
    innovations: tuple[FloatArray, ...]
    rates: tuple[FloatArray, ...]


def likelihood(system: FrozenSystem, noises: FloatArray, ties: FloatArray,
               counted: Sequence[IntArray]) -> Likelihood:
    """Return the Likelihood of noises (n): densities, then variances of sensors.

    ties (n, p): how their logarithms depend on free ones; counted: of each recording (k), 1 where
    readings count.
    """
    first, p = system.parts[0], ties.shape[1]
    size, d, shared = len(first.mean), first.path.units.shape[1], system.shared
    gradient, information = np.zeros(p), np.zeros((p, p))
    score, precision = np.zeros(size), np.zeros((size, size))
    # covariance, its derivatives, and how errors change with the ones at the start
    matrices = np.zeros((size, p + 2, size))
    matrices[:, 0], matrices[:, -1] = first.covariance, np.eye(size)
    x, dx, M = first.mean.copy(), np.zeros((p, size)), matrices.reshape(size, -1)
    scratch = (np.zeros((size, size + 1), np.int64), np.zeros_like(M), np.zeros(M.shape[1]),
               np.zeros((2, size)), np.zeros((2, p)))
    ties, value, innovations, rates = np.ascontiguousarray(ties), 0.0, [], []
    for k, part in enumerate(system.parts):
        path, there = part.path, np.isfinite(part.path.y)
        if k > 0:       # what is shared goes on, the rest begins
            x = np.where(shared, x + system.parts[k - 1].path.end, part.mean)
            dx *= shared
            both = np.outer(shared, shared)
            matrices[:, :-1] *= both[:, np.newaxis]
            matrices[:, 0] += part.covariance * ~both
            matrices[:, -1] *= shared[:, np.newaxis]
        nu, s = np.full((2, *path.y.shape), np.nan)
        rates.append(np.zeros((*path.y.shape, p)))
        value += frozen_likelihood(
            path.transitions, path.shifts, path.units, path.H, np.where(there, path.y, 0.0), there,
            system.owner, path.felt, counted[k], noises[:d].copy(), noises[d:].copy(), ties, x, dx,
            M, *scratch, gradient, information, score, precision, nu, s, rates[-1])
        innovations.append(np.array([nu, s]))
    before = first.covariance
    after = before - before @ precision @ before        # of the fixed-point smoother
    return Likelihood(value, gradient, information, first.mean + before @ score,
                      0.5 * (after + after.T), tuple(innovations), tuple(rates))
