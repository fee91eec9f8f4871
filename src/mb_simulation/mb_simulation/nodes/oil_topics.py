"""Topics of a prototype's circuit."""

from sensor_msgs.msg import FluidPressure

from mb_interfaces.msg import HydraulicState
from mb_ros.qos import stream_qos
from mb_ros.stamps import stamp
from mb_ros.states import hydraulic_state


class OilTopics:
    """Publishes ~/hydraulics and, for each pressure sensor, ~/<sensor> with the true pressure."""

    def __init__(self, node, mechanism, rate):
        """Set up in a node for a mechanism with a circuit; rate: of its states [Hz]."""
        qos = stream_qos(rate)
        self._mechanism = mechanism
        self._state_pub = node.create_publisher(HydraulicState, '~/hydraulics', qos)
        volumes = mechanism.circuit.volumes
        self._sensors = [
            (described['volume'], volumes.index(described['volume']),
             node.create_publisher(FluidPressure, f'~/{name}', qos))
            for name, described in mechanism.sensors.items()
            if described.get('kind') == 'pressure' and described.get('volume') in volumes]

    def publish(self, nanoseconds, oil):
        """Publish an OilState of a stamp."""
        self._state_pub.publish(hydraulic_state(
            self._mechanism, nanoseconds, oil.p, oil.U, oil.force))
        for volume, place, publisher in self._sensors:
            message = FluidPressure(fluid_pressure=float(oil.p[place]))
            message.header.stamp, message.header.frame_id = stamp(nanoseconds), volume
            publisher.publish(message)
