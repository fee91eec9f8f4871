"""Codecs of readings: from values to messages and back, without rclpy."""

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Protocol

import numpy as np

Reader = Callable[[Any], list[tuple[str, list[float]]]]     # message -> [(name, values)] in it


class MessageCodec(Protocol):
    """A codec of one type of message; kinds of sensors whose readings share messages share it.

    Messages may be of rclpy or of a bag that is read without ROS: classes are not imported here,
    only fields are used.
    type_name: package/msg/Name; together: in words, which sensors one message may hold readings of,
    '' for one sensor alone; is_plain: whether `put` writes values as they are.  Sensors have an
    attribute `message`, their codec.
    """

    type_name: str
    together: str
    is_plain: bool

    def fits(self, sensors: Sequence[Any]) -> bool:
        """Return whether a message holds a reading of each Sensor."""

    def prepare(self, message: Any, sensors: Sequence[Any], frame: str) -> Sequence[Any]:
        """Write the constant parts to a new message, and return the slots of its numbers.

        frame: of the mechanism.
        """

    def put(self, message: Any, slots: Sequence[Any], values: Sequence[float]) -> None:
        """Write the values of all Sensors to a message that is prepared."""

    def reader(self, sensors: Sequence[Any]) -> Reader:
        """Return a function message -> [(name of the sensor, values)].

        No values if there is nothing, with the name of any sensor.
        """


def _put_numbers(slots: Sequence[tuple[Any, str]], numbers: Sequence[float]) -> None:
    """Write numbers to their slots: (part of a message, field) each."""
    for (part, field), number in zip(slots, numbers, strict=True):
        setattr(part, field, float(number))


class FieldsMessage:
    """The codec of a type of message that holds a reading of one sensor.

    fields(sensor): as it was set up with.
    """

    together = ''

    def __init__(self, type_name: str, fields: Callable[[Any], Sequence[str]],
                 prepare: Callable[[Any, Any, str], object],
                 written: Callable[[Sequence[float]], Sequence[float]] = list,
                 read: Callable[[Sequence[float]], list[float]] = list,
                 present: Callable[[Any], bool] = lambda _message: True) -> None:
        """Set up for a type, package/msg/Name.

        fields(sensor): names of the fields, such as 'point.x'; prepare(message, sensor, frame):
        writes the constant parts; written(values): what the fields have of the values of channels;
        read(numbers): the values again; present(message): whether it has any.
        """
        self.type_name = type_name
        self.fields, self._prepare = fields, prepare
        self.is_plain = written is list
        self._written, self._read, self._present = written, read, present

    def fits(self, sensors: Sequence[Any]) -> bool:
        """Return whether a message holds a reading of each Sensor."""
        return len(sensors) == 1

    def prepare(self, message: Any, sensors: Sequence[Any], frame: str) -> list[Any]:
        """Write the constant parts, and return the slots of the numbers: (part, field) each."""
        sensor, = sensors
        self._prepare(message, sensor, frame)
        paths = (field.rpartition('.') for field in self.fields(sensor))
        return [(attrgetter(part)(message) if part else message, field)
                for part, _, field in paths]

    def put(self, message: Any, slots: Sequence[Any], values: Sequence[float]) -> None:
        """Write values to their slots."""
        _put_numbers(slots, self._written(values))

    def reader(self, sensors: Sequence[Any]) -> Reader:
        """Return a function message -> [(name of the sensor, values)]."""
        sensor, = sensors
        fields = [attrgetter(field) for field in self.fields(sensor)]

        def read(message: Any) -> list[tuple[str, list[float]]]:
            return [(sensor.name, self._read([field(message) for field in fields])
                     if self._present(message) else [])]
        return read


UNKNOWN = -1.0      # first element of the covariance of vectors that are not measured
ANYTHING = 1e6       # variance along an axis that a sensor lacks, in units of the vector squared
_VECTORS = 'orientation', 'angular_velocity', 'linear_acceleration'


class ImuMessage:
    """The codec of a kind of sensor that measures one of the vectors of an Imu."""

    type_name = 'sensor_msgs/msg/Imu'
    together = 'a gyroscope and an accelerometer of one body'
    is_plain = True

    def __init__(self, vector: str, axes: Callable[[Any], Sequence[str]],
                 elsewhere: Callable[[Any], float]) -> None:
        """Set up for a vector.

        axes(sensor): that the sensor measures; elsewhere(sensor): variance along the other axes.
        """
        self.vector, self.axes = vector, axes
        self._elsewhere = elsewhere

    def fits(self, sensors: Sequence[Any]) -> bool:
        """Return whether a message holds a reading of each Sensor."""
        return (all(isinstance(sensor.message, ImuMessage) for sensor in sensors)
                and len({sensor.message.vector for sensor in sensors}) == len(sensors)
                and len({sensor.body for sensor in sensors}) == 1)

    def prepare(self, message: Any, sensors: Sequence[Any], frame: str) -> list[Any]:
        """Write the noise of measured vectors, and return the slots of the numbers."""
        message.header.frame_id, slots = sensors[0].body, []
        for vector in _VECTORS:
            getattr(message, f'{vector}_covariance')[0] = UNKNOWN
        for sensor in sensors:
            codec = sensor.message
            slots += [(getattr(message, codec.vector), axis) for axis in codec.axes(sensor)]
            setattr(message, f'{codec.vector}_covariance', codec.covariance(sensor))
        return slots

    def covariance(self, sensor: Any) -> np.ndarray:
        """Return the covariance of the vector as a Sensor measures it (9)."""
        variance = sensor.settings.variance
        return np.diag([variance if axis in self.axes(sensor) else self._elsewhere(sensor)
                        for axis in 'xyz']).ravel()

    def put(self, message: Any, slots: Sequence[Any], values: Sequence[float]) -> None:
        """Write values to their slots, (part of the message, field) each."""
        _put_numbers(slots, values)

    def reader(self, sensors: Sequence[Any]) -> Reader:
        """Return a function message -> [(name of the sensor, values)]."""
        return partial(_read_vectors, [
            (sensor.name, sensor.message.vector, f'{sensor.message.vector}_covariance',
             sensor.message.axes(sensor)) for sensor in sensors])


def _read_vectors(parts, message):
    """Return the values of the vectors that are measured."""
    vectors = []
    for name, vector, covariance, axes in parts:
        if getattr(message, covariance)[0] != UNKNOWN:
            measured = getattr(message, vector)
            vectors.append((name, [getattr(measured, axis) for axis in axes]))
    return vectors or [(parts[0][0], [])]
