"""The scales of a tool: estimated motion and measured pressures in, load and edge force out."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from geometry_msgs.msg import WrenchStamped
from rosidl_runtime_py.utilities import get_message

from mb_contact.nodes.payload_estimator import payload_message
from mb_contact.payload.payload_stream import Weighed
from mb_contact.weighing.scales import Weighing
from mb_contact.weighing.tool_settings import ToolSettings
from mb_contact.weighing.tool_stream import EdgeMean, ToolStream
from mb_estimators import NORMAL_95
from mb_interfaces.msg import PayloadEstimate
from mb_model import Settings, load_mechanism, setting
from mb_ros.diagnostics import OK, STALE, WARN, Health, LastLook
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import stream_qos
from mb_ros.stamps import set_stamp


@dataclass(frozen=True)
class ToolScalesSettings(Settings):
    """The machine and the sensors of its tool's scales."""

    mechanism: str = setting(
        'excavator_afloat', help='Name of a mechanism with hydraulics, or path of its file')
    pressures: tuple[str, ...] = setting(
        ('boom_pressure1', 'boom_pressure2', 'arm_pressure1', 'arm_pressure2', 'bucket_pressure1',
         'bucket_pressure2'), help='A sensor of each volume of its hydraulics')
    stop: str = setting('bucket_curled', help='Sporadic sensor that reads while the tool is at its '
                                              'stop')
    edge_rate: float = setting(20.0, unit='Hz', above=0.0,
                               help='How many forces at the edge per second are published')


class ToolScalesNode(ManagedNode):
    """Publishes ~/payload for every estimate, ~/edge for some, in the frame of the house."""

    first_settings = ToolScalesSettings, ToolSettings

    def __init__(self, **options: Any) -> None:
        super().__init__('tool_scales', **options)

    def configure(self) -> None:
        """Make scales and edge by the parameters, and subscribe to motion and pressures."""
        settings, tool = self.settings_of(ToolScalesSettings), self.settings_of(ToolSettings)
        self._stream, self._tool = tool_stream(settings, tool), tool
        self._payloads = self.create_lifecycle_publisher(
            PayloadEstimate, '~/payload', stream_qos(0))
        self._edges = self.create_lifecycle_publisher(
            WrenchStamped, '~/edge', stream_qos(settings.edge_rate))
        self._last_stamp = LastLook(None)
        for number, (name, kind) in enumerate(self._stream.topics):
            self.subscribe(get_message(kind), name, partial(self._take, number))

    def reset(self) -> str:
        """Forget everything, as after a start."""
        self._stream.reset()
        self._last_stamp = LastLook(None)
        return 'waiting for motion and pressures'

    def _take(self, number: int, message: Any) -> None:
        """Publish what a message of an input, by its number, completes."""
        for result in self._stream.take(number, message, self._warn):
            if isinstance(result, Weighed):
                self._payloads.publish(payload_message([self._tool.load], result))
            elif isinstance(result, Weighing):
                if not result.empty:
                    self.get_logger().info(
                        f'weighed: {result.net:.0f} +- {NORMAL_95 * result.net_deviation:.0f} kg')
            else:
                self._edges.publish(edge_message(self._tool.frame, result))

    def _warn(self, words: str) -> None:
        self.get_logger().warning(words, throttle_duration_sec=5.0)

    def health(self) -> Health:
        """Return the health of the weighing."""
        stream = self._stream
        values = {'estimates left out': stream.lost, 'estimates rejected': stream.rejected,
                  'forces impossible': stream.impossible}
        if stream.last < 0:
            return Health(STALE, 'no estimates with pressures yet', values)
        if self._last_stamp.stands_still(stream.last):
            return Health(STALE, 'no new estimates', values)
        return Health(WARN if stream.lost or stream.rejected else OK,
                      stream.scales.reason or 'weighing', values)


def tool_stream(settings: ToolScalesSettings, tool: ToolSettings) -> ToolStream:
    """Return the ToolStream of ToolScalesSettings and ToolSettings; raises ValueError."""
    return ToolStream(load_mechanism(settings.mechanism), tool, settings.pressures, settings.stop,
                      settings.edge_rate)


def edge_message(frame: str, edge: EdgeMean) -> WrenchStamped:
    """Return the WrenchStamped of an EdgeMean."""
    message = WrenchStamped()
    set_stamp(message.header.stamp, edge.stamp)
    message.header.frame_id = frame
    message.wrench.force.x, message.wrench.force.z = map(float, edge.force)
    return message


main = NodeMain(ToolScalesNode)
