"""A wheel that rolls without slip along a straight or a round track.

    travel + radius turn = at                                       on a line
    (track_radius + radius) travel - radius turn = at (...)         around a circle

travel: where its centre is along the track [m or rad]; turn: how it is turned against the track
[rad]; at: its travel where the turn is zero; radius: of the wheel, negative if it is on the right
of its line, or inside of its circle.  It is an equation of `linear`.  In the plane its centre is
held on its line, or at its distance from the track's centre; in space joints do that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mb_model.constraints.equation import Equation
from mb_model.constraints.kinds import slider
from mb_model.constraints.relation import Constraint, Coordinate, RelationKind


@dataclass(frozen=True)
class Rolling(Constraint):
    """A wheel on a track; track_radius: None for a line."""

    travel: str
    turn: str
    radius: float
    track_radius: float | None
    at: float


def _read(entries: Any, path: str, name: str, value: dict[str, Any], points: Mapping[str, Any],
          bodies: Mapping[str, Any]) -> Rolling:
    radius, track = value['radius'], value.get('track_radius')
    if radius == 0.0:
        entries.fail(f'{path}.radius', f'{radius:g} must not be 0')
    if track is not None and not track + radius > 0.0:
        entries.fail(f'{path}.radius', f'{radius:g}: a wheel inside of a track is smaller than it')
    return Rolling(name, 'rolling', value['place'], value['turn'], radius, track, value['at'])


def _equation(layout: Any, wheel: Rolling) -> Equation:
    indices = layout.index(wheel.travel), layout.index(wheel.turn)
    factors = 1.0, wheel.radius
    if wheel.track_radius is not None:
        factors = wheel.track_radius + wheel.radius, -wheel.radius
    return Equation('linear', (*indices, indices[1]), (*factors, 0.0, factors[0] * wheel.at), 1,
                    1.0, f'constraints.{wheel.name}', ())


def _held(layout: Any, wheel: Rolling) -> tuple[Equation, ...]:
    """Return the Equation that holds the centre on its line or circle."""
    if layout.dimension == 3:
        return ()
    meaning = f'constraints.{wheel.name}.centre'
    travel = layout.coordinate(wheel.travel)
    if wheel.track_radius is None:
        line = slider.Slider(wheel.name, 'slider', travel.points)
        return (replace(slider.CONSTRAINT.equation(layout, line), meaning=meaning),)
    distance = wheel.track_radius + wheel.radius
    ends = tuple(layout.points[name] for name in travel.points)
    return (Equation('constant_distance', ends, (distance,), 1, 2.0 * distance, meaning,
                     (None, None)),)


def _check(entries: Any, path: str, wheel: Rolling, coordinates: Mapping[str, Coordinate]) -> None:
    """The coordinates are the travel along a track and an angle."""
    wanted = 'slider' if wheel.track_radius is None else 'line_angle'
    travel, turn = (coordinates.get(name) for name in (wheel.travel, wheel.turn))
    if travel is None or travel.kind != wanted:
        entries.fail(f'{path}.place', f'{wheel.travel} must be a coordinate of kind {wanted} '
                                      'where the track is ' + (
                                          'straight' if wheel.track_radius is None else 'round'))
    if turn is None or turn.unit != 'rad':
        entries.fail(f'{path}.turn', f'{wheel.turn} must be an angle')


CONSTRAINT = RelationKind('rolling', {
    'description': 'A wheel rolls without slip along a line, or around a circle in the plane.',
    'required': ['place', 'turn', 'radius'],
    'properties': {
        'place': {'$ref': '#/$defs/reference',
                  'description': 'The coordinate that says where the centre of the wheel is: a '
                                 '`slider` along the line that the centre moves on, or the '
                                 '`line_angle` from the centre of a round track.'},
        'turn': {'$ref': '#/$defs/reference',
                 'description': 'The coordinate that says how the wheel is turned against its '
                                'track.'},
        'radius': {'$ref': '#/$defs/number',
                   'description': 'Of the wheel [m]; negative if it rolls on the right of its '
                                  'line, or inside of its circle.'},
        'track_radius': {'$ref': '#/$defs/positive',
                         'description': 'Of a round track [m]; without it the track is straight.'},
        'at': {'$ref': '#/$defs/number', 'default': 0.0,
               'description': 'Travel of the wheel where its turn is 0 [m or rad].'}},
}, _read, _equation, coordinates=lambda wheel: (wheel.travel, wheel.turn), in_space=True,
    beside=_held, check=_check)
