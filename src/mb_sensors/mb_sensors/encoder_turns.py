"""Whole turns of encoders of angles: whether readings count them, and which are possible."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor, pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.file_api import ExpressionError, evaluate_expression as evaluate, shown
from mb_sensors.kind_parts.sensor_kind import SensorError

TURN = 2.0 * pi
BEYOND = 1.5 * TURN     # no encoder of a single turn reads as much, wherever its zero is


@dataclass(frozen=True)
class EncoderTurns:
    """What an encoder of an angle knows of whole turns.

    counts: whether readings count them; None: not said, so the first reading BEYOND a turn shows
    it.  limits: least and greatest angle [rad], of the sensor or of the coordinate, None for any;
    coordinate: the coordinate of the mechanism that is this angle, and counts turns, empty if none
    is.
    """

    counts: bool | None = None
    limits: tuple[float, float] | None = None
    coordinate: str = ''

    def nearest(self, reading: float, near: float) -> tuple[float, int]:
        """Return the angle [rad] of a reading of a single turn, and how many the limits allow.

        It is the one within the limits that is nearest to `near` [rad]; without limits, or with
        none within them, the nearest of all, and 0.
        """
        turns = round((near - reading) / TURN)
        if self.limits is None:
            return reading + TURN * turns, 0
        low, high = (ceil((self.limits[0] - reading) / TURN),
                     floor((self.limits[1] - reading) / TURN))
        if low <= high:
            turns = min(max(turns, low), high)
        return reading + TURN * turns, max(0, high - low + 1)


def within_a_turn(values: ArrayLike) -> FloatArray:
    """Return angles [rad] as an encoder of a single turn reads them: from -pi to pi."""
    angles = np.asarray(values, float)
    return angles - TURN * np.round(angles / TURN)


def take_turns(mechanism: Mechanism, path: str, kind: str, entry: dict[str, Any]) -> EncoderTurns:
    """Take what a sensor's entry, at a path such as 'my.yaml: sensors.encoder', says of turns.

    Raises SensorError.
    """
    coordinate = _coordinate(mechanism, kind, entry)
    counts, limits = _counts(path, entry), _limits(mechanism, path, entry)
    if limits is None and coordinate:
        on = mechanism.described.coordinates[coordinate]
        limits = (on.lower, on.upper) if np.isfinite(on.upper - on.lower) else None
    turns = EncoderTurns(counts, limits, coordinate)
    for key in ('counts_turns', 'limits'):
        if not turns.coordinate and (turns.counts if key == 'counts_turns' else turns.limits):
            raise SensorError(f'{path}.{key}: the file has no coordinate that is this angle, so '
                              'nothing counts its turns: expected one among coordinates, as '
                              f'{_example(mechanism, kind, entry)}')
    return turns


def _counts(path: str, entry: dict[str, Any]) -> bool | None:
    value = entry.pop('counts_turns', None)
    if value is not None and not isinstance(value, bool):
        raise SensorError(f'{path}.counts_turns: {shown(value)} must be true or false')
    return value


def _limits(mechanism: Mechanism, path: str, entry: dict[str, Any]) -> tuple[float, float] | None:
    given = entry.pop('limits', None)
    if given is None:
        return None
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise SensorError(f'{path}.limits: {shown(given)} must be a list of two angles')
    try:
        low, high = (float(evaluate(one, mechanism.parameters) if isinstance(one, str) else one)
                     for one in given)
    except (ExpressionError, TypeError, ValueError) as error:
        raise SensorError(f'{path}.limits: {shown(given)} {error}') from None
    if not -np.inf < low < high < np.inf:
        raise SensorError(f'{path}.limits: {shown(given)} must be finite, the least angle first')
    return low, high


def _coordinate(mechanism: Mechanism, kind: str, entry: Mapping[str, Any]) -> str:
    """Return the name of the coordinate that is the angle of an entry, empty if none is."""
    added = mechanism.described.coordinates
    if mechanism.dimension == 2:
        wanted = (('relative_angle', entry.get('bodies')) if kind == 'relative_angle_encoder'
                  else ('angle', [entry.get('body')]))
        return next((name for name, one in added.items() if wanted[0] == one.kind
                     and isinstance(wanted[1], (list, tuple))
                     and list(one.bodies) == list(wanted[1])), '')
    if kind == 'angle_encoder':
        name = entry.get('coordinate')
        return name if isinstance(name, str) and name in added else ''
    return next((name for name, one in added.items()
                 if one.kind == 'angle' and one.joint == entry.get('joint')), '')


def _example(mechanism: Mechanism, kind: str, entry: dict[str, Any]) -> str:
    if mechanism.dimension == 3:
        return f'{{kind: angle, joint: {entry.get("joint")}}}'
    if kind == 'relative_angle_encoder':
        return f'{{kind: relative_angle, bodies: {entry.get("bodies")}}}'
    return f'{{kind: angle, body: {entry.get("body")}}}'
