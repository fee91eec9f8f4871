"""The recorded monitor: lets a recording of a real machine be played, judges the forces found."""

from dataclasses import dataclass
from pathlib import Path
import sys

from sensor_msgs.msg import JointState

from mb_evaluation.nodes.replay_monitor import WIDTH, ReplayMonitorNode, ReplaySettings
from mb_model import setting
from mb_ros.node_main import REST, NodeMain
from mb_ros.qos import STREAM_QOS, deep
from mb_ros.stamps import nanoseconds
from mb_sensors import TRUE_FORCES


@dataclass(frozen=True)
class RecordedSettings(ReplaySettings):
    """What is played, and where the report goes."""

    recording: str = setting('', help='Name of the recording, for the report')
    known: str = setting('', help='What the estimator is given beside readings, for the report')


class RecordedMonitorNode(ReplayMonitorNode):
    """Collects estimated and true forces; ends by itself, with a report."""

    name, Settings = 'recorded_monitor', RecordedSettings

    def __init__(self, **options):
        super().__init__(**options)
        self._truth, self._found = {}, {}
        self.create_subscription(JointState, TRUE_FORCES, self._on_truth, deep(STREAM_QOS))

    def _on_truth(self, message):
        """Note true forces; on what they do not name they are zero."""
        given = dict(zip(message.name, message.effort, strict=True))
        self._truth[nanoseconds(message.header.stamp)] = [
            given.get(name, 0.0) for name in self._mechanism.independent]

    def _on_state(self, message):
        """Note the forces of an estimate."""
        super()._on_state(message)
        self._found[nanoseconds(message.header.stamp)] = list(message.generalized_force)

    def _report(self):
        """Write the report and print its table."""
        from rich.console import Console

        from mb_evaluation.force_report.output import force_table, write_forces
        from mb_evaluation.force_report.report import force_report
        settings, counts = self._settings, self._replayed.counts
        report = force_report({
            'recording': settings.recording, 'mechanism': self._mechanism.name,
            'estimator': settings.estimator, 'given': settings.known,
            'sensors': [sensor.name for sensor in self._sensors],
            'degrees_of_freedom': list(self._mechanism.independent)},
            self._truth, self._found, {'used': counts.used, 'rejected': counts.rejected,
                                       'late': counts.late})
        write_forces(report, self._truth, self._found, Path(settings.folder))
        Console(width=None if sys.stdout.isatty() else WIDTH).print(force_table(report))


main = NodeMain(RecordedMonitorNode, rest=REST)
