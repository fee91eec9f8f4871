"""Where a sensor sits on a mechanism in the plane, taken from its entry in the mechanism file."""

from typing import Any

from mb_sensors.errors import SensorError
from mb_sensors.kind_parts.sensor_keys import PLACE
from mb_sensors.mounting import Mounting


class MountingInPlane(Mounting):
    """A Mounting; places are given as fields of CHANNEL: first, second, along, across."""

    def axis(self, body: str, prefix: str = '') -> dict:
        """Return the fields of a body's x axis."""
        if body in self._mechanism.flexible_bodies:
            raise SensorError(f'{self._path}: {body} is flexible, its sections turn in their own '
                              'ways: expected a strain_gauge, a rigid body, or points by name')
        first, second = self._mechanism.body_indices(body)
        return {f'{prefix}first': first, f'{prefix}second': second}

    def angle(self, body: str) -> int:
        """Return the place in q of a body's own angle, -1 if it has none."""
        place = self._mechanism.angle_index(body)
        return -1 if place is None else place

    def length(self, body: str) -> float:
        """Return the length between a body's first two points [m]."""
        return self._mechanism.bodies[body].length

    def place(self, key: str) -> dict:
        """Take a place; see one_place."""
        return self.one_place(key, self._take(key, expected=self._mechanism.points))

    def one_place(self, key: str, value: Any) -> dict:
        """Return the fields of a place: the name of a point, or {body: name, at: where on it}."""
        if isinstance(value, dict):
            on = MountingInPlane(self._mechanism, f'{self._path}.{key}', dict(value),
                                 PLACE['properties'])
            place = on.place_on(on.body('body'), 'at')
            on.finish()
            return place
        index = self._mechanism.point_index(self._one_of(key, value, self._mechanism.points))
        return {'first': index, 'second': index}

    def place_on(self, body: str, key: str) -> dict:
        """Take a place on a body: the name of one of its points, or [x, y] in its frame [m]."""
        described = self._mechanism.bodies[body]
        value = self._take(key, expected=[*described.points, '[x, y]'])
        if isinstance(value, (list, tuple)) and len(value) == 2:
            x, y = (self._number(f'{key}[{k}]', part) for k, part in enumerate(value))
        else:
            x, y = described.points[self._one_of(key, value, described.points)]
        return {**self.axis(body), 'along': x / described.length, 'across': y / described.length}

    def place_on_beam(self, key: str, body: Any) -> tuple[float, float]:
        """Take a place [x, y] in the frame of a flexible body, beside its neutral fibre [m]."""
        x, y = self.numbers(key, 2)
        self._check_along(key, x, body, body.length)
        if y == 0.0:
            self._fail(key, 'y must not be 0: the neutral fibre does not stretch')
        return x, y

    def angle_coordinate(self, key: str) -> int:
        """Take the name of a coordinate that is an angle; return its place in q."""
        return self.coordinate(key, [name for name in self._mechanism.coordinates
                                     if self._mechanism.unit(name) == 'rad'])

    def length_coordinate(self, key: str) -> int:
        """Take the name of a coordinate that is a length; return its place in q."""
        added = self._mechanism.described.coordinates
        lengths = [name for name in self._mechanism.coordinates
                   if name not in added or added[name].unit == 'm']
        return self.coordinate(key, lengths)
