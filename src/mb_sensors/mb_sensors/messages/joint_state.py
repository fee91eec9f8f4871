"""Messages of joints, any number in one: encoders as positions, rates and efforts likewise."""

from array import array
from collections.abc import Sequence
from typing import Any

from mb_sensors.messages.codec import Reader


class JointStateMessage:
    """The codec of a JointState whose joints are named for the channels."""

    type_name = 'sensor_msgs/msg/JointState'

    def __init__(self, field: str, together: str) -> None:
        """Set up for the values in a field: position, velocity or effort; see MessageCodec."""
        self.together = together
        self._field = field

    def fits(self, sensors: Sequence[Any]) -> bool:
        """Return whether a message holds a reading of each Sensor."""
        return all(sensor.message is self for sensor in sensors)

    def prepare(self, message: Any, sensors: Sequence[Any], frame: str) -> tuple:
        """Write the names; values need no places."""
        message.name = [channel for sensor in sensors for channel in sensor.channels]
        message.header.frame_id = sensors[0].body
        return ()

    def put(self, message: Any, places: Sequence[Any], values: Sequence[float]) -> None:
        """Write all values."""
        setattr(message, self._field, array('d', values))

    def reader(self, sensors: Sequence[Any]) -> Reader:
        """Return a function message -> [(name of the sensor, values)]."""
        return _Values(sensors, self._field)


class _Values:
    """The values of the joints named as the channels, or the only one without a name."""

    def __init__(self, sensors, field):
        self._sensors, self._field = sensors, field
        self._known, self._places = None, ()    # of the last message; [(sensor, places)]

    def __call__(self, message):
        names, values = message.name, getattr(message, self._field)
        if (names, len(values)) != self._known:      # mostly the same as before
            self._known = list(names), len(values)
            self._places = self._found(*self._known)
        return [(name, [values[k] for k in places]) for name, places in self._places]

    def _found(self, names, count):
        first = self._sensors[0].name
        if not names and count == len(self._sensors) == 1:
            return [(first, [0])]
        known = {name: k for k, name in enumerate(names[:count])}
        return [(sensor.name, [known[channel] for channel in sensor.channels])
                for sensor in self._sensors if known.keys() >= set(sensor.channels)
                ] or [(names[0] if names else first, [])]


JOINT_STATE = JointStateMessage('position', 'encoders')
