"""Markers: the mechanisms as rviz shows them, in one view, and what is known of them."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
import time
from typing import Any

import numpy as np
from sensor_msgs.msg import JointState
from std_msgs.msg import Header
from visualization_msgs.msg import Marker, MarkerArray

from mb_evaluation.nodes import STATE_TOPICS
from mb_evaluation.nodes.drawn.marker import LIFETIME
from mb_evaluation.nodes.drawn.picture import Picture
from mb_evaluation.nodes.drawn.status import mass_marker, status_marker
from mb_evaluation.nodes.frames import StandingFrames
from mb_evaluation.nodes.glances import RATE, Glances
from mb_evaluation.scene import moved_on
from mb_interfaces.msg import (
    BodyContact,
    BodyContacts,
    ContactEstimate,
    EstimatorStatus,
    HydraulicState,
    MechanismState,
    PayloadEstimate,
)
from mb_model import Settings, load_mechanism, setting
from mb_ros.guards import GuardedNode
from mb_ros.node_main import REST, NodeMain
from mb_ros.parameters import declare_settings
from mb_ros.qos import LATCHED_QOS
from mb_ros.stamps import nanoseconds
from mb_ros.states import state_arrays

PATIENCE = 1.0      # wall time after which the others are shown without the observer [s]
HELD = 300          # states that wait for the observer, of each other simulation


@dataclass(frozen=True)
class MarkersSettings(Settings):
    """What to draw, and how often."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    rate: float = setting(RATE, unit='Hz', at_least=0.01, at_most=1000.0,
                          help='How often by wall time each simulation is drawn at most')
    uncertainty_scale: float = setting(
        1.0, above=0.0, help='How many times larger ellipses of uncertainty are drawn')


