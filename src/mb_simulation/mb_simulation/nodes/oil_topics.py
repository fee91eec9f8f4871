"""Topics of a prototype's circuit."""

from mb_interfaces.msg import HydraulicState
from mb_ros.qos import stream_qos
from mb_ros.states import hydraulic_state


class OilTopics:
    """Publishes ~/hydraulics."""

    def __init__(self, node, mechanism, rate):
        """Set up in a node for a mechanism with a circuit; rate: of its states [Hz]."""
        self._mechanism = mechanism
        self._state_pub = node.create_publisher(HydraulicState, '~/hydraulics', stream_qos(rate))

    def publish(self, nanoseconds, oil):
        """Publish an OilState of a stamp."""
        self._state_pub.publish(hydraulic_state(
            self._mechanism, nanoseconds, oil.p, oil.U, oil.force, supply_p=oil.supply_p))
