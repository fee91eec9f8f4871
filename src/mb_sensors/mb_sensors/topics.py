"""Topics of sensors: one each, or one of all that a device measures at once.

A JointState holds any number of encoders, an Imu the gyroscope and the accelerometer of a body.
"""

from dataclasses import dataclass

from mb_sensors.errors import SensorError
from mb_sensors.recording.messages import READING_MESSAGES
from mb_sensors.sensor import Sensor

_ENCODERS = {'angle_encoder', 'relative_angle_encoder', 'linear_encoder'}
_IMU = {'gyroscope', 'accelerometer'}


@dataclass(frozen=True)
class SensorTopic:
    """A topic: the Sensors whose readings its messages hold, in their order."""

    sensors: list[Sensor]

    @property
    def message_type(self):
        """The type of the messages: package/msg/Name."""
        return READING_MESSAGES[self.sensors[0].kind][0]

    def readings(self, message):
        """Return [(name of who sends it, values)] of what is in a message, without if nothing."""
        return READING_MESSAGES[self.sensors[0].kind][1](self.sensors, message)


def by_topic(sensors):
    """Return {topic: SensorTopic}.  Raises SensorError for Sensors that no message holds together.
    """
    topics = {}
    for sensor in sensors:
        topics.setdefault(sensor.topic, []).append(sensor)
    for topic, group in topics.items():
        if not _fit_together(group):
            raise SensorError(
                f'{", ".join(sensor.name for sensor in group)}: topic: {topic}: no message holds '
                'all of them, only encoders, or a gyroscope and an accelerometer of one body')
    return {topic: SensorTopic(group) for topic, group in topics.items()}


def _fit_together(group):
    """Tell whether a message has room for a reading of each Sensor."""
    kinds = [sensor.kind for sensor in group]
    if len(group) == 1 or set(kinds) <= _ENCODERS:
        return True
    return set(kinds) == _IMU and len(group) == 2 and group[0].body == group[1].body


def bundled(readings):
    """Return [(topic, stamp, [(Sensor, values)])] of readings that one message holds.

    readings: (Sensor, stamp, values) that have come together; those of a topic and stamp make one
    message, a second one of a sensor begins the next.
    """
    bundles, found = {}, []
    for sensor, stamp, values in readings:
        place = sensor.topic, stamp
        bundle = bundles.get(place)
        if bundle is None or sensor.name in bundle:
            bundles[place] = bundle = {}
            found.append((*place, bundle))
        bundle[sensor.name] = sensor, values
    return [(topic, stamp, list(bundle.values())) for topic, stamp, bundle in found]
