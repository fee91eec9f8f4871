"""A point on a line: as a constraint it stays there, as a coordinate its travel is known.

Both are equations of two_lines.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from mb_model.constraints.coordinate_keys import SCHEMA as SHARED
from mb_model.constraints.equation import Equation
from mb_model.constraints.relation import Constraint, Coordinate, RelationKind


@dataclass(frozen=True)
class Slider(Constraint):
    """The third of three points stays on the line through the others."""

    points: tuple[str, str, str]


def _points(entries: Any, path: str, value: dict[str, Any], points: Mapping[str, Any],
            bodies: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the two points of the line and the point on it."""
    along = entries.names(f'{path}.along', value['along'], points, 'point')
    point = entries.one_of(f'{path}.point', value['point'], points, 'point')
    if point in along:
        entries.fail(f'{path}.point', f'{point} is an end of the line already')
    rigid = any(set(along) <= set(body.points) for body in bodies.values())
    if not rigid and not all(points[end].fixed for end in along):
        entries.fail(f'{path}.along', f'{along[0]} and {along[1]} must be two fixed points or two '
                                      'points of one body')
    if any({*along, point} <= set(body.points) for body in bodies.values()) or all(
            points[name].fixed for name in (*along, point)):
        entries.fail(f'{path}.point', f'{point} cannot move along {along[0]} and {along[1]}')
    if not rigid and points[along[0]].position == points[along[1]].position:
        entries.fail(f'{path}.along', f'{along[0]} and {along[1]} start at the same position')
    return (*along, point)


def _read_coordinate(entries: Any, path: str, name: str, value: dict[str, Any],
                     points: Mapping[str, Any], bodies: Mapping[str, Any]) -> Coordinate:
    return Coordinate(name, 'slider', 'm', points=_points(entries, path, value, points, bodies))


def _read_constraint(entries: Any, path: str, name: str, value: dict[str, Any],
                     points: Mapping[str, Any], bodies: Mapping[str, Any]) -> Slider:
    return Slider(name, 'slider', _points(entries, path, value, points, bodies))


def _coordinate_equation(layout: Any, slider: Coordinate) -> Equation:
    *along, point = slider.points
    i, j = (layout.points[name] for name in along)
    length = layout.line_length(*along)
    return Equation('two_lines', (i, j, i, layout.points[point], layout.index(slider.name)),
                    (-1.0, 0.0, length), 1, length, f'coordinates.{slider.name}',
                    _carriers(layout, *along))


def _constraint_equation(layout: Any, slider: Slider) -> Equation:
    *along, point = slider.points
    i, j = (layout.points[name] for name in along)
    return Equation('two_lines', (i, j, i, layout.points[point], i), (0.0, 1.0, 0.0), 1,
                    layout.line_length(*along), f'constraints.{slider.name}',
                    _carriers(layout, *along))


def _carriers(layout: Any, first: str, second: str) -> tuple[str | None, ...]:
    """Return the bodies of the points: the line belongs to a body or to the ground."""
    body = layout.body_of_line(first, second)
    return body, body, body, None


def _schema(description: str, shared: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    return {
        'description': description,
        'required': ['point', 'along'],
        'properties': {
            'point': {'$ref': '#/$defs/reference', 'description': 'The point.'},
            'along': {'$ref': '#/$defs/two_names',
                      'description': 'The line: two fixed points, or two points of one body.'},
            **shared}}


COORDINATE = RelationKind(
    'slider', _schema('Travel of a point along a line, from its first point towards its second '
                      '[m].', SHARED), _read_coordinate, _coordinate_equation)
CONSTRAINT = RelationKind(
    'slider', _schema('A point stays on a line: a fixed slider on two fixed points, a mobile one '
                      'on two points of a body.'), _read_constraint, _constraint_equation)
