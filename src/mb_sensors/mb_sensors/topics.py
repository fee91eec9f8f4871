"""Topics of sensors: one each, or one of all that a device measures at once.

A JointState holds any number of encoders, an Imu the gyroscope and the accelerometer of a body.
"""

from mb_sensors.errors import SensorError
from mb_sensors.recording.messages import READING_MESSAGES

_ENCODERS = {'angle_encoder', 'relative_angle_encoder', 'linear_encoder'}
_IMU = {'gyroscope', 'accelerometer'}


class SensorTopic:
    """A topic of sensors.

    sensors: the Sensors whose readings its messages hold, in their order; message_type: of those,
    package/msg/Name.
    """

    def __init__(self, sensors):
        """Set up for Sensors that a message holds together."""
        self.sensors = sensors
        self.message_type, reader = READING_MESSAGES[sensors[0].kind]
        self._read = reader(sensors)

    @property
    def rate(self):
        """How many messages a second are sent at most, if the sensors are read together [Hz]."""
        return max(sensor.rate for sensor in self.sensors)

    def readings(self, message):
        """Return [(name of who sends it, values)] of what is in a message; no values if nothing."""
        return self._read(message)


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
