"""Commands that a prototype takes while it runs."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rclpy.node import Node
from sensor_msgs.msg import JointState

from mb_interfaces.msg import MechanismParameters, ValveCommand
from mb_interfaces.srv import SetMechanismParameter
from mb_model import Mechanism
from mb_ros.offered_qos import AcceptingSubscription
from mb_ros.qos import COMMAND_QOS, LATCHED_QOS
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import doubles
from mb_simulation.prototypes.held_commands import HeldCommands


class CommandTopics:
    """Takes commands to valves, parameters and drives, and ~/set_parameter; publishes ~/parameters.
    """

    def __init__(self, node: Node, mechanism: Mechanism, delay: float) -> None:
        """Set up in a node; delay: from the stamp of a command to its effect [s]."""
        self._node = node
        self.held = HeldCommands(mechanism, delay)
        self.newest = {}        # topic -> stamp of the newest command, also of one left out [ns]
        for kind, topic, add in (
                (ValveCommand, 'valve_command', self._add_valves),
                (MechanismParameters, 'parameter_command', self._add_parameters),
                (JointState, 'drive_command', self._add_drives)):
            AcceptingSubscription(node, kind, topic, partial(self._take, topic, add), COMMAND_QOS)
        node.create_service(SetMechanismParameter, '~/set_parameter', self._set)
        self._parameters_pub = node.create_publisher(
            MechanismParameters, '~/parameters', LATCHED_QOS)

    def publish(self, nanoseconds: int, parameters: Mapping[str, float]) -> None:
        """Publish all parameters as they are from a stamp on."""
        message = MechanismParameters(name=list(parameters), value=doubles(
            list(parameters.values())))
        message.header.stamp = stamp(nanoseconds)
        self._parameters_pub.publish(message)

    def publish_changes(self) -> None:
        """Publish the parameters for each change since the last call."""
        for time, parameters in self.held.changes:
            self.publish(time, parameters)
        self.held.changes.clear()

    def _take(self, topic: str, add: Callable[[Any], None], message: Any,
              _info: Any) -> None:
        came = nanoseconds(message.header.stamp)
        self.newest[topic] = max(came, self.newest.get(topic, came))
        try:
            add(message)
        except ValueError as error:
            self._node.get_logger().warning(f'command left out: {error}',
                                            throttle_duration_sec=5.0)

    def _add_valves(self, message: ValveCommand) -> None:
        self.held.add_valves(nanoseconds(message.header.stamp), list(message.valve),
                             list(message.command))

    def _add_parameters(self, message: MechanismParameters) -> None:
        self.held.add_parameters(nanoseconds(message.header.stamp), list(message.name),
                                 list(message.value))

    def _add_drives(self, message: JointState) -> None:
        self.held.add_drives(nanoseconds(message.header.stamp), list(message.name),
                             list(message.effort))

    def _set(self, request: Any, response: Any) -> Any:
        try:
            self.held.add_parameters(0, [request.name], [request.value])
            response.success = True
        except ValueError as error:
            response.message = str(error)
        return response
