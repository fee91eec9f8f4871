"""Topics of what no motion determines: pressures, spools, torques, loads of joints.
"""

from rclpy.node import Node

from mb_interfaces.msg import HydraulicState
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_ros.qos import stream_qos
from mb_ros.states import hydraulic_state
from mb_sensors import Sensor, by_topic, sensor_kinds, sensors_of
from mb_sensors.command_api import KeptMessage, reading_type
from mb_simulation.prototypes.prototype import OilState, Prototype


class OilTopics:
    """Publishes ~/hydraulics."""

    def __init__(self, node: Node, mechanism: Mechanism, rate: float) -> None:
        """Set up in a node for a mechanism with a circuit; rate: of its states [Hz]."""
        self._mechanism = mechanism
        self._state_pub = node.create_publisher(HydraulicState, '~/hydraulics', stream_qos(rate))

    def publish(self, nanoseconds: int, oil: OilState) -> None:
        """Publish an OilState of a stamp."""
        self._state_pub.publish(hydraulic_state(
            self._mechanism, nanoseconds, oil.p, oil.U, oil.force, supply_p=oil.supply_p))


class TrueReadings:
    """Publishes ~/<topic> for each topic of sensors whose readings no motion determines.

    All sensors of a topic share a message.  What the prototype does not know is not published,
    and warned of once.
    """

    def __init__(self, node: Node, mechanism: Mechanism, prototype: Prototype, rate: float) -> None:
        """Set up in a node for a Prototype at its start; rate: of its states [Hz].

        Raises SensorError for sensors of a topic that no message holds together.
        """
        self._mechanism, self._prototype = mechanism, prototype
        self._acting = {name: kind.acting for name, kind in sensor_kinds().items()}
        forces = [sensor for sensor in sensors_of(mechanism, list(mechanism.sensors))
                  if not len(sensor.records)] if mechanism.sensors else []
        qos = stream_qos(rate)
        self._topics = [
            (topic.sensors, KeptMessage(topic, mechanism.name),
             node.create_publisher(reading_type(topic), f'~/{name}', qos))
            for name, topic in by_topic(
                sensor for sensor in forces if self._known(sensor, node)).items()]

    def _known(self, sensor: Sensor, node: Node) -> bool:
        try:
            if self._acting[sensor.kind] is None:
                raise ValueError(f'prototypes do not know what a {sensor.kind} reads')
            self._reading(sensor)
        except ValueError as error:
            node.get_logger().warning(f'{sensor.name}: no true readings: {error}')
            return False
        return True

    def _reading(self, sensor: Sensor) -> FloatArray:
        return self._acting[sensor.kind](sensor, self._mechanism, self._prototype)

    def publish(self, nanoseconds: int) -> None:
        """Publish the readings of the prototype now, at a stamp [ns]."""
        for sensors, message, publisher in self._topics:
            publisher.publish(message.filled(
                nanoseconds, [(sensor, self._reading(sensor).tolist()) for sensor in sensors]))
