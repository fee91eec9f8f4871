"""Where coordinates, points and bodies of a mechanism are in its arrays, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, IntArray
from mb_model.assembly.requirements import require_plane, require_space
from mb_model.mechanism_file.description import MechanismError
from mb_model.space.body import GROUND

_BESIDE = 1e-9      # the line of a slender body [m], or in unit vectors
_ZERO = 1e-12       # weights below are rounding
NodeTerms = tuple[tuple[int, float], ...]      # (index of a node's x in arrays, weight) each


def unit(mechanism: Any, coordinate: str) -> str:
    """Return the unit of a coordinate by its name, 'rad' or 'm'."""
    return mechanism.described.unit(coordinate)


def indices(mechanism: Any, names: Sequence[str]) -> IntArray:
    """Return the indices in q of coordinates by name (k); raises MechanismError."""
    for name in names:
        if name not in mechanism.coordinates:
            raise MechanismError(f'{mechanism.name}: {name}: unknown coordinate, expected some of '
                                 f'{", ".join(mechanism.coordinates)}')
    return np.array([mechanism.coordinates.index(name) for name in names], np.int64)


def body_indices(mechanism: Any, body: str) -> tuple[int, int]:
    """Return where x of a body's first and second point are in arrays over n_total.

    Raises MechanismError in space, as do point_index and angle_index.
    """
    require_plane(mechanism, f'two points of {body}')
    first, second = mechanism.model['body_index'][0, list(mechanism.bodies).index(body)]
    return int(first), int(second)


def point_index(mechanism: Any, point: str) -> int:
    """Return where x of a point is in arrays over n_total."""
    require_plane(mechanism, f'coordinates of the point {point}')
    if not mechanism.points[point].fixed:
        return mechanism.coordinates.index(f'{point}.x')
    fixed = [name for name, other in mechanism.points.items() if other.fixed]
    return mechanism.n + 2 * fixed.index(point)


def angle_index(mechanism: Any, body: str) -> int | None:
    """Return the index in q of a body's own absolute angle, None if it has none."""
    require_plane(mechanism, f'the angle of {body}')
    for coordinate in mechanism.described.coordinates.values():
        if coordinate.kind == 'angle' and coordinate.body == body:
            return mechanism.coordinates.index(coordinate.name)
    return None


def point_terms(mechanism: Any, body: str, offset: ArrayLike) -> NodeTerms:
    """Return the nodes and weights whose sum is a point of a body in space; offset (3) [m].

    In arrays over n_total; its velocity is the same sum of qd.  Raises MechanismError for a
    point beside the line of a slender body, and in the plane.
    """
    require_space(mechanism, f'nodes of {body}')
    if _is_slender(mechanism, body):
        first = next(iter(mechanism.bodies[body].points.values()))
        _require_on_line(mechanism, body, 'point', np.asarray(offset) - first)
    return _terms(mechanism, body, np.r_[1.0, offset])


def direction_terms(mechanism: Any, body: str, direction: ArrayLike) -> NodeTerms:
    """Return the same of a direction in a body's frame (3)."""
    require_space(mechanism, f'nodes of {body}')
    if _is_slender(mechanism, body):
        _require_on_line(mechanism, body, 'direction', np.asarray(direction))
    return _terms(mechanism, body, np.r_[0.0, direction])


def _is_slender(mechanism: Any, body: str) -> bool:
    """Return whether a body, or what it is welded to, is slender."""
    k = list(mechanism.bodies).index(body) if body != GROUND else -1
    return k >= 0 and mechanism.model['solid_frame'][0, k, -1] < 0


def _require_on_line(mechanism: Any, body: str, what: str, along: FloatArray) -> None:
    line = mechanism.bodies[body].line
    if np.abs(along - line * (line @ along)).max() > _BESIDE:
        raise MechanismError(f'{mechanism.name}: {body} is slender: it has no {what} beside its '
                             'line')


def _terms(mechanism: Any, body: str, mark: FloatArray) -> NodeTerms:
    """Return the terms of a mark (1 or 0, x, y, z) of a body."""
    if body == GROUND:      # origin and axes are the first fixed nodes
        return tuple((mechanism.n + 3 * k, float(share)) for k, share in enumerate(mark) if share)
    model, k = mechanism.model[0], list(mechanism.bodies).index(body)
    terms = slice(model['solid_terms'][k], model['solid_terms'][k + 1])
    weights = model['solid_weight'][terms] @ mark
    return tuple((int(node), float(weight)) for node, weight in zip(
        model['solid_node'][terms], weights, strict=True) if abs(weight) > _ZERO)
