"""Topics of sensors: one each, or one of all that a device measures at once.

A JointState holds any number of encoders, a DynamicJointState any number of state interfaces, an
Imu the gyroscope and the accelerometer of a body.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from mb_sensors.kind_parts.dynamic_joint_states import DynamicJointStateMessage
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.kinds import sensor_kinds
from mb_sensors.sensor import Sensor

DISTURBED = 'disturbed'     # namespace of readings that come over a line that disturbs them
KNOWN_FORCES = 'known_forces'               # JointState: efforts on degrees of freedom, by name
TRUE_FORCES = '/prototype/external_forces'  # the same of forces to be found


class SensorTopic:
    """A topic of sensors.

    sensors: the Sensors whose readings its messages hold, in their order; codec: MessageCodec of
    these; message_type: package/msg/Name.
    """

    def __init__(self, sensors: Sequence[Sensor]) -> None:
        """Set up for Sensors that a message holds together."""
        self.sensors, self.codec = sensors, sensors[0].message
        self.message_type = self.codec.type_name
        self._read = self.codec.reader(sensors)

    @property
    def rate(self) -> float:
        """How many messages a second are sent at most, if the sensors are read together [Hz]."""
        return max(sensor.rate for sensor in self.sensors)

    def readings(self, message: Any) -> list[tuple[str, list[float]]]:
        """Return [(name of the sensor, values)] of what is in a message; no values if nothing.

        None of sensors whose joints a JointState does not have.
        """
        return self._read(message)

    @property
    def missing(self) -> str:
        """Which sensors have not been in any message yet, in words; empty before the first one."""
        return getattr(self._read, 'missing', '')


def by_topic(sensors: Iterable[Sensor]) -> dict[str, SensorTopic]:
    """Return {topic: SensorTopic}.  Raises SensorError for Sensors that no message holds together.
    """
    topics: dict[str, list[Sensor]] = {}
    for sensor in sensors:
        topics.setdefault(sensor.topic, []).append(sensor)
    for topic, group in topics.items():
        if not group[0].message.fits(group):
            together = dict.fromkeys([*(kind.message.together for kind in sensor_kinds().values()),
                                      DynamicJointStateMessage.together])
            raise SensorError(
                f'{", ".join(sensor.name for sensor in group)}: topic: {topic}: no message holds '
                f'all of them, only {", or ".join(filter(None, together))}')
    return {topic: SensorTopic(group) for topic, group in topics.items()}


def bundled(readings: Iterable[tuple[Sensor, int, Any]]) -> list[tuple[str, int, list[Any]]]:
    """Return [(topic, stamp, [(Sensor, values)])] of readings that one message holds.

    readings: (Sensor, stamp, values) that have come together; all of a topic and stamp make one
    message, a second one of a sensor begins the next.
    """
    bundles: dict[tuple[str, int], dict[str, Any]] = {}
    in_order = []
    for sensor, stamp, values in readings:
        key = sensor.topic, stamp
        bundle = bundles.get(key)
        if bundle is None or sensor.name in bundle:
            bundles[key] = bundle = {}
            in_order.append((*key, bundle))
        bundle[sensor.name] = sensor, values
    return [(topic, stamp, list(bundle.values())) for topic, stamp, bundle in in_order]
