"""The recorded monitor: lets a recording of a real machine be played, judges what is estimated.

By the forces that are recorded as truth, and by readings that the estimator is not given.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

from sensor_msgs.msg import JointState

from mb_evaluation.nodes.replay_monitor import ReplayMonitorNode, ReplaySettings
from mb_evaluation.recordings.messages import forces_on
from mb_interfaces.msg import MechanismState
from mb_model import setting
from mb_ros.node_main import REST, NodeMain
from mb_ros.offered_qos import AcceptingSubscription
from mb_ros.qos import STREAM_QOS, deep
from mb_ros.stamps import nanoseconds
from mb_sensors import TRUE_FORCES, by_topic, sensors_of
from mb_sensors.command_api import reading_type


@dataclass(frozen=True)
class RecordedSettings(ReplaySettings):
    """What is played, and where the report goes."""

    recording: str = setting('', help='Name of the recording, for the report')
    known: str = setting('', help='What the estimator is given beside readings, for the report')
    withheld: tuple[str, ...] = setting(
        (), help='Sensors that the estimator is not given: their readings judge it')


class RecordedMonitorNode(ReplayMonitorNode):
    """Collects estimates, true forces and withheld readings; ends by itself, with a report."""

    name, Settings, stem = 'recorded_monitor', RecordedSettings, 'report'

    def __init__(self, **options):
        super().__init__(**options)
        self._truth, self._forces = {}, {}
        self._withheld = sensors_of(self._mechanism, self._settings.withheld)
        self._readings = {sensor.name: {} for sensor in self._withheld}
        self.create_subscription(JointState, TRUE_FORCES, self._on_truth, deep(STREAM_QOS))
        for name, topic in by_topic(self._withheld).items():
            AcceptingSubscription(self, reading_type(topic), name,
                                  partial(self._on_readings, topic), deep(STREAM_QOS))

    def _on_truth(self, message: JointState):
        """Note true forces."""
        self._truth[nanoseconds(message.header.stamp)] = forces_on(
            self._mechanism.independent, message)

    def _on_readings(self, topic: Any, message: Any, _info: Any):
        """Note withheld readings."""
        for sensor, values in topic.readings(message):
            if sensor in self._readings and values:
                self._readings[sensor][nanoseconds(message.header.stamp)] = values

    def _on_state(self, message: MechanismState):
        """Note the forces of an estimate."""
        super()._on_state(message)
        self._forces[nanoseconds(message.header.stamp)] = (
            list(message.generalized_force), list(message.generalized_force_deviation))

    def _report(self) -> Any:
        """Return the Report of what is judged."""
        from mb_evaluation.report_kinds.recorded_report import REPORT, recorded_figures
        from mb_evaluation.reports.report import Report

        settings, counts = self._settings, self._replayed.counts
        judged, instants = self._judged()
        figures = recorded_figures({
            'recording': settings.recording, 'mechanism': self._mechanism.name,
            'estimator': settings.estimator, 'given': settings.known,
            'sensors': [sensor.name for sensor in self._sensors],
            'withheld': list(settings.withheld)}, judged, instants,
            {'used': counts.used, 'rejected': counts.rejected, 'late': counts.late})
        return Report(REPORT, figures, judged)

    def _judged(self):
        """Return what the truth judges, and at how many instants it is known."""
        from mb_evaluation.report_kinds.recorded_report import judge_forces, judge_readings
        judged = judge_forces(self._mechanism, self._truth, self._forces) if self._truth else []
        for sensor in self._withheld:
            judged += judge_readings(self._mechanism, sensor, self._readings[sensor.name],
                                    self._samples)
        return judged, max(map(len, (self._truth, *self._readings.values())))


main = NodeMain(RecordedMonitorNode, rest=REST)
