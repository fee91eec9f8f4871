"""The contact detector: the estimated motion and the drives' torques in, contacts out."""

from dataclasses import dataclass
from functools import partial
from math import inf

from geometry_msgs.msg import Point, Vector3
from sensor_msgs.msg import JointState

from mb_contact.detection import ContactDetector, DetectionSettings
from mb_contact.detection.messages import (
    STATE,
    state_of,
    state_of_step,
)
from mb_contact.detection.stream import ContactStream
from mb_contact.detection.torques import torque_source
from mb_contact.isolation import ContactIsolation, IsolationSettings, shaped_bodies
from mb_interfaces.msg import (
    BodyContact,
    ContactEstimate,
    ContactHypothesis,
    ExternalForce,
    MechanismState,
)
from mb_model import MechanismError, Settings, load_mechanism, setting
from mb_ros.diagnostics import OK, STALE, WARN, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import OVERRIDABLE, stream_qos
from mb_ros.stamps import stamp
from mb_ros.states import doubles
from mb_sensors import Sampler


@dataclass(frozen=True)
class ContactNodeSettings(Settings):
    """The watched mechanism, and the rates of publishing."""

    mechanism: str = setting('three_rrr', help='Name of a mechanism, or path of its file')
    drives: tuple[str, ...] = setting(
        (), help='Coordinates on which drives act; default: as in the mechanism file')
    torque_sensors: tuple[str, ...] = setting(
        (), help='Sensors of the kind motor_torque in the mechanism file, or groups of them, one '
                 'on each drive, all on one topic, whose readings are the torques of the '
                 'drives; default: what prototype/drive_torques commands')
    torque_limit: float = setting(
        0.0, unit='N or N m', at_least=0.0,
        help='Largest torque of a drive: messages with a reading beyond are left out; 0: none are')
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
    """Publishes contacts, their places and forces.

    It gets all estimates of an estimator in its process at once, whether published or not, and the
    estimates of others as messages.
    """

    first_settings = ContactNodeSettings, DetectionSettings

    def __init__(self, **options):
        super().__init__('contact_detector', **options)

    def configure(self):
        """Make the detector by the parameters, and subscribe to the estimator and the drives."""
        settings = self.settings_of(
            ContactNodeSettings, change=self._change_rates,
            fixed=('mechanism', 'drives', 'torque_sensors', 'torque_limit', 'isolate'))
        self._mechanism = load_mechanism(settings.mechanism)
        detector = ContactDetector(
            self._mechanism, settings.drives or None,
            self.settings_of(DetectionSettings, change=self._change_detection))
        self._torques = torque_source(self._mechanism, detector.drives, settings.torque_sensors,
                                      settings.torque_limit or inf)
        self._stream = ContactStream(detector, self._torques.measured)
        self._isolation = self._make_isolation(settings.isolate, detector)
        self._due_rates = settings.publish_rate, settings.isolation_rate
        self._rejected = self._contacts = self._unweighed = 0
        self._begin()
        self._last_look = None        # stamp of the last state, at the last look
        self._publisher = self.create_lifecycle_publisher(
            ContactEstimate, '~/contact', stream_qos(settings.publish_rate))
        if not self.take_offered(STATE, self._guarded(STATE, self._take_step)):
            self._listen(MechanismState, STATE, self._take_state)
        self._listen(JointState, self._torques.topic, self._take_torques)

    def _listen(self, message_type, topic, take):
        self.subscribe(message_type, topic, self._guarded(topic, take),
                       qos_overriding_options=OVERRIDABLE)

    def reset(self):
        """Forget everything, as after a start; stamps may begin anew."""
        self._begin()
        return 'waiting for states'

    def _make_isolation(self, isolate, detector):
        """Return the ContactIsolation, None without one."""
        settings = self.settings_of(IsolationSettings, 'isolation.', change=self._change_isolation)
        if not (isolate and shaped_bodies(self._mechanism)):
            return None
        return ContactIsolation(self._mechanism, settings, detector.methods[0])

    def _begin(self):
        """Forget all states and torques."""
        self._last = None               # the last State and its Contact,
        self._usable = None             # and the last State that gave a force
        self._since = 0
        self._stream.reset()
        if self._isolation:
            self._isolation.reset()
        self._hypotheses = []           # of the last weighing
        self._due_at(*self._due_rates)

    def _due_at(self, *rates):
        """Set the rates of messages and of hypotheses, all if 0."""
        self._due_rates = rates
        self._publishes, self._weighs = (
            Sampler(rate).due if rate else _always for rate in rates)

    def _change_rates(self, settings):
        return partial(self._due_at, settings.publish_rate, settings.isolation_rate)

    def _change_detection(self, settings):
        """Return a function that continues with another ContactDetector; raises ContactError."""
        detector = self._stream.detector.with_settings(settings)

        def use():
            self._stream.use(detector)
            if self._isolation:
                self._isolation.method = detector.methods[0]
        return use

    def _change_isolation(self, settings):
        """Return a function that continues with another ContactIsolation."""
        return partial(setattr, self, '_isolation',
                       self._isolation and self._isolation.with_settings(settings))

    def _guarded(self, topic, take):
        """Return a callback that leaves out unusable messages."""
        def on_news(*news):
            before = self._stream.jumped
            try:
                for state, contact in take(*news):
                    self._publish(state, contact)
            except ValueError as error:
                self._rejected += 1
                self.get_logger().warning(f'{topic}: {error}', throttle_duration_sec=5.0)
            if self._stream.jumped > before:
                self.get_logger().warning(f'{topic}: a stamp is far from those around it: left out',
                                          throttle_duration_sec=5.0)
        return on_news

    def _take_step(self, mechanism, step):
        return self._stream.add_state(state_of_step(self._mechanism, mechanism, step))

    def _take_state(self, message):
        return self._stream.add_state(state_of(self._mechanism, message))

    def _take_torques(self, message):
        return [judged for stamp, torques in self._torques.take(message)
                for judged in self._stream.add_torques(stamp, torques)]

    def _publish(self, state, contact):
        """Publish a Contact if it is due, or something has changed."""
        self._last = state, contact
        if contact.forces:
            self._usable = state
            if self._isolation:
                self._isolation.update(state.stamp, state.zd, contact, state.q)
        changed, self._since = contact.since != self._since, contact.since
        if self._publishes(state.stamp) is None and not changed:
            return
        if contact.detected and self._isolation and (
                self._weighs(state.stamp) is not None or changed):
            self._hypotheses = self._weighed()
        self._publisher.publish(self._message(state, contact))
        if changed and contact.detected:
            self._contacts += 1
            self.get_logger().info(f'contact, detected by the method {contact.method}')

    def _weighed(self):
        """Return hypotheses as messages; none if weighing fails."""
        try:
            found = self._isolation.hypotheses(self._usable.z, self._usable.q)
        except MechanismError as error:
            self._unweighed += 1
            self.get_logger().warning(f'which body is touched is not known: {error}',
                                      throttle_duration_sec=5.0)
            return []
        return [_hypothesis_message(one) for one in found]

    def _message(self, state, contact):
        """Return the ContactEstimate of a State and its Contact."""
        message = ContactEstimate(
            mechanism=self._mechanism.name, independent=list(self._mechanism.independent),
            detected=contact.detected, method=contact.method, reason=contact.reason,
            forces=[_force_message(force) for force in contact.forces])
        message.header.stamp = stamp(state.stamp)
        message.header.frame_id = self._mechanism.name
        if contact.detected:
            message.since = stamp(contact.since)
            message.hypotheses = self._hypotheses
        return message

    def health(self):
        """Return the health of the detection."""
        values = {'states without torques': self._stream.without_torques,
                  'messages rejected': self._rejected,
                  'messages whose stamp jumps': self._stream.jumped, 'contacts': self._contacts,
                  'contacts without hypotheses': self._unweighed}
        if self._last is None:
            return Health(STALE, 'no states with torques yet', values)
        state, contact = self._last
        values['last state [s]'] = f'{state.stamp / 1e9:.3f}'
        stands_still, self._last_look = self._last_look == state.stamp, state.stamp
        if stands_still:
            return Health(STALE, 'no new states with torques', values)
        if not contact.forces:
            return Health(WARN, f'not judged: {contact.reason}', values)
        return Health(OK, 'something touches' if contact.detected else 'nothing touches', values)


def _always(stamp):
    """Let a stamp be due."""
    return stamp


def _force_message(force):
    return ExternalForce(
        method=force.method, force=doubles(force.force), covariance=doubles(force.covariance),
        threshold=doubles(force.threshold), exceeds=force.exceeds)


def _hypothesis_message(hypothesis):
    return ContactHypothesis(
        name=hypothesis.name, probability=hypothesis.probability, contacts=[BodyContact(
            body=touch.body, point=Point(**_by_axis(touch.point)),
            force=Vector3(**_by_axis(touch.force))) for touch in hypothesis.touches])


def _by_axis(vector):
    """Return the numbers of a vector (2 or 3) by the names of their axes."""
    return dict(zip('xyz', vector.tolist(), strict=False))


main = NodeMain(ContactDetectorNode)
