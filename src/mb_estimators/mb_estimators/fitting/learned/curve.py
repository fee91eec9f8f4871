"""Curves of force as sums of bells, and how a mechanism file has them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, zip_longest
from typing import Any

import numpy as np

from mb_model.arrays import BoolArray, FloatArray

POSITION, RATE = KINDS = 'position', 'rate'
_BELLS = 4              # of one expression of a mechanism file, which has no room for more


@dataclass(frozen=True)
class Curve:
    """A force on a coordinate x of rate v by one of them: a radial basis function network.

    F(u) = sum_j heights_j exp(-((u - centres_j) / width)^2) [N or N m]; u: x of kind POSITION, v of
    kind RATE; centres (b) from the least to the largest recorded u, width [u] apart, so that the
    curve falls to zero outside.  Source: Broomhead and Lowe 1988.
    """

    coordinate: str
    kind: str
    centres: FloatArray
    width: float
    heights: FloatArray

    def at(self, u: FloatArray) -> FloatArray:
        """Return the force (k) at values u (k)."""
        return bells(u, self.centres, self.width) @ self.heights

    def outside(self, u: FloatArray) -> BoolArray:
        """Return at which values u (k) the curve was not learned."""
        return (u < self.centres[0]) | (u > self.centres[-1])

    def expressions(self) -> Iterator[str]:
        """Yield expressions over x or v whose sum is the force."""
        u = 'x' if self.kind == POSITION else 'v'
        terms = [f'{"-" if height < 0.0 else "+"} {abs(height):.6g} * '
                 f'exp(-(({u} - ({centre:.6g})) / {self.width:.6g}) ** 2)'
                 for centre, height in zip(self.centres, self.heights, strict=True)]
        for first in range(0, len(terms), _BELLS):
            text = ' '.join(terms[first:first + _BELLS])
            yield text.removeprefix('+ ') if text[0] == '+' else f'-{text[2:]}'


def bells(u: FloatArray, centres: FloatArray, width: float) -> FloatArray:
    """Return the bells (k, b) of height 1 around centres (b) at values u (k)."""
    return np.exp(-((u[:, np.newaxis] - centres) / width) ** 2)


def even_centres(u: FloatArray, number: int) -> tuple[FloatArray, float]:
    """Return centres of bells that cover values u, and their distance."""
    centres = np.linspace(u.min(), u.max(), number)
    return centres, float(centres[1] - centres[0])


def force_entries(curves: Sequence[Curve], taken: Collection[str]) -> Mapping[str, Any]:
    """Return the section `forces` of a mechanism file with Curves, by names that are not taken."""
    entries: dict[str, Any] = {}
    for coordinate in dict.fromkeys(curve.coordinate for curve in curves):
        parts = [[] if curve is None else list(curve.expressions()) for curve in (
            next((one for one in curves if (one.coordinate, one.kind) == (coordinate, kind)), None)
            for kind in KINDS)]
        numbers = count(1)
        for texts in zip_longest(*parts):
            name = next(name for number in numbers if (
                name := f'learned_{coordinate.replace(".", "_")}_{number}') not in taken)
            entries[name] = {'kind': 'characteristic', 'coordinate': coordinate} | {
                key: text for key, text in zip(('of_coordinate', 'of_rate'), texts, strict=True)
                if text is not None}
    return entries
