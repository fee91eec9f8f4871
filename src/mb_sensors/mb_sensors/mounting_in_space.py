"""Where a sensor sits on a mechanism in space, taken from its entry in the mechanism file."""

from contextlib import contextmanager
from typing import Any

from numpy.typing import ArrayLike

from mb_model import MechanismError
from mb_model.arrays import FloatArray
from mb_model.space_api import of_roll_pitch_yaw
from mb_sensors.errors import SensorError
from mb_sensors.kind_parts.sensor_keys import PLACE_IN_SPACE
from mb_sensors.kind_parts.vectors import Terms, vectors
from mb_sensors.mounting import Mounting

_GROUND = 'ground'


class MountingInSpace(Mounting):
    """A Mounting; places and directions are given as terms, see kind_parts.vectors."""

    def place(self, key: str) -> Terms:
        """Take a place; see one_place."""
        return self.one_place(key, self._take(key))

    def one_place(self, key: str, value: Any) -> Terms:
        """Return the terms of a place {body: name, at: where on it}, also on the ground."""
        if not isinstance(value, dict):
            self._fail(key, f'{value!r} must be a place {{body: name, at: point or [x, y, z]}}')
        return MountingInSpace(self._mechanism, f'{self._path}.{key}', dict(value),
                               PLACE_IN_SPACE['properties']).whole_place()

    def whole_place(self):
        """Return the place that all keys name: a body and where on it."""
        bodies = [_GROUND, *self._mechanism.bodies]
        body = self._one_of('body', self._take('body', expected=bodies), bodies)
        place = self.place_on(body, 'at')
        self.finish()
        return place

    def place_on(self, body: str, key: str) -> Terms:
        """Take a place on a body: the name of one of its points, or [x, y, z] in its frame [m]."""
        self._check_rigid(body)
        points = {} if body == _GROUND else self._mechanism.bodies[body].points
        default = self._keys[key].get('default')
        if isinstance(self._entry.get(key, default), (list, tuple)):
            place: ArrayLike = self.numbers(key, 3)
        else:
            value = self._take(key, expected=[*points, '[x, y, z]'])
            place = points[self._one_of(key, value, points)]
        with self._noted(key):
            return self._mechanism.place_terms(body, place)

    def direction(self, body: str, direction: ArrayLike) -> Terms:
        """Return the terms of a direction in a body's frame (3)."""
        self._check_rigid(body)
        with self._noted('body'):
            return self._mechanism.direction_terms(body, direction)

    def place_on_beam(self, key: str, body: Any, twists: bool = False) -> FloatArray:
        """Take a place [x, y, z] in the frame of a flexible body, beside its axis (3) [m].

        Along a deflection, unless the sensor reads how the body twists.
        """
        place = self.numbers(key, 3)
        self._check_along(key, place[0], body, body.beam.shape.length)
        if not any(place[1 + 'yz'.index(axis)] for axis in ('yz' if twists else body.beam.bending)):
            self._fail(key, f'{place.tolist()} must be beside the axis, along '
                            f'{" or ".join(body.beam.bending)}: no bending stretches it there')
        return place

    def turn(self, key: str) -> FloatArray:
        """Take roll, pitch, yaw; return the axes of the sensor in the body's frame (3, 3)."""
        return of_roll_pitch_yaw(self.numbers(key, 3))

    def vectors(self, *parts: Terms) -> dict[str, Any]:
        """Return the fields of CHANNEL of vectors by their terms."""
        try:
            return vectors(*parts)
        except ValueError as error:
            raise SensorError(f'{self._path}: its body {error}') from None

    def angle_coordinate(self, key: str) -> int:
        """Take the name of a coordinate that is an angle; return its place in q."""
        return self.coordinate(key, self._added('rad'))

    def length_coordinate(self, key: str) -> int:
        """Take the name of a coordinate that is a length; return its place in q."""
        return self.coordinate(key, self._added('m'))

    def joint(self, key: str) -> str:
        """Take the name of a joint."""
        joints = self._mechanism.joints
        return self._one_of(key, self._take(key, expected=joints), joints)

    def joint_of_angle(self, key: str) -> Any:
        """Take the name of a Joint that turns about one axis of both bodies."""
        known = self._mechanism.turning_joints
        return self._mechanism.joints[self._one_of(key, self._take(key, expected=known), known)]

    def _check_rigid(self, body):
        if body in self._mechanism.flexible_bodies:
            sections = ', '.join(self._mechanism.bodies[body].sections)
            raise SensorError(f'{self._path}: {body} is flexible: expected a strain_gauge, or one '
                              f'of its sections {sections}')

    def _added(self, unit):
        """Return the names of coordinates of a unit, no nodes, no orientations."""
        return [name for name, one in self._mechanism.described.coordinates.items()
                if one.unit == unit and one.kind != 'orientation']

    @contextmanager
    def _noted(self, key):
        """Let what a mechanism refuses be about a key."""
        try:
            yield
        except MechanismError as error:
            self._fail(key, error)
