"""Contacts as messages, as the contact detector publishes and `judge_bag` writes them."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import inf
from typing import Any

from geometry_msgs.msg import Point, Vector3

from mb_contact.detection.contact import Contact, DetectionSettings, Force
from mb_contact.detection.detector import ContactDetector
from mb_contact.detection.encoder_motion import EncoderMotion
from mb_contact.detection.messages import STATE, STATE_TYPE, state_of, state_of_step
from mb_contact.detection.state import State
from mb_contact.detection.stream import ContactStream
from mb_contact.detection.torques import torque_source
from mb_contact.isolation.hypothesis import Hypothesis, IsolationSettings
from mb_contact.isolation.isolation import ContactIsolation
from mb_contact.isolation.surfaces import shaped_bodies
from mb_interfaces.msg import BodyContact, ContactEstimate, ContactHypothesis, ExternalForce
from mb_model import Mechanism, MechanismError
from mb_model.arrays import FloatArray
from mb_ros.stamps import stamp
from mb_ros.states import doubles
from mb_sensors import Sampler


class ContactReports:
    """Makes ContactEstimates of states and torques, in whatever order they come.

    topics: (name, type) of states, of torques, and of encoders if there are some; stream: the
    ContactStream; isolation: the ContactIsolation, None without one; last: the last State and its
    Contact; rejected: messages that are not usable; contacts: how many began; unweighed: contacts
    of which no body is known.
    """

    def __init__(self, mechanism: Mechanism, settings: Any, detection: DetectionSettings,
                 isolation: IsolationSettings, warn: Callable[[str], object],
                 say: Callable[[str], object]) -> None:
        """Set up for ContactNodeSettings, DetectionSettings and IsolationSettings.

        warn, say: called with words about messages that are left out, and about contacts.
        Raises ContactError, MechanismError, SensorError.
        """
        self._mechanism, self._warn, self._say = mechanism, warn, say
        detector = ContactDetector(mechanism, settings.drives or None, detection)
        self._torques = torque_source(mechanism, detector.drives, settings.torque_sensors,
                                      settings.torque_limit or inf, settings.torques_are)
        self.topics = (STATE, STATE_TYPE), (self._torques.topic, self._torques.type_name)
        self._encoders = EncoderMotion(mechanism, settings.encoders) if settings.encoders else None
        if self._encoders:
            self.topics = *self.topics, (self._encoders.topic, self._encoders.type_name)
        self.stream = ContactStream(detector, self._torques.inputs, self._encoders)
        self.isolation = None
        if settings.isolate and shaped_bodies(mechanism):
            self.isolation = ContactIsolation(mechanism, isolation, detector.methods[0])
        self._rates = settings.publish_rate, settings.isolation_rate
        self.rejected = self.contacts = self.unweighed = 0
        self.reset()

    def reset(self) -> None:
        """Forget all states and torques, as after a start; stamps may begin anew."""
        self.last = None
        self._usable = None             # the last State that gave a force
        self._since = 0
        self.stream.reset()
        if self.isolation:
            self.isolation.reset()
        self._hypotheses = []           # of the last weighing
        self.due_at(*self._rates)

    def due_at(self, *rates: float) -> None:
        """Set the rates of messages and of hypotheses, all if 0."""
        self._rates = rates
        self._publishes, self._weighs = (
            Sampler(rate).due if rate else _always for rate in rates)

    def detector_of(self, settings: DetectionSettings) -> Callable[[], None]:
        """Return a function that continues with another ContactDetector; raises ContactError."""
        detector = self.stream.detector.with_settings(settings)

        def use() -> None:
            self.stream.use(detector)
            if self.isolation:
                self.isolation.method = detector.methods[0]
        return use

    def isolation_of(self, settings: IsolationSettings) -> Callable[[], None]:
        """Return a function that continues with another ContactIsolation."""
        return partial(setattr, self, 'isolation',
                       self.isolation and self.isolation.with_settings(settings))

    def of_step(self, mechanism: Mechanism, step: Any) -> Iterator[ContactEstimate]:
        """Yield the ContactEstimates that the Step of an estimator of a mechanism completes."""
        yield from self._of(STATE, lambda: self.stream.add_state(
            state_of_step(self._mechanism, mechanism, step)))

    def of_message(self, number: int, message: Any) -> Iterator[ContactEstimate]:
        """Yield the ContactEstimates that a message of an input, by its number, completes."""
        take = (self._take_state, self._take_torques, self._take_angles)[number]
        yield from self._of(self.topics[number][0], partial(take, message))

    def _take_state(self, message: Any) -> list[tuple[State, Contact]]:
        return self.stream.add_state(state_of(self._mechanism, message))

    def _take_torques(self, message: Any) -> list[tuple[State, Contact]]:
        return [judged for stamp, torques in self._torques.take(message)
                for judged in self.stream.add_torques(stamp, torques)]

    def _take_angles(self, message: Any) -> list[tuple[State, Contact]]:
        return [judged for stamp, angles in self._encoders.take(message)
                for judged in self.stream.add_angles(stamp, angles)]

    def _of(self, topic: str,
            take: Callable[[], Iterable[tuple[State, Contact]]]) -> Iterator[ContactEstimate]:
        """Yield the messages of what is taken in; leave out what is not usable."""
        before = self.stream.jumped
        try:
            for state, contact in take():
                message = self._reported(state, contact)
                if message is not None:
                    yield message
        except ValueError as error:
            self.rejected += 1
            self._warn(f'{topic}: {error}')
        if self.stream.jumped > before:
            self._warn(f'{topic}: a stamp is far from those around it: left out')

    def _reported(self, state: State, contact: Contact) -> ContactEstimate | None:
        """Return the message of a Contact if it is due, or something has changed, else None."""
        self.last = state, contact
        if contact.forces:
            self._usable = state
            if self.isolation:
                self.isolation.update(state.stamp, state.zd, contact, state.q)
        changed, self._since = contact.since != self._since, contact.since
        if self._publishes(state.stamp) is None and not changed:
            return None
        if contact.detected and self.isolation and (
                self._weighs(state.stamp) is not None or changed):
            self._hypotheses = self._weighed()
        if changed and contact.detected:
            self.contacts += 1
            self._say(f'contact, detected by the method {contact.method}')
        return self._message(state, contact)

    def _weighed(self) -> list[ContactHypothesis]:
        """Return hypotheses as messages; none if weighing fails."""
        try:
            hypotheses = self.isolation.hypotheses(self._usable.z, self._usable.q)
        except MechanismError as error:
            self.unweighed += 1
            self._warn(f'which body is touched is not known: {error}')
            return []
        return [_hypothesis_message(one) for one in hypotheses]

    def _message(self, state: State, contact: Contact) -> ContactEstimate:
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


def _always(stamp: int) -> int:
    """Let a stamp be due."""
    return stamp


def _force_message(force: Force) -> ExternalForce:
    return ExternalForce(
        method=force.method, force=doubles(force.force), covariance=doubles(force.covariance),
        threshold=doubles(force.threshold), exceeds=force.exceeds)


def _hypothesis_message(hypothesis: Hypothesis) -> ContactHypothesis:
    return ContactHypothesis(
        name=hypothesis.name, probability=hypothesis.probability, contacts=[BodyContact(
            body=touch.body, point=Point(**_by_axis(touch.point)),
            force=Vector3(**_by_axis(touch.force))) for touch in hypothesis.touches])


def _by_axis(vector: FloatArray) -> dict[str, float]:
    """Return the numbers of a vector (2 or 3) by the names of their axes."""
    return dict(zip('xyz', vector.tolist(), strict=False))
