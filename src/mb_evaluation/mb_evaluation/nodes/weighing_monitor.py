"""The weighing monitor: notes truth, angles, weighings and edge forces, then judges and reports."""

from dataclasses import dataclass, fields
from typing import Any

from geometry_msgs.msg import WrenchStamped
import numpy as np
from sensor_msgs.msg import JointState

from mb_evaluation.nodes.buffered_monitor import BufferedMonitor
from mb_evaluation.nodes.monitor import MonitorSettings
from mb_evaluation.run_log.weighing_log import Weighed, WeighingLog
from mb_interfaces.msg import MechanismParameters, MechanismState, PayloadEstimate
from mb_model import setting
from mb_ros.node_main import REST, NodeMain
from mb_ros.qos import COMMAND_QOS, LATCHED_QOS, STREAM_QOS
from mb_ros.stamps import from_seconds


@dataclass(frozen=True)
class WeighingBounds(MonitorSettings):
    """What is being run, what it is judged by, and the goals whose misses are shown."""

    mechanism: str = setting('excavator_afloat', help='Name of the mechanism or path of its file')
    estimator: str = setting('kinematic_kf', help='Filter of the run, for the report')
    sensors: tuple[str, ...] = setting(('imus', 'virtual'),
                                       help='Sensors or sensor groups of the run')
    cycle: str = setting('excavator_afloat', help='Work cycle of the run, for the report')
    angles: tuple[str, ...] = setting(('boom_angle', 'arm_angle', 'bucket_angle'),
                                      help='Degrees of freedom that are judged')
    load: str = setting('load', help="Mass that is weighed, in the file's parameters")
    frame: str = setting('house', help='Body in whose axes the force at the edge is shown')
    push: tuple[str, ...] = setting(('edge.x', 'edge.z'),
                                    help='Drives that are the true force at the edge, along x, z')
    learning: float = setting(300.0, unit='s', at_least=0.0,
                              help='What comes before is not judged: biases and mountings are '
                                   'unknown at the start')
    full_scale: float = setting(2000.0, unit='kg', above=0.0, help='Of the load')
    angle_goal: float = setting(0.3, unit='deg', above=0.0, help='RMSE of an angle')
    drift_goal: float = setting(0.1, unit='deg/min', above=0.0, help='Of an angle at rest')
    load_goal: float = setting(1.0, unit='%', above=0.0, help='Of full scale')
    force_goal: float = setting(5.0, unit='%', above=0.0, help='RMSE of the force, of its peak')
    angle_bound: float = setting(0.6, unit='deg', above=0.0,
                                 help='RMSE of an angle beyond which the run failed')
    load_bound: float = setting(1.0, unit='%', above=0.0,
                                help='RMSE of loads beyond which the run failed')
    force_bound: float = setting(8.0, unit='%', above=0.0,
                                 help='RMSE of the force beyond which the run failed')
    coverage_goal: float = setting(0.90, at_least=0.0, at_most=1.0,
                                   help='How often 95 % intervals of angles and loads hold the '
                                        'truth; less often, and the run failed')


BOUNDS = sorted({field.name for field in fields(WeighingBounds)} - {
    field.name for field in fields(MonitorSettings)} - {'cycle', 'angles', 'load', 'frame', 'push'})


class WeighingMonitorNode(BufferedMonitor):
    """Collects the truth, the estimates and complaints; ends by itself."""

    topics = ('prototype/state', 'estimator/state', 'tool_scales/payload')
    kind, bounds, stated = 'weighing', dict(zip(BOUNDS, BOUNDS, strict=True)), ('cycle',)

    def __init__(self, **options):
        super().__init__('weighing_monitor', WeighingBounds, **options)
        settings, independent = self.settings, self.mechanism.independent
        for name in settings.angles:
            if name not in independent:
                raise ValueError(f'angles: {name}: expected some of {", ".join(independent)}')
        self.run = WeighingLog(
            from_seconds(settings.start_time), settings.duration, settings.publish_rate,
            {name: independent.index(name) for name in settings.angles}, self.sensors,
            settings.seed, self.faults)
        self._rows = list(self.run.angles.values())
        self.listen(
            (MechanismState, 'prototype/state', self._note_truth, STREAM_QOS),
            (MechanismParameters, 'prototype/parameters', self._note_parameters, LATCHED_QOS),
            (JointState, 'drive_command', self._note_push, COMMAND_QOS),
            (MechanismState, 'estimator/state', self._note_estimate, STREAM_QOS),
            (WrenchStamped, 'tool_scales/edge', self._note_edge, STREAM_QOS),
            in_order=[(PayloadEstimate, 'tool_scales/payload', self._note_payload, STREAM_QOS)])

    def _note_truth(self, message: MechanismState, stamp: int, info: dict[str, Any]):
        turn = self.mechanism.body_motion(self.settings.frame, np.array(message.q)).rotation
        self.run.truth.add(stamp, np.array(message.z)[self._rows],
                           np.array(message.zd)[self._rows], turn)
        self.run.published[stamp] = 1e-9 * info['source_timestamp']

    def _note_parameters(self, message: MechanismParameters, stamp: int, _: Any):
        values = dict(zip(message.name, message.value, strict=True))
        self.run.true_load.add(stamp, [values[self.settings.load]])

    def _note_push(self, message: JointState, stamp: int, _: Any):
        values = dict(zip(message.name, message.effort, strict=True))
        self.run.true_forces.add(stamp, [values[name] for name in self.settings.push])

    def _note_estimate(self, message: MechanismState, stamp: int, _: Any):
        g = len(message.z)
        size = round(len(message.covariance) ** 0.5)
        variances = np.array(message.covariance).reshape(size, size).diagonal()[:g]
        self.run.estimate.add(stamp, np.array(message.z)[self._rows],
                              np.sqrt(variances[self._rows]))

    def _note_edge(self, message: WrenchStamped, stamp: int, _: Any):
        force = message.wrench.force
        self.run.forces.add(stamp, [force.x, force.z])

    def _note_payload(self, message: PayloadEstimate, stamp: int, _: Any):
        net, gross, deviation = message.mass[0], message.raw_mass[0], message.deviation[0]
        if message.event == 'weighed':
            self.run.weighings.append(Weighed(stamp, net, gross, deviation))
        self.run.masses.add(stamp, [net], [gross], [deviation])

    def shown_progress(self):
        """Return how often the tool was weighed."""
        return {'detail': f'{len(self.run.weighings)} weighed'}


main = NodeMain(WeighingMonitorNode, rest=REST)
