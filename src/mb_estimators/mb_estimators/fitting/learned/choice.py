"""Which curves are learned: by how well parts of the time are foreseen by the others."""

from dataclasses import replace
from itertools import product as pairs
from typing import NamedTuple

import numpy as np
from scipy.linalg import block_diag

from mb_estimators.fitting.learned.curve import KINDS, Curve, even_centres
from mb_estimators.fitting.learned.evidence import Evidence
from mb_model.arrays import BoolArray, FloatArray

_NUMBERS = 4, 8, 16, 32             # of bells
_SIZES = 0.5, 2.0, 8.0              # of their heights, against the residual
_OF = (KINDS[:1], KINDS[1:], KINDS)
_LEAST = 0.04                       # share of the squares that a curve must foresee,
_SURE = 2.0                         # and deviations of that share between parts
_APART = 100.0                      # information against the forces that numbers have as well


class Shape(NamedTuple):
    """What is chosen of the curves on a coordinate: kinds, bells of each, size of heights."""

    kinds: tuple[str, ...]
    number: int
    size: float


def learned_curves(evidence: Evidence) -> tuple[Curve, ...]:
    """Return the Curves of applied force that parts of the time foresee in the others.

    Heights and changes of the rigid model have the largest posterior probability together: a
    Gaussian process of each coordinate's position and rate, by its bells (Rasmussen and Williams
    2006, Sec. 2.1).  What numbers of forces on this coordinate can be, friction above all, is left
    to them.  Kinds, numbers of bells and sizes of heights are chosen by cross-validation, of one
    coordinate after another, the one of which most is foreseen first.
    """
    shapes: dict[int, Shape] = {}
    extended, rows = evidence, set(range(len(evidence.names)))
    while rows - set(shapes):
        gain, shape, row = max((*_chosen(extended, row), row) for row in rows - set(shapes))
        if gain == 0.0:
            break
        shapes[row] = shape
        extended = _extended(extended, row, shape)
    products = sum(_whole(extended, row).sum(0) for row in rows)
    heights = _fitted(products, extended.belief.T @ extended.belief)[evidence.rigid.shape[2]:]
    curves = []
    for row, shape in shapes.items():
        for kind in shape.kinds:
            own, heights = np.split(heights, [shape.number])
            centres, width = even_centres(evidence.values[kind][:, row], shape.number)
            # Drives that give more than the model needs work against a force.
            curves.append(Curve(evidence.names[row], kind, centres, width, -own))
    return tuple(sorted(curves, key=lambda curve: evidence.names.index(curve.coordinate)))


def _chosen(evidence: Evidence, row: int) -> tuple[float, Shape]:
    """Return the share of a row's squares that a Shape foresees, 0 if not enough, and the best."""
    p, gains = evidence.rigid.shape[2], {}
    every = sum(_whole(evidence, other) for other in range(len(evidence.names)))
    own = _whole(evidence, row)
    without = _missed(own, every, evidence.belief.T @ evidence.belief)
    for number in _NUMBERS:
        judged = evidence.products(row, evidence.features(row, number))
        rigid = np.r_[:p, judged.shape[1] - 1]
        whole = judged.copy()
        whole[:, rigid[:, np.newaxis], rigid] += every - own
        for kinds, size in pairs(_OF, _SIZES):
            chosen = np.concatenate([np.arange(p), p + _columns(kinds, number), rigid[-1:]])
            of_chosen = slice(None), chosen[:, np.newaxis], chosen
            shape = Shape(kinds, number, size)
            precision = block_diag(evidence.belief.T @ evidence.belief, _precision(
                evidence, row, shape, judged[of_chosen].sum(0)))
            missed = _missed(judged[of_chosen], whole[of_chosen], precision)
            gains[shape] = 1.0 - missed / without
    best = max(gains, key=lambda shape: float(np.mean(gains[shape])))
    gain = float(np.mean(gains[best]))
    error = float(np.std(gains[best], ddof=1)) / np.sqrt(evidence.parts)
    return (gain if gain > max(_LEAST, _SURE * error) else 0.0), best


def _extended(evidence: Evidence, row: int, shape: Shape) -> Evidence:
    """Return Evidence with the bells of a Shape on a row among what the rigid model can take."""
    features = evidence.features(row, shape.number)[:, _columns(shape.kinds, shape.number)]
    bells = np.zeros((*evidence.residual.shape, features.shape[1]))
    bells[:, row] = features
    precision = _precision(evidence, row, shape, evidence.products(row, features).sum(0))
    return replace(
        evidence, rigid=np.concatenate([evidence.rigid, bells], axis=2),
        belief=block_diag(evidence.belief, np.linalg.cholesky(precision).T),
        own=np.pad(evidence.own, ((0, 0), (0, features.shape[1]))))


def _columns(kinds: tuple[str, ...], number: int) -> FloatArray:
    """Return which columns of features are of some kinds."""
    return np.concatenate([KINDS.index(kind) * number + np.arange(number) for kind in kinds])


def _whole(evidence: Evidence, row: int) -> FloatArray:
    """Return the products of a row without any bells beside the rigid model (s, p + 1, p + 1)."""
    return evidence.products(row, np.zeros((len(evidence.part), 0)))


def _precision(evidence: Evidence, row: int, shape: Shape, products: FloatArray) -> FloatArray:
    """Return the information (b, b) before on heights of bells, by products with them.

    That they are as large as their size says, and not what numbers of their own coordinate are.
    """
    own: BoolArray = evidence.own[row]
    along = products[:len(own)][own, len(own):-1]
    numbers = products[:len(own), :len(own)][own][:, own]
    size = max(shape.size * float(evidence.size[row]), 1e-300)
    return np.asarray(np.eye(along.shape[1]) / size ** 2 + _APART * along.T @ np.linalg.pinv(
        numbers, hermitian=True) @ along, np.float64)


def _missed(judged: FloatArray, products: FloatArray, precision: FloatArray) -> FloatArray:
    """Return the squares (s) of `judged` that are left in each part by a fit to the others."""
    every = products.sum(0)
    return np.array([_square(one, _fitted(every - part, precision))
                     for one, part in zip(judged, products, strict=True)])


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
