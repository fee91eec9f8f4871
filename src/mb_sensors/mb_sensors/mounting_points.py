"""Points and directions of sensors on a mechanism, in the plane and in space."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import cos, pi, sin
from typing import Any

from numpy.typing import ArrayLike

from mb_model import MechanismError
from mb_model.arrays import FloatArray
from mb_model.space_api import of_roll_pitch_yaw
from mb_sensors.kind_parts.channel import Terms, vectors
from mb_sensors.kind_parts.sensor_kind import POINT, POINT_IN_SPACE, SensorError
from mb_sensors.mounting import Mounting


class MountingInPlane(Mounting):
    """A Mounting; points are given as fields of CHANNEL: first, second, along, across."""

    dimension = 2

    def channel(self, *parts: dict | None, **numbers: Any) -> dict[str, Any] | None:
        """Return the fields of all parts and numbers, None if a part is out of the plane."""
        fields = dict(numbers)
        for part in parts:
            if part is None:
                return None
            fields |= part
        return fields

    def directions(self, body: str) -> dict[str, dict[str, float] | None]:
        """Take axes, turned by `orientation`; return the fields of each, None out of the plane."""
        orientation, length = self.number('orientation'), self.length(body)
        turned = {'x': orientation, 'y': orientation + pi / 2.0}
        return {axis: {'cosine': cos(turned[axis]) / length, 'sine': sin(turned[axis]) / length,
                       **self.axis(body)} if axis in turned else None
                for axis in self.axes('axes')}

    def axis(self, body: str, prefix: str = '') -> dict:
        """Return the fields of a body's x axis."""
        if body in self._mechanism.flexible_bodies:
            raise SensorError(f'{self._path}: {body} is flexible, its sections turn in their own '
                              'ways: expected a strain_gauge, a rigid body, or points by name')
        first, second = self._mechanism.body_indices(body)
        return {f'{prefix}first': first, f'{prefix}second': second}

    def angle(self, body: str) -> int:
        """Return the index in q of a body's own angle, -1 if it has none."""
        index = self._mechanism.angle_index(body)
        return -1 if index is None else index

    def length(self, body: str) -> float:
        """Return the length between a body's first two points [m]."""
        return self._mechanism.bodies[body].length

    def point(self, key: str) -> dict:
        """Take a point; see one_point."""
        return self.one_point(key, self._take(key, expected=self._mechanism.points))

    def one_point(self, key: str, value: Any) -> dict:
        """Return the fields of a point: the name of a point, or {body: name, at: where on it}."""
        if isinstance(value, dict):
            return MountingInPlane(self._mechanism, f'{self._path}.{key}', dict(value),
                                   POINT['properties']).whole_point()
        index = self._mechanism.point_index(self._one_of(key, value, self._mechanism.points))
        return {'first': index, 'second': index}

    def point_on(self, body: str, key: str) -> dict:
        """Take a point on a body: the name of one of its points, or [x, y] in its frame [m]."""
        described = self._mechanism.bodies[body]
        value = self._take(key, expected=[*described.points, '[x, y]'])
        if isinstance(value, (list, tuple)) and len(value) == 2:
            x, y = (self._number(f'{key}[{k}]', part) for k, part in enumerate(value))
        else:
            x, y = described.points[self._one_of(key, value, described.points)]
        return {**self.axis(body), 'along': x / described.length, 'across': y / described.length}

    def point_on_beam(self, key: str, body: Any) -> tuple[float, float]:
        """Take a point [x, y] in the frame of a flexible body, beside its neutral fibre [m]."""
        x, y = self.numbers(key, 2)
        self._check_along(key, x, body, body.length)
        if y == 0.0:
            self._fail(key, 'y must not be 0: the neutral fibre does not stretch')
        return x, y

    def _of_unit(self, unit: str) -> list[str]:
        if unit == 'rad':
            return [name for name in self._mechanism.coordinates
                    if self._mechanism.unit(name) == 'rad']
        added = self._mechanism.described.coordinates
        return [name for name in self._mechanism.coordinates
                if name not in added or added[name].unit == unit]


