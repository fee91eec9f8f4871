"""Which curves are learned: by how well parts of the time are foreseen by the others."""

from itertools import product
from typing import NamedTuple

import numpy as np

from mb_estimators.fitting.learned.curve import KINDS, Curve, even_centres
from mb_estimators.fitting.learned.evidence import Evidence
from mb_model.arrays import FloatArray, IntArray

_NUMBERS = 4, 8, 16, 32             # of bells
_SIZES = 0.3, 1.0, 3.0              # of their heights, against the residual
_OF = (KINDS[:1], KINDS[1:], KINDS)
_LEAST = 0.04                       # of the mean square that a curve must foresee,
_SURE = 2.0                         # and deviations of that share between parts


class Shape(NamedTuple):
    """What is chosen of the curves on a coordinate: kinds, bells of each, size of heights."""

    kinds: tuple[str, ...]
    number: int
    size: float


def learned_curves(evidence: Evidence) -> tuple[Curve, ...]:
    """Return the Curves of applied force that parts of the time foresee in the others.

    Heights and changes of the rigid model have the largest posterior probability together: a
    Gaussian process of each coordinate's position and rate, by its bells (Rasmussen and Williams
    2006, Sec. 2.1).  Kinds, numbers of bells and sizes of heights are chosen by cross-validation.
    """
    shapes = {row: shape for row in range(len(evidence.names))
              if (shape := _chosen(evidence, row)) is not None}
    heights = _heights(evidence, shapes)
    curves = []
    for row, shape in shapes.items():
        for kind in shape.kinds:
            centres, width = even_centres(evidence.values[kind][:, row], shape.number)
            # Drives that give more than the model needs work against a force.
            curves.append(Curve(evidence.names[row], kind, centres, width, -heights[row, kind]))
    return tuple(curves)


def _chosen(evidence: Evidence, row: int) -> Shape | None:
    """Return the Shape that foresees most on a row, the simplest of equally good ones, or None."""
    p, gains = evidence.rigid.shape[2], {}
    every = sum(evidence.products(other, np.zeros((len(evidence.part), 0)))
                for other in range(len(evidence.names)))
    own = evidence.products(row, np.zeros((len(evidence.part), 0)))
    without = _missed(every, _precision(evidence, p, 0, 1.0))
    unit = np.mean([_square(part, _fitted(every.sum(0) - one, _precision(evidence, p, 0, 1.0)))
                    for part, one in zip(own, every, strict=True)])
    for number in _NUMBERS:
        whole = evidence.products(row, evidence.features(row, number))
        rigid = np.r_[:p, whole.shape[1] - 1]
        whole[:, rigid[:, np.newaxis], rigid] += every - own
        for kinds, size in product(_OF, _SIZES):
            chosen = np.concatenate([np.arange(p), *(
                p + KINDS.index(kind) * number + np.arange(number) for kind in kinds), rigid[-1:]])
            precision = _precision(evidence, p, len(kinds) * number, size * evidence.size[row])
            missed = _missed(whole[:, chosen[:, np.newaxis], chosen], precision)
            gains[Shape(kinds, number, size)] = (without - missed) / unit
    best = max(gains, key=lambda shape: float(np.mean(gains[shape])))
    if not _is_sure(gains[best], _LEAST):
        return None
    alike = [shape for shape, gain in gains.items()
             if np.mean(gains[best] - gain) <= _error(gains[best] - gain)]
    return min(alike, key=lambda shape: (len(shape.kinds) * shape.number, -np.mean(gains[shape])))


def _is_sure(gain: FloatArray, least: float) -> bool:
    return bool(np.mean(gain) > max(least, _SURE * _error(gain)))


def _error(values: FloatArray) -> float:
    """Return the deviation of the mean of values of parts (s)."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def _heights(evidence: Evidence, shapes: dict[int, Shape]) -> dict[tuple[int, str], FloatArray]:
    """Return the heights of all bells together, by row and kind."""
    p = evidence.rigid.shape[2]
    blocks = [(row, kind, shape) for row, shape in shapes.items() for kind in shape.kinds]
    ends = p + np.cumsum([shape.number for *_, shape in blocks], dtype=int)
    slices = {(row, kind): np.arange(end - shape.number, end)
              for (row, kind, shape), end in zip(blocks, ends, strict=True)}
    total = int(ends[-1]) if len(ends) else p
    whole, precision = np.zeros((total + 1, total + 1)), np.zeros((total, total))
    precision[:p, :p] = evidence.belief.T @ evidence.belief
    for row in range(len(evidence.names)):
        columns: list[IntArray] = [np.arange(p)]
        features = np.zeros((len(evidence.part), 0))
        if row in shapes:
            shape = shapes[row]
            both = evidence.features(row, shape.number)
            features = np.concatenate([both[:, KINDS.index(kind) * shape.number:][:, :shape.number]
                                       for kind in shape.kinds], axis=1)
            columns += [slices[row, kind] for kind in shape.kinds]
            for kind in shape.kinds:
                at = slices[row, kind]
                precision[at, at] = (shape.size * evidence.size[row]) ** -2.0
        chosen = np.concatenate([*columns, [total]])
        whole[chosen[:, np.newaxis], chosen] += evidence.products(row, features).sum(0)
    solution = _fitted(whole, precision)
    return {key: solution[at] for key, at in slices.items()}


def _precision(evidence: Evidence, p: int, number: int, size: float) -> FloatArray:
    """Return the information (p + b, p + b) before: on unknowns, and heights of bells."""
    precision = np.eye(p + number) * max(size, 1e-300) ** -2.0
    precision[:p, :p] = evidence.belief.T @ evidence.belief
    return precision


def _missed(products: FloatArray, precision: FloatArray) -> FloatArray:
    """Return the squares (s) that are left in each part by a fit to the others."""
    every = products.sum(0)
    return np.array([_square(part, _fitted(every - part, precision)) for part in products])


def _fitted(products: FloatArray, precision: FloatArray) -> FloatArray:
    """Return the numbers (c - 1) of least squares, by products of their columns and the right."""
    normal = products[:-1, :-1] + precision
    scale = 1.0 / np.sqrt(np.maximum(np.diagonal(normal), 1e-300))
    return np.asarray(scale * np.linalg.solve(
        normal * scale[:, np.newaxis] * scale, scale * products[:-1, -1]), np.float64)


def _square(products: FloatArray, solution: FloatArray) -> float:
    """Return the sum of squares that numbers leave."""
    whole = np.r_[solution, -1.0]
    return float(whole @ products @ whole)
