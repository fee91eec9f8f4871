"""The codec of a JointState: positions, velocities and efforts of joints, by their names."""

from array import array
from collections.abc import Sequence
from math import isnan, nan
from typing import Any

from mb_sensors.kind_parts.messages import Reader

FIELDS = 'position', 'velocity', 'effort'
MOST_JOINTS = 100       # that are named where one is missing


class JointStateMessage:
    """The codec of a JointState, of sensors that read a field of its joints, by their names."""

    type_name = 'sensor_msgs/msg/JointState'
    together = 'sensors of joints, each a number of its own (encoders, tachometers, motor torques)'
    is_plain = True

    def __init__(self, field: str) -> None:
        """Set up for the values in a field: position, velocity or effort."""
        self.field = field

    def fits(self, sensors: Sequence[Any]) -> bool:
        """Return whether a message holds a reading of each Sensor."""
        if not all(isinstance(sensor.message, JointStateMessage) for sensor in sensors):
            return False
        numbers = [(sensor.message.field, joint) for sensor in sensors for joint in sensor.joints]
        return len(set(numbers)) == len(numbers)

    def prepare(self, message: Any, sensors: Sequence[Any], frame: str) -> list[Any]:
        """Write the names; a slot is (field, NaN for all joints, indices of joints) of a field."""
        names = list(dict.fromkeys(joint for sensor in sensors for joint in sensor.joints))
        message.name = names
        message.header.frame_id = sensors[0].body
        slots: dict[str, list[tuple[int, int]]] = {}
        numbers = ((sensor.message.field, joint) for sensor in sensors for joint in sensor.joints)
        for k, (field, joint) in enumerate(numbers):
            slots.setdefault(field, []).append((names.index(joint), k))
        return [(field, array('d', [nan] * len(names)), pairs) for field, pairs in slots.items()]

    def put(self, message: Any, slots: Sequence[Any], values: Sequence[float]) -> None:
        """Write all values; what is not read of a joint stays NaN."""
        for field, numbers, pairs in slots:
            for joint, k in pairs:
                numbers[joint] = values[k]
            setattr(message, field, array('d', numbers))

    def reader(self, sensors: Sequence[Any]) -> Reader:
        """Return a function message -> [(name of the sensor, values)]; see JointReader."""
        return JointReader(sensors)


class JointReader:
    """The values of the joints of sensors, or of the only one, without a name.

    Messages may have others, and some of them each, but for the topic that has the name of its only
    sensor.  In a message with several fields a NaN says that there is nothing.
    """

    def __init__(self, sensors: Sequence[Any]) -> None:
        self._sensors = sensors
        self._is_own = len(sensors) == 1 and sensors[0].topic == sensors[0].name
        self._known: Any = None         # names and numbers of values of the last message
        self._indices: list[tuple[str, str, list[int]]] = []      # of these
        self._has_several = False       # of the fields
        self._absent = {sensor.name: sensor for sensor in sensors}   # that no message had yet
        self._joints: dict[str, dict[str, None]] = {field: {} for field in FIELDS}

    def __call__(self, message: Any) -> list[tuple[str, list[float]]]:
        values = {field: getattr(message, field) for field in FIELDS}
        known = message.name, [len(numbers) for numbers in values.values()]
        if known != self._known:        # mostly the same as before
            self._known = list(known[0]), known[1]
            self._indices = self._indices_of(*self._known)
            self._has_several = sum(map(bool, known[1])) > 1
        if not self._indices and (self._is_own or _is_broken(*self._known)):
            return [(self._sensors[0].name, [])]
        readings = [(name, [values[field][k] for k in indices])
                    for name, field, indices in self._indices]
        return [reading for reading in readings if not any(map(isnan, reading[1]))
                ] if self._has_several else readings

    @property
    def missing(self) -> str:
        """Which sensors' joints no message has had yet, in words; empty before the first one."""
        return '' if self._known is None else '; '.join(
            self._words(sensor) for sensor in self._absent.values())

    def _words(self, sensor: Any) -> str:
        field = sensor.message.field
        having = ', '.join(self._joints[field])
        return (f'{sensor.name}: no {field} of {", ".join(sensor.joints)} in messages on '
                f'{sensor.topic}, ' + (
                    f'expected one of {having} (as `joint_name` in the mechanism file)'
                    if having else f'which have no {field}'))

    def _indices_of(self, names: Sequence[str], counts: Sequence[int]
                    ) -> list[tuple[str, str, list[int]]]:
        """Return [(sensor, field, indices of its values)] of the sensors that a message has."""
        indices = []
        for field, count in zip(FIELDS, counts, strict=True):
            known = {name: k for k, name in enumerate(names[:count])}
            if len(self._joints[field]) < MOST_JOINTS:
                self._joints[field].update(dict.fromkeys(known))
            if not names and count == len(self._sensors) == 1:
                known = {self._sensors[0].joints[0]: 0}
            indices += [(sensor.name, field, [known[joint] for joint in sensor.joints])
                        for sensor in self._sensors
                        if sensor.message.field == field and known.keys() >= set(sensor.joints)]
        for name, *_ in indices:
            self._absent.pop(name, None)
        return indices


def _is_broken(names: Sequence[str], counts: Sequence[int]) -> bool:
    """Return whether the numbers of values in the fields do not suit the names."""
    return not names or not any(counts) or any(count not in (0, len(names)) for count in counts)


JOINT_STATE = JointStateMessage('position')