class MountingInSpace(Mounting):
    """A Mounting; points and directions are given as terms, see kind_parts.channel."""

    dimension = 3
    _grounds = ('ground',)

    def point(self, key: str) -> Terms:
        """Take a point; see one_point."""
        return self.one_point(key, self._take(key))

    def one_point(self, key: str, value: Any) -> Terms:
        """Return the terms of a point {body: name, at: where on it}, also on the ground."""
        if not isinstance(value, dict):
            self._fail(key, f'{value!r} must be a point {{body: name, at: point or [x, y, z]}}')
        return MountingInSpace(self._mechanism, f'{self._path}.{key}', dict(value),
                               POINT_IN_SPACE['properties']).whole_point()

    def point_on(self, body: str, key: str) -> Terms:
        """Take a point on a body: the name of one of its points, or [x, y, z] in its frame [m]."""
        self._check_rigid(body)
        points = {} if body in self._grounds else self._mechanism.bodies[body].points
        default = self._keys[key].get('default')
        if isinstance(self._entry.get(key, default), (list, tuple)):
            local: ArrayLike = self.numbers(key, 3)
        else:
            value = self._take(key, expected=[*points, '[x, y, z]'])
            local = points[self._one_of(key, value, points)]
        with self._noted(key):
            return self._mechanism.point_terms(body, local)

    def direction(self, body: str, direction: ArrayLike) -> Terms:
        """Return the terms of a direction in a body's frame (3)."""
        self._check_rigid(body)
        with self._noted('body'):
            return self._mechanism.direction_terms(body, direction)

    def directions(self, body: str) -> dict[str, Terms]:
        """Take axes, turned by `rpy`; return the terms of each."""
        turn = self.turn('rpy')
        return {axis: self.direction(body, turn[:, 'xyz'.index(axis)])
                for axis in self.axes('axes')}

    def point_on_beam(self, key: str, body: Any, twists: bool = False) -> FloatArray:
        """Take a point [x, y, z] in the frame of a flexible body, beside its axis (3) [m].

        Along a deflection, unless the sensor reads how the body twists.
        """
        local = self.numbers(key, 3)
        self._check_along(key, local[0], body, body.beam.shape.length)
        if not any(local[1 + 'yz'.index(axis)] for axis in ('yz' if twists else body.beam.bending)):
            self._fail(key, f'{local.tolist()} must be beside the axis, along '
                            f'{" or ".join(body.beam.bending)}: no bending stretches it there')
        return local

    def turn(self, key: str) -> FloatArray:
        """Take roll, pitch, yaw; return the axes of the sensor in the body's frame (3, 3)."""
        return of_roll_pitch_yaw(self.numbers(key, 3))

    def channel(self, *parts: Terms, **numbers: Any) -> dict[str, Any]:
        """Return the fields of CHANNEL of vectors by their terms, and numbers by field."""
        try:
            return {**vectors(*parts), **numbers}
        except ValueError as error:
            raise SensorError(f'{self._path}: its body {error}') from None

    def joint(self, key: str) -> str:
        """Take the name of a joint."""
        return self._name(key, self._mechanism.joints)

    def joint_of_angle(self, key: str) -> Any:
        """Take the name of a Joint that turns about one axis of both bodies."""
        return self._mechanism.joints[self._name(key, self._mechanism.turning_joints)]

    def _check_rigid(self, body: str) -> None:
        if body in self._mechanism.flexible_bodies:
            sections = ', '.join(self._mechanism.bodies[body].sections)
            raise SensorError(f'{self._path}: {body} is flexible: expected a strain_gauge, or one '
                              f'of its sections {sections}')

    def _of_unit(self, unit: str) -> list[str]:
        return [name for name, one in self._mechanism.described.coordinates.items()
                if one.unit == unit and one.kind != 'orientation']

    @contextmanager
    def _noted(self, key: str) -> Iterator[None]:
        """Let what a mechanism refuses be about a key."""
        try:
            yield
        except MechanismError as error:
            self._fail(key, error)
