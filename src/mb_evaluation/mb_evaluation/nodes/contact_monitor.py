"""The contact monitor: notes truth, estimates and detections, then judges and reports."""

from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import Point, Vector3
import numpy as np
from sensor_msgs.msg import JointState

from mb_evaluation.nodes.buffered_monitor import BufferedMonitor
from mb_evaluation.nodes.monitor import MonitorSettings
from mb_evaluation.run_log.contact_log import ContactLayout, ContactLog
from mb_interfaces.msg import BodyContacts, ContactEstimate, ContactHypothesis, MechanismState
from mb_model import setting
from mb_ros.node_main import REST, NodeMain
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import from_seconds
from mb_simulation.prototypes.obstacle import Contact


@dataclass(frozen=True)
class ContactMonitorSettings(MonitorSettings):
    """What is being run, and what it is judged by."""

    mechanism: str = setting('three_rrr', help='Name of the mechanism or path of its file')
    estimator: str = setting('platform_ekf', help='Filter of the run, for the report')
    sensors: tuple[str, ...] = setting(('drive_encoders', 'imu'),
                                       help='Sensors or sensor groups of the run')
    method: str = setting('both', help='Method of the detector, for the report')
    torques: str = setting('commanded', help='Torques that the detector takes, for the report')
    trajectory: str = setting('rectangle', help='Trajectory of the machine, for the report')
    collisions: str = setting('', help='Collisions of the run, for the report')
    named: float = setting(
        0.75, at_least=0.0, at_most=1.0,
        help='Share of the contacts that are named, without ambiguity, that must be named rightly')
    ambiguous: float = setting(
        0.5, at_least=0.0, at_most=1.0,
        help='Share of the contacts of which the body may be ambiguous, at most')


class ContactMonitorNode(BufferedMonitor):
    """Collects the truth, the estimates and detected contacts; ends by itself."""

    topics = ('prototype/state', 'estimator/state', 'contact_detector/contact')
    kind, bounds = 'contact', {'named': 'named', 'ambiguous': 'ambiguous'}
    stated = 'method', 'torques', 'trajectory'

    def __init__(self, **options):
        super().__init__('contact_monitor', ContactMonitorSettings, **options)
        settings, mechanism = self.settings, self.mechanism
        layout = ContactLayout(mechanism.independent, tuple(self.units.values()), mechanism.drives,
                               mechanism.n)
        self.run = ContactLog(from_seconds(settings.start_time), settings.duration,
                              settings.publish_rate, layout, self.sensors, settings.seed,
                              self.faults)
        self.listen(
            (MechanismState, 'prototype/state', self._note_truth, STREAM_QOS),
            (BodyContacts, 'prototype/contacts', self._note_contacts, STREAM_QOS),
            (JointState, 'prototype/drive_torques', self._note_torques, STREAM_QOS),
            (MechanismState, 'estimator/state', self._note_estimate, STREAM_QOS),
            in_order=[(ContactEstimate, 'contact_detector/contact', self._note_judgement,
                       STREAM_QOS)])

    def _note_truth(self, message: MechanismState, stamp: int, info: dict[str, Any]):
        self.run.truth.add(stamp, message.z, message.zd, message.zdd, message.q)
        self.run.published[stamp] = 1e-9 * info['source_timestamp']

    def _note_contacts(self, message: BodyContacts, stamp: int, _: Any):
        self.run.contacts[stamp] = tuple(
            Contact(one.body, self._in_machine(one.point), self._in_machine(one.force))
            for one in message.contacts)

    def _note_torques(self, message: JointState, stamp: int, _: Any):
        self.run.torques.add(stamp, message.effort)

    def _note_estimate(self, message: MechanismState, stamp: int, _: Any):
        self.run.estimate.add(stamp, message.z, message.zd, message.zdd)

    def _note_judgement(self, message: ContactEstimate, stamp: int, info: dict[str, Any]):
        for one in message.forces:
            self.run.add_force(stamp, one.method, one.force, one.threshold)
        self.run.add_judgement(stamp, message.detected, message.method,
                               1e-9 * info['source_timestamp'],
                               [self._hypothesis(one) for one in message.hypotheses])

    def _hypothesis(self, message: ContactHypothesis) -> tuple[str, float, np.ndarray | None]:
        """Return (name, probability, point or None) of a ContactHypothesis."""
        point = message.contacts[0].point if message.contacts else None
        return message.name, message.probability, point and self._in_machine(point)

    def _in_machine(self, message: Point | Vector3) -> np.ndarray:
        """Return a Point or a Vector3 as an array of the machine's dimension (d)."""
        return np.array([message.x, message.y, message.z][:self.mechanism.dimension])

    def shown_progress(self):
        """Return how many contacts were detected."""
        return {'detail': f'contacts detected {self.run.contacts_detected}'}

    def report(self):
        """Return the Report, with the true contacts."""
        from mb_evaluation.report_kinds.contact_episodes import episodes

        self.run.episodes = episodes(self.run, self.mechanism)
        return super().report()

    def asked(self):
        """Return the settings of the run, as the report has them."""
        return super().asked() | {'collisions': self.settings.collisions or 'none'}


main = NodeMain(ContactMonitorNode, rest=REST)