class MarkersNode(GuardedNode):
    """Publishes ~/markers: bodies of all simulations, uncertainty, forces, contacts, status."""

    def __init__(self, **options: Any):
        super().__init__('markers', **options)
        settings = declare_settings(self, MarkersSettings)
        self._mechanism = mechanism = load_mechanism(settings.mechanism)
        self._picture = Picture(mechanism, settings.uncertainty_scale)
        self._seen: dict[str, np.ndarray] = {}  # last drawn q of each simulation
        self._distrust = ''
        self._early: dict[str, deque[MechanismState]] = {
            stream: deque(maxlen=HELD) for stream in STATE_TOPICS if stream != 'observer'}
        self._observed = 0.0                    # wall time of the last estimate
        self._frames = StandingFrames(self, mechanism)
        self._marker_pub = self.create_publisher(MarkerArray, '~/markers', 10)
        glances = Glances(self, settings.rate)
        for stream, topic in STATE_TOPICS.items():
            glances.take(MechanismState, topic, (
                self._draw_observer if stream == 'observer' else partial(self._hold, stream)))
        for stream, node in (('prototype', 'prototype'), ('observer', 'estimator')):
            glances.take(HydraulicState, f'{node}/hydraulics', partial(self._draw_oil, stream))
        glances.take(JointState, 'prototype/drive_torques', self._draw_torques)
        glances.take(EstimatorStatus, 'estimator/status', self._draw_status)
        glances.take(PayloadEstimate, 'payload_estimator/payload', self._draw_masses)
        glances.take(BodyContacts, 'prototype/contacts', self._draw_true_contacts)
        glances.take(ContactEstimate, 'contact_detector/contact', self._draw_detected_contacts)
        self._obstacles: tuple[Marker, ...] = ()        # in the way of the prototype
        self.create_subscription(MarkerArray, 'prototype/obstacles', self._keep_obstacles,
                                 LATCHED_QOS)

    def _keep_obstacles(self, message: MarkerArray):
        """Keep what is in the way, to be drawn with the prototype."""
        self._obstacles = tuple(message.markers)

    def _hold(self, stream: str, message: MechanismState):
        """Keep a state until the estimate of its instant is there, to be drawn together."""
        if time.monotonic() - self._observed > PATIENCE:
            self._draw(stream, message, message.header)
        else:
            self._early[stream].append(message)

    def _draw_observer(self, message: MechanismState):
        """Publish the picture of an estimate, and of the others at its instant."""
        self._observed, stamp = time.monotonic(), nanoseconds(message.header.stamp)
        for stream, early in self._early.items():
            due = None
            while early and nanoseconds(early[0].header.stamp) <= stamp:
                due = early.popleft()
            if due:
                self._draw(stream, due, message.header)
        self._draw('observer', message, message.header)

    def _draw(self, stream: str, message: MechanismState, header: Header):
        """Publish the picture of a state at the instant of a header, at or after its own."""
        state = state_arrays(message)
        q = state['q']
        if q.shape != (self._mechanism.n,) or not np.isfinite(q).all():
            self.get_logger().warning(f'{stream}: a state that cannot be drawn',
                                      throttle_duration_sec=5.0)
            return
        passed = 1e-9 * (nanoseconds(header.stamp) - nanoseconds(message.header.stamp))
        q = moved_on(self._mechanism, q, state['z'], state['zd'], state['zdd'], passed)
        self._seen[stream] = q
        self._publish(self._picture.bodies(header, stream, q, state['covariance']))
        if stream == 'prototype':
            for marker in self._obstacles:      # each time: what is not renewed goes
                marker.header, marker.lifetime = header, LIFETIME
            self._publish(list(self._obstacles))
        self._draw_forces(stream, header, message.independent, state['generalized_force'])

    def _draw_oil(self, stream: str, message: HydraulicState):
        """Publish the forces of cylinders; note whether they are reliable."""
        circuit = self._mechanism.circuit
        if circuit is None or list(circuit.cylinders) != list(message.cylinder):
            return
        if stream == 'observer':
            self._distrust = message.distrust
        names = [self._mechanism.coordinates[k] for k in circuit.cylinder_coordinates]
        self._draw_forces(stream, message.header, names, message.force)

    def _draw_torques(self, message: JointState):
        """Publish the torques of the drives."""
        self._draw_forces('prototype', message.header, message.name, message.effort)

    def _draw_forces(self, stream: str, header: Header, names: Sequence[str],
                     forces: Sequence[float]):
        if stream not in self._seen or len(names) != len(forces):
            return
        known = {name: force for name, force in zip(names, forces, strict=True)
                 if name in self._mechanism.coordinates and np.isfinite(force)}
        header.frame_id = self._mechanism.name      # joint states have none
        self._publish(self._picture.forces.markers(header, stream, self._seen[stream], known))

    def _draw_status(self, message: EstimatorStatus):
        """Publish the status of the estimator."""
        self._publish([status_marker(message.header, message, self._distrust,
                                     self._picture.words_at(0), self._picture.size)])

    def _draw_masses(self, message: PayloadEstimate):
        """Publish the estimated masses."""
        if not len(message.parameter) == len(message.mass) == len(message.deviation):
            return
        self._publish([mass_marker(message.header, message, self._picture.words_at(1),
                                   self._picture.size)])

    def _draw_true_contacts(self, message: BodyContacts):
        """Publish the true contacts."""
        self._draw_contacts('prototype', message.header, message.contacts)

    def _draw_detected_contacts(self, message: ContactEstimate):
        """Publish the likeliest explanation of a contact, fainter if less probable."""
        if message.hypotheses:
            best = message.hypotheses[0]
            self._draw_contacts('observer', message.header, best.contacts, best.probability)

    def _draw_contacts(self, stream: str, header: Header, contacts: Iterable[BodyContact],
                       alpha: float = 1.0):
        self._publish(self._picture.contacts(header, stream, contacts, alpha))

    def _publish(self, markers: list[Marker]):
        if markers:
            self._marker_pub.publish(MarkerArray(markers=markers))


main = NodeMain(MarkersNode, rest=REST)
