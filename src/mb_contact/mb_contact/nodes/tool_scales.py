"""The scales of a tool: estimated motion and measured pressures in, load and edge force out."""

from dataclasses import dataclass
from functools import partial
import math

from geometry_msgs.msg import WrenchStamped
import numpy as np

from mb_contact.weighing.centred_mean import CentredMeans
from mb_contact.weighing.edge_force import EdgeForce
from mb_contact.weighing.scales import Scales
from mb_contact.weighing.tool_settings import ToolSettings
from mb_interfaces.msg import MechanismState, PayloadEstimate
from mb_model import MechanismError, Settings, load_mechanism, setting
from mb_ros.diagnostics import OK, STALE, WARN, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import stream_qos
from mb_ros.stamps import nanoseconds, set_stamp
from mb_sensors import Sampler, by_topic, sensors_of
from mb_sensors.command_api import reading_type

WAITING = 1000          # estimates that wait for pressures at most


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

    def __init__(self, **options):
        super().__init__('tool_scales', **options)

    def configure(self):
        """Make scales and edge by the parameters, and subscribe to motion and pressures."""
        settings, tool = self.settings_of(ToolScalesSettings), self.settings_of(ToolSettings)
        self._mechanism = mechanism = load_mechanism(settings.mechanism)
        gauges = sensors_of(mechanism, settings.pressures)
        volumes = mechanism.circuit.volumes if mechanism.circuit else ()
        self._gauges = {sensor.name: volumes.index(mechanism.raw['sensors'][sensor.name]['volume'])
                        for sensor in gauges if sensor.kind == 'pressure'}
        if sorted(self._gauges.values()) != list(range(len(volumes))) or not volumes:
            raise ValueError(f'pressures: {", ".join(settings.pressures)}: expected a pressure '
                             f'sensor of each of {", ".join(volumes) or "no volumes"}')
        stop, = sensors_of(mechanism, [settings.stop])
        self._stop, self._period = stop.name, round(1e9 / stop.rate)
        self._scales = Scales(mechanism, tool, 1.0 / min(sensor.rate for sensor in gauges))
        self._edge, self._due = EdgeForce(mechanism, tool), Sampler(settings.edge_rate).due
        self._means = CentredMeans(tool.edge_window)
        self._names = [tool.load]
        self._payloads = self.create_lifecycle_publisher(
            PayloadEstimate, '~/payload', stream_qos(0))
        self._edges = self.create_lifecycle_publisher(
            WrenchStamped, '~/edge', stream_qos(settings.edge_rate))
        self._frame = tool.frame
        self._begin()
        self.subscribe(MechanismState, 'estimator/state', self._on_estimate)
        for name, topic in by_topic([*gauges, stop]).items():
            self.subscribe(reading_type(topic), name, partial(self._on_readings, topic))

    def reset(self):
        """Forget everything, as after a start."""
        self._begin()
        return 'waiting for motion and pressures'

    def _begin(self):
        """Forget all messages."""
        self._scales.reset()
        self._means.reset()
        self._motions, self._pressures, self._at_stop = {}, {}, set()
        self._newest_look = -1      # newest stamp of the stop's sensor [ns]
        self._last, self._last_look, self._lost, self._impossible = -1, None, 0, 0

    def _on_estimate(self, message):
        stamp = nanoseconds(message.header.stamp)
        if stamp <= self._last or tuple(message.independent) != tuple(self._mechanism.independent):
            self._lost += 1
            return
        self._motions[stamp] = message
        self._use()

    def _on_readings(self, topic, message):
        stamp = nanoseconds(message.header.stamp)
        for name, values in topic.readings(message):
            if not values:
                continue
            if name == self._stop:
                self._newest_look = max(self._newest_look, stamp)
                if math.isfinite(values[0]):
                    self._at_stop.add(stamp)
            elif stamp > self._last:
                self._pressures.setdefault(stamp, {})[self._gauges[name]] = values[0]
        self._use()

    def _use(self):
        """Weigh at every stamp, in order, of which motion, pressures and the stop are known.

        What has no partner when a later stamp has all is left out.
        """
        known = [stamp for stamp in self._motions if stamp < self._newest_look + self._period
                 and len(self._pressures.get(stamp, ())) == len(self._gauges)]
        for stamp in sorted(known):
            found = self._pressures[stamp]
            self._weigh(stamp, self._motions[stamp],
                        np.array([found[k] for k in range(len(self._gauges))]))
            self._last = stamp
        if known or len(self._pressures) > WAITING:
            self._lost += sum(stamp < self._last and stamp not in known for stamp in self._motions)
            first = max(self._last, sorted(self._pressures)[-WAITING:][0] - 1)
            self._motions = {s: one for s, one in self._motions.items() if s > first}
            self._pressures = {s: one for s, one in self._pressures.items() if s > first}
            self._at_stop = {s for s in self._at_stop if s > first}

    def _weigh(self, stamp, motion, p):
        """Publish what an estimate and pressures (v) [Pa] give."""
        z, zd, zdd, q, covariance = (np.array(part, float) for part in (
            motion.z, motion.zd, motion.zdd, motion.q, motion.covariance))
        size = math.isqrt(covariance.size)
        done = self._scales.add(stamp, z, zd, zdd, q, p, covariance.reshape(size, size),
                                stamp in self._at_stop)
        found = done or self._scales.running
        message = PayloadEstimate(
            parameter=self._names, mass=[found.net if found else math.nan],
            raw_mass=[found.gross if found else math.nan],
            deviation=[found.net_deviation if found else math.nan],
            updating=bool(found and not self._scales.reason),
            reason=self._scales.reason or (found.contradiction if found else ''),
            event='' if done is None else 'emptied' if done.empty else 'weighed')
        message.header = motion.header
        self._payloads.publish(message)
        if done is not None and not done.empty:
            self.get_logger().info(f'weighed: {done.net:.0f} +- {1.96 * done.net_deviation:.0f} kg')
        self._push(stamp, z, zd, zdd, q, p)

    def _push(self, stamp, *motion_and_pressures):
        """Take in the force at the edge; publish the means that are complete by it."""
        try:
            force = self._edge.force(*motion_and_pressures)
        except (MechanismError, ArithmeticError, ValueError) as error:
            self._impossible += 1
            self.get_logger().warning(f'no force at the edge: {error}', throttle_duration_sec=5.0)
            return
        for centre, (along, up) in self._means.add(stamp, force, self._due(stamp) is not None):
            message = WrenchStamped()
            set_stamp(message.header.stamp, centre)
            message.header.frame_id = self._frame
            message.wrench.force.x, message.wrench.force.z = float(along), float(up)
            self._edges.publish(message)

    def health(self):
        """Return the health of the weighing."""
        values = {'estimates left out': self._lost, 'forces impossible': self._impossible}
        if self._last < 0:
            return Health(STALE, 'no estimates with pressures yet', values)
        stands_still, self._last_look = self._last_look == self._last, self._last
        if stands_still:
            return Health(STALE, 'no new estimates', values)
        return Health(WARN if self._lost else OK, self._scales.reason or 'weighing', values)


main = NodeMain(ToolScalesNode)
