"""The contact detector: the estimated motion and the drives' torques in, contacts out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sensor_msgs.msg import JointState

from mb_contact.detection.contact import DetectionSettings
from mb_contact.isolation.hypothesis import IsolationSettings
from mb_contact.nodes.contact_reports import ContactReports
from mb_estimators import COMMANDS, READINGS
from mb_interfaces.msg import ContactEstimate, MechanismState
from mb_model import Mechanism, Settings, load_mechanism, setting
from mb_ros.diagnostics import OK, STALE, WARN, Health, LastLook
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import stream_qos


@dataclass(frozen=True)
class ContactNodeSettings(Settings):
    """The watched mechanism, and the rates of publishing."""

    mechanism: str = setting('three_rrr', help='Name of a mechanism, or path of its file')
    drives: tuple[str, ...] = setting(
        (), help='Coordinates on which drives act; default: as in the mechanism file')
    torque_sensors: tuple[str, ...] = setting(
        (), help='Sensors of the kind motor_torque in the mechanism file, or groups of them, one '
                 'on each drive, all on one topic, whose readings are the torques of the '
                 'drives; default: efforts on prototype/drive_torques')
    torques_are: str = setting(
        '', choices=('', COMMANDS, READINGS),
        help=f'What efforts on prototype/drive_torques are: {COMMANDS}, held from their stamps on, '
             f'or {READINGS}, measured at their stamps, as the readings of torque_sensors; '
             f'default: {COMMANDS}')
    torque_limit: float = setting(
        0.0, unit='N or N m', at_least=0.0,
        help='Largest torque of a drive: messages with a reading beyond are left out; 0: none are')
    encoders: tuple[str, ...] = setting(
        (), help='Encoders in the mechanism file, or groups of them, of as many coordinates as '
                 'degrees of freedom, all on one topic, from which pose and velocity are, as in '
                 'Mohammad et al. 2025: accelerations alone are taken from the estimate; default: '
                 'all is')
    publish_rate: float = setting(
        250.0, unit='Hz', at_least=0.0,
        help='How many ContactEstimates per second, by their stamps, are published at most; 0: '
             'all. Beginnings and ends of contacts are published always')
    isolate: bool = setting(
        True, help='Whether to name the touched body, if bodies of the mechanism have shapes')
    isolation_rate: float = setting(
        0.0, unit='Hz', at_least=0.0,
        help='How many times a second, by stamps, hypotheses on the body are weighed anew at most, '
             'first when a contact begins; in between the last ones are repeated. 0: for every '
             'ContactEstimate')


class ContactDetectorNode(ManagedNode):
    """Publishes contacts, their points and forces.

    It gets all estimates of an estimator in its process at once, whether published or not, and the
    estimates of others as messages.
    """

    first_settings = ContactNodeSettings, DetectionSettings

    def __init__(self, **options: Any) -> None:
        super().__init__('contact_detector', **options)

    def configure(self) -> None:
        """Make the detector by the parameters, and subscribe to the estimator and the drives."""
        settings = self.settings_of(
            ContactNodeSettings, change=self._change_rates,
            fixed=('mechanism', 'drives', 'torque_sensors', 'torques_are', 'torque_limit',
                   'encoders', 'isolate'))
        self._reports = ContactReports(
            load_mechanism(settings.mechanism), settings,
            self.settings_of(DetectionSettings,
                             change=lambda chosen: self._reports.detector_of(chosen)),
            self.settings_of(IsolationSettings, 'isolation.',
                             change=lambda chosen: self._reports.isolation_of(chosen)),
            self._warn, self.get_logger().info)
        self._last_stamp = LastLook(None)       # of a state
        self._publisher = self.create_lifecycle_publisher(
            ContactEstimate, '~/contact', stream_qos(settings.publish_rate))
        (states, _), *readings = self._reports.topics
        if not self.take_offered(states, self._on_step):
            self._listen(MechanismState, states, 0)
        for number, (topic, _) in enumerate(readings, 1):
            self._listen(JointState, topic, number)

    def _listen(self, message_type: type, topic: str, number: int) -> None:
        self.subscribe(message_type, topic, partial(self._on_message, number))

    def reset(self) -> str:
        """Forget everything, as after a start; stamps may begin anew."""
        self._reports.reset()
        return 'waiting for states'

    def _change_rates(self, settings: ContactNodeSettings) -> Callable[[], None]:
        return partial(self._reports.due_at, settings.publish_rate, settings.isolation_rate)

    def _on_step(self, mechanism: Mechanism, step: Any) -> None:
        self._publish(self._reports.of_step(mechanism, step))

    def _on_message(self, number: int, message: Any) -> None:
        self._publish(self._reports.of_message(number, message))

    def _publish(self, messages: Iterable[ContactEstimate]) -> None:
        for message in messages:
            self._publisher.publish(message)

    def _warn(self, words: str) -> None:
        self.get_logger().warning(words, throttle_duration_sec=5.0)

    def health(self) -> Health:
        """Return the health of the detection."""
        reports, stream = self._reports, self._reports.stream
        values = {'states without torques': stream.without_torques,
                  'messages rejected': reports.rejected,
                  'messages whose stamp jumps': stream.jumped, 'contacts': reports.contacts,
                  'contacts without hypotheses': reports.unweighed}
        if len(reports.topics) > 2:
            values['states without encoders'] = stream.without_encoders
        if reports.last is None:
            return Health(STALE, 'no states with torques yet', values)
        state, contact = reports.last
        values['last state [s]'] = f'{state.stamp / 1e9:.3f}'
        if self._last_stamp.stands_still(state.stamp):
            return Health(STALE, 'no new states with torques', values)
        if not contact.forces:
            return Health(WARN, f'not judged: {contact.reason}', values)
        return Health(OK, 'something touches' if contact.detected else 'nothing touches', values)


main = NodeMain(ContactDetectorNode)
