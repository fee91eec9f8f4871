"""Messages of single sensors whose numbers stand in fields of their own."""

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from mb_sensors.messages.codec import Reader


class FieldsMessage:
    """The codec of a type of message that holds a reading of one sensor."""

    together = ''

    def __init__(self, type_name: str, fields: Callable, prepare: Callable,
                 kept: Callable[[float], float] = float):
        """Set up for a type, package/msg/Name.

        fields(sensor): names of the fields, such as 'point.x', in the order of the channels;
        prepare(message, sensor, frame): writes the constant parts; kept(value): the number that
        arrives, with the precision of the message.
        """
        self.type_name = type_name
        self._fields, self._prepare, self._kept = fields, prepare, kept

    def fits(self, sensors: Sequence[Any]) -> bool:
        """Return whether a message holds a reading of each Sensor."""
        return len(sensors) == 1

    def prepare(self, message: Any, sensors: Sequence[Any], frame: str) -> list:
        """Write the constant parts, and return the places of the numbers: (part, field) each."""
        sensor, = sensors
        self._prepare(message, sensor, frame)
        paths = (field.rpartition('.') for field in self._fields(sensor))
        return [(attrgetter(part)(message) if part else message, field)
                for part, _, field in paths]

    def put(self, message: Any, places: Sequence[Any], values: Sequence[float]) -> None:
        """Write values to their places."""
        for (part, field), value in zip(places, values, strict=True):
            setattr(part, field, self._kept(value))

    def reader(self, sensors: Sequence[Any]) -> Reader:
        """Return a function message -> [(name of the sensor, values)]."""
        sensor, = sensors
        return partial(_read, sensor.name, [attrgetter(field) for field in self._fields(sensor)])


def _read(name, fields, message):
    return [(name, [field(message) for field in fields])]
