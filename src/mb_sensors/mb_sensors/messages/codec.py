"""The interface of codecs of readings: from values to messages and back."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

Reader = Callable[[Any], list[tuple[str, list[float]]]]     # message -> [(name, values)] in it


class MessageCodec(Protocol):
    """A codec of one type of message; kinds of sensors whose readings share messages share it.

    Messages may be of rclpy or of a bag that is read without ROS: classes are not imported here,
    only fields are used.
    type_name: package/msg/Name; together: in words, which sensors one message may hold readings of,
    '' for one sensor alone.  Sensors have an attribute `message`, their codec.
    """

    type_name: str
    together: str

    def fits(self, sensors: Sequence[Any]) -> bool:
        """Return whether a message holds a reading of each Sensor."""

    def prepare(self, message: Any, sensors: Sequence[Any], frame: str) -> Sequence[Any]:
        """Write the constant parts to a new message, and return the places of its numbers.

        frame: of the mechanism.
        """

    def put(self, message: Any, places: Sequence[Any], values: Sequence[float]) -> None:
        """Write the values of all Sensors to a message that is prepared."""

    def reader(self, sensors: Sequence[Any]) -> Reader:
        """Return a function message -> [(name of the sensor, values)].

        No values if there is nothing, with the name of any sensor.
        """
