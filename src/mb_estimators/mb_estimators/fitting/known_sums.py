"""What recordings determine: numbers, and sums of numbers that no motion of them separates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr, solve_triangular

from mb_model.arrays import FloatArray, IntArray
from mb_sensors import fit_covariance

_KNOWN = 5.0        # a sum is known to this part of what was believed of its first number
_TOGETHER = 0.99    # correlation of errors: their difference is known seven times as well
_FELT = 0.1         # a term that the sum's deviation would not feel, a share of it, is left out


@dataclass(frozen=True)
class KnownSum:
    """A sum that recordings determine: the unknown `name`, plus factor times each of `others`.

    deviation (1 sigma) of the sum, in its first number's unit.
    """

    name: str
    others: dict[str, float]
    deviation: float

    @property
    def text(self) -> str:
        """The sum in words: 'inner_mass + 0.33 outer_mass'."""
        return self.name + ''.join(
            f' {"-" if factor < 0.0 else "+"} '
            f'{"" if f"{abs(factor):.4g}" == "1" else f"{abs(factor):.4g} "}{name}'
            for name, factor in self.others.items())

    def of(self, values: Mapping[str, float]) -> float:
        """Return the sum of values of the unknowns, by name."""
        return values[self.name] + sum(factor * values[name]
                                       for name, factor in self.others.items())


@dataclass(frozen=True)
class Knowledge:
    """KnownSums; combinations (b, p) of all unknowns that they are, and their covariance (b, b).

    closer: sums of two of these that are far better known than they are.
    inflation: how much larger the variances are than if the errors of the windows were independent;
    triangle (p, p): its square is the information of the recordings on all unknowns.
    """

    sums: tuple[KnownSum, ...]
    closer: tuple[KnownSum, ...]
    combinations: FloatArray
    covariance: FloatArray
    inflation: float
    triangle: FloatArray


def knowledge(names: Sequence[str], slopes: FloatArray, residual: FloatArray, blocks: IntArray,
              believed: FloatArray) -> Knowledge:
    """Return the Knowledge of unknowns (p) by scaled equations.

    slopes (k, p) and residual (k) in units of its deviation; blocks (k), see fit_covariance;
    believed (p): deviations of the unknowns before.  Columns are compared by what they change
    within these: the sums are a largest set that the recordings know clearly better.
    Source: Gautier 1991 (base parameters by QR with pivoting), by statistics as in Pham and
    Gautier 1991 (essential parameters).
    """
    size, inflation = believed.copy(), 1.0
    whole = qr(slopes * size, mode='r')[0][:len(names)]
    triangle, order = qr(whole, mode='r', pivoting=True)
    diagonal = np.abs(np.diagonal(triangle))
    for _ in range(2):          # how many are known depends on the inflation
        rank = int(np.sum(diagonal > _KNOWN * np.sqrt(inflation)))
        if not rank:
            return Knowledge((), (), np.zeros((0, len(names))), np.zeros((0, 0)), 1.0,
                             _restored(triangle, order, size))
        kept, left = order[:rank], order[rank:]
        covariance = fit_covariance(slopes[:, kept], residual, blocks)
        scale = size[kept]
        naive = np.linalg.inv(triangle[:rank, :rank])
        ratio = np.diagonal(covariance) / (np.sum(naive ** 2, axis=1) * scale ** 2)
        inflation = max(float(np.mean(ratio)), 1.0)
    shares = solve_triangular(triangle[:rank, :rank], triangle[:rank, rank:])
    combinations = np.zeros((rank, len(names)))
    combinations[range(rank), kept] = 1.0
    combinations[:, left] = shares * scale[:, np.newaxis] / size[left]
    rows = np.argsort(kept)
    combinations, covariance = combinations[rows], covariance[np.ix_(rows, rows)]
    deviations = np.sqrt(np.diagonal(covariance))
    combinations[np.abs(combinations) * size < _FELT * deviations[:, np.newaxis]] = 0.0
    combinations[range(rank), kept[rows]] = 1.0
    sums = [_known_sum(names, first, row, deviation) for first, row, deviation in zip(
        kept[rows], combinations, deviations, strict=True)]
    closer = _closer(names, kept[rows], combinations, covariance)
    return Knowledge(tuple(sums), tuple(closer), combinations, covariance, inflation,
                     _restored(triangle, order, size) / np.sqrt(inflation))


def _known_sum(names: Sequence[str], first: int, row: FloatArray, deviation: float) -> KnownSum:
    others = {names[k]: float(row[k]) for k in np.flatnonzero(row) if k != first}
    return KnownSum(names[first], others, float(deviation))


def _closer(names: Sequence[str], firsts: IntArray, combinations: FloatArray,
            covariance: FloatArray) -> Iterator[KnownSum]:
    """Yield sums of two that are known far better than each, as errors of both go together.

    That with the most partners is taken out of each of them.
    """
    size = np.sqrt(np.diagonal(covariance))
    alike = np.abs(covariance / np.outer(size, size)) > _TOGETHER
    np.fill_diagonal(alike, False)
    while alike.any():
        shared = int(np.argmax(alike.sum(axis=0)))
        for one in np.flatnonzero(alike[shared]):
            factor = covariance[one, shared] / covariance[shared, shared]
            row = combinations[one] - factor * combinations[shared]
            left = covariance[one, one] - factor ** 2 * covariance[shared, shared]
            yield _known_sum(names, firsts[one], row, np.sqrt(max(left, 0.0)))
            alike[one], alike[:, one] = False, False
        alike[shared], alike[:, shared] = False, False


def _restored(triangle: FloatArray, order: IntArray, size: FloatArray) -> FloatArray:
    """Return a triangle of scaled columns in another order for the columns as they were."""
    restored = np.zeros((len(triangle), len(size)))
    restored[:, order] = triangle / size[order]
    return restored
