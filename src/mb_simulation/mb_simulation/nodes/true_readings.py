"""Topics of true readings that no motion determines: pressures, torques, loads of joints."""

from mb_ros.qos import stream_qos
from mb_sensors import SensorTopic, sensor_kinds, sensors_of
from mb_sensors.command_api import KeptMessage, reading_type


class TrueReadings:
    """Publishes ~/<sensor> for each sensor of a mechanism whose reading no motion determines.

    What the prototype does not know is not published, and warned of once.
    """

    def __init__(self, node, mechanism, prototype, rate):
        """Set up in a node for a Prototype at its start; rate: of its states [Hz]."""
        self._mechanism, self._prototype, self._sources = mechanism, prototype, []
        kinds, qos = sensor_kinds(), stream_qos(rate)
        forces = [sensor for sensor in sensors_of(mechanism, list(mechanism.sensors))
                  if not len(sensor.records)] if mechanism.sensors else []
        for sensor in forces:
            acting, topic = kinds[sensor.kind].acting, SensorTopic([sensor])
            try:
                if acting is None:
                    raise ValueError(f'prototypes do not know what a {sensor.kind} reads')
                acting(sensor, mechanism, prototype)
            except ValueError as error:
                node.get_logger().warning(f'{sensor.name}: no true readings: {error}')
                continue
            self._sources.append((sensor, acting, KeptMessage(topic, mechanism.name),
                                  node.create_publisher(reading_type(topic), f'~/{sensor.name}',
                                                        qos)))

    def publish(self, nanoseconds):
        """Publish the readings of the prototype now, at a stamp [ns]."""
        for sensor, acting, message, publisher in self._sources:
            values = acting(sensor, self._mechanism, self._prototype).tolist()
            publisher.publish(message.filled(nanoseconds, [(sensor, values)]))
