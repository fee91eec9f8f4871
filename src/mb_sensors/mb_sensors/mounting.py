"""Where a sensor sits on a mechanism, taken from its entry in the mechanism file."""

from collections.abc import Callable, Collection
from typing import Any, NoReturn

import numpy as np

from mb_model import Mechanism
from mb_sensors.kind_parts.sensor_kind import SensorError


class Mounting:
    """Takes values out of a sensor's entry; a wrong one raises SensorError.

    MountingInPlane and MountingInSpace take places and directions, too.
    """

    dimension: int                      # of the mechanism, 2 or 3
    _grounds: tuple[str, ...] = ()      # where points may be, beside bodies

    def __init__(self, mechanism: Mechanism, path: str, entry: dict, keys: dict[str, dict]):
        """Set up for an entry (emptied as it is read), at a path such as 'my.yaml: sensors.imu'.

        keys: schema of each key that may be taken, which has its default.
        """
        self._mechanism, self._path = mechanism, path
        self._entry, self._keys = entry, keys

    @property
    def gravity(self) -> np.ndarray:
        """Gravity [m/s^2] (2 in the plane, 3 in space)."""
        return self._mechanism.gravity

    @property
    def up(self) -> np.ndarray:
        """The unit vector against gravity (2 or 3); SensorError if there is none."""
        size = np.linalg.norm(self.gravity)
        if not size > 0.0:
            raise SensorError(f'{self._path}: without gravity nothing is upwards')
        return -self.gravity / size

    def body(self, key: str) -> str:
        """Take the name of a body."""
        return self._name(key, self._mechanism.bodies)

    def point_on(self, body: str, key: str) -> Any:
        """Take a point on a body: the name of one of its points, or a list in its frame [m]."""
        raise NotImplementedError

    def channel(self, *parts: Any, **numbers: Any) -> dict[str, Any] | None:
        """Return the fields of CHANNEL of points and directions, and numbers of it by field.

        None if one of the directions is out of the plane.
        """
        raise NotImplementedError

    def whole_point(self) -> Any:
        """Return the point that all keys name: a body and where on it."""
        point = self.point_on(self._name('body', [*self._grounds, *self._mechanism.bodies]), 'at')
        self.finish()
        return point

    def one_body(self, key: str, value: Any) -> str:
        """Return a value that names a body."""
        return self._one_of(key, value, self._mechanism.bodies)

    def two(self, key: str, read: Callable[[str, Any], Any]) -> list:
        """Take a list of two different things, each read by read(key, value)."""
        values = self._take(key)
        if not isinstance(values, (list, tuple)) or len(values) != 2 or values[0] == values[1]:
            self._fail(key, f'{values!r} must be a list of two')
        return [read(f'{key}[{k}]', value) for k, value in enumerate(values)]

    def axes(self, key: str) -> list[str]:
        """Take a list of different axes of the schema."""
        axes, known = self._take(key), self._keys[key]['items']['enum']
        good = isinstance(axes, (list, tuple)) and axes and all(
            isinstance(axis, str) and axis in known for axis in axes)
        if not good or len(set(axes)) < len(axes):
            self._fail(key, f'{axes!r} must be a list of some of {", ".join(known)}')
        return axes

    def number(self, key: str) -> float:
        """Take a number or expression."""
        return self._number(key, self._take(key))

    def numbers(self, key: str, count: int) -> np.ndarray:
        """Take a list of numbers or expressions (count)."""
        value = self._take(key)
        if not isinstance(value, (list, tuple)) or len(value) != count:
            self._fail(key, f'{value!r} must be a list of {count} numbers')
        return np.array([self._number(f'{key}[{k}]', part) for k, part in enumerate(value)])

    def coordinate(self, key: str, unit: str) -> int:
        """Take the name of a coordinate that is an angle, unit rad, or a length, m; its index in q.

        In space neither nodes nor orientations.
        """
        return self.index_of(self._name(key, self._of_unit(unit)))

    def volume(self, key: str) -> str:
        """Take the name of a volume or supply of the hydraulic circuit; empty where none is."""
        name = self._take(key)
        circuit = self._mechanism.circuit
        if name != '' and circuit is None:
            self._fail(key, f'{name!r}: {self._mechanism.name} has no hydraulics')
        return name and self._one_of(key, name, (*circuit.volumes, *circuit.supplies))

    def drive(self, key: str) -> str:
        """Take the name of a drive."""
        return self._name(key, self._mechanism.drives)

    def flexible_body(self, key: str) -> Any:
        """Take the name of a flexible body; return the body."""
        return self._mechanism.bodies[self._name(key, self._mechanism.flexible_bodies)]

    def index_of(self, coordinate: str) -> int:
        """Return the index in q of a coordinate by name."""
        return list(self._mechanism.coordinates).index(coordinate)

    def finish(self) -> None:
        """Raise SensorError if something is left."""
        for key in self._entry:
            self._fail(key, 'unknown key')

    def _of_unit(self, unit: str) -> list[str]:
        """Return the names of coordinates of a unit."""
        raise NotImplementedError

    def _check_along(self, key: str, x: float, body: Any, length: float) -> None:
        if not 0.0 <= x <= length:
            self._fail(key, f'{x:g} must be from 0 to {length:g}, along {body.name}')

    def _name(self, key: str, known: Collection[str]) -> str:
        """Take one of some names."""
        return self._one_of(key, self._take(key, expected=known), known)

    def _take(self, key: str, expected: Collection[str] = ()) -> Any:
        described = self._keys[key]
        if key in self._entry:
            return self._entry.pop(key)
        if 'default' not in described:
            self._fail(key, 'missing' + (f', expected one of {", ".join(expected)}'
                                         if expected else ''))
        return described['default']

    def _one_of(self, key: str, value: Any, known: Collection[str]) -> str:
        if not isinstance(value, str) or value not in known:
            self._fail(key, f'{value!r} must be one of {", ".join(known)}')
        return value

    def _number(self, key: str, value: Any) -> float:
        try:
            return self._mechanism.number(value)
        except ValueError as error:
            self._fail(key, error)

    def _fail(self, key: str, problem: object) -> NoReturn:
        raise SensorError(f'{self._path}.{key}: {problem}')
