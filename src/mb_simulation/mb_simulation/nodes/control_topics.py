"""A prototype's own controller, what it publishes, and what it subscribes to."""

from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from sensor_msgs.msg import JointState

from mb_interfaces.msg import ContactEstimate
from mb_model import Mechanism, load_mechanism
from mb_ros.qos import COMMAND_QOS, OVERRIDABLE, stream_qos
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import doubles
from mb_simulation.control import Controller, ControlLoop, ControlSettings, Trajectory
from mb_simulation.control.reactions import DetectedContacts
from mb_simulation.prototypes.prototype import Prototype

# A detector judges an instant again after a late reading; after a crash it judges the last seconds
# again, which the machine knows already [ns].
LATEST = 100_000_000
AHEAD = 'stamped later than the newest state'


class ControlTopics:
    """Publishes ~/drive_torques at every control step; reacts to contact_detector/contact."""

    def __init__(self, node: Node, mechanism: Mechanism, prototype: Prototype,
                 trajectory: Trajectory, settings: ControlSettings,
                 judged: Callable[[int], object]) -> None:
        """Set up in a node.

        mechanism: the true one of the Prototype; settings: ControlSettings; judged: called with the
        stamp [ns] of every judgement of a detector.  Raises ValueError.
        """
        known = load_mechanism(settings.mechanism) if settings.mechanism else mechanism
        for key in ('independent', 'drives'):
            if getattr(known, key) != getattr(mechanism, key):
                raise ValueError(f'control.mechanism: {known.file}: {key}: '
                                 f'{", ".join(getattr(known, key))} must be '
                                 f'{", ".join(getattr(mechanism, key))}, as of the prototype')
        self._node = node
        self._controller = Controller(known, trajectory, settings)
        self._loop = ControlLoop(self._controller, prototype, mechanism)
        self._message = JointState(name=list(mechanism.drives))
        self._message.header.frame_id = mechanism.name
        self._torques_pub = node.create_publisher(
            JointState, '~/drive_torques', stream_qos(settings.rate))
        self._now = 0           # newest instant of the machine [ns]
        self._ahead = 0         # judgements of later instants
        self._judged = 0        # newest stamp with a judgement whether something touches [ns]
        self._on_judged = judged
        self._contacts = DetectedContacts(settings.reaction_delay)
        self._late = self._latest = 0       # reactions after their time; by how much at most [ns]
        node.create_subscription(ContactEstimate, 'contact_detector/contact', self._on_contact,
                                 COMMAND_QOS, qos_overriding_options=OVERRIDABLE)

    def act(self, offset: int, now: int) -> None:
        """Make the control step of an instant `offset` [ns] after the start, if it is due.

        now: stamp [ns] of that instant; the torques that are published with it hold from there
        until the next ones.
        """
        self._now = now
        if not self._loop.is_due(offset):
            return
        late = self._contacts.due(now)
        if late is not None:
            self._react(1e-9 * offset, late)
        self._loop.act(offset)
        self._message.header.stamp = stamp(now)
        self._message.effort = doubles(self._loop.newest[1])
        self._torques_pub.publish(self._message)

    def trajectory_time(self, offset: int) -> float:
        """Return the time along the trajectory [s], `offset` [ns] after the start."""
        return self._controller.trajectory_time(1e-9 * offset)

    @property
    def wrong(self) -> str:
        """Problems of judgements and reactions, in words; empty without any."""
        return '; '.join(words for words in (
            self._lateness() if self._late else '',
            f'judgements left out: {AHEAD}' if self._ahead else '') if words)

    @property
    def health(self) -> dict[str, Any]:
        """What diagnostics report, by name."""
        reacted = self._controller.reacted
        return {'last reaction': 'none so far' if reacted is None else
                f'{self._controller.settings.reaction} at {reacted:.3f} s',
                'reactions late': self._late, 'judgements ahead of time': self._ahead,
                'control steps without a position': self._controller.lost}

    def _lateness(self) -> str:
        return (f'{self._late} reactions came up to {1e-6 * self._latest:.1f} ms late: another run '
                'with this seed may differ')

    def _on_contact(self, message: ContactEstimate) -> None:
        judged = nanoseconds(message.header.stamp)
        if judged > self._now:      # of another clock: all later ones would be old against it
            self._ahead += 1
            self._node.get_logger().warning(f'judgement left out: {AHEAD}',
                                            throttle_duration_sec=5.0)
            return
        if 0 < judged < self._judged - LATEST:     # zero is not set: published by hand
            return
        self._judged = max(self._judged, judged)
        if message.detected:
            self._contacts.add(judged)
        self._on_judged(judged)

    def _react(self, t: float, late: int) -> None:
        """React to a contact at t [s]; late: by how much after its time [ns]."""
        if not self._controller.react(t):
            return
        self._node.get_logger().info(
            f'contact: {self._controller.settings.reaction} at {t:.3f} s')
        if late:
            self._late, self._latest = self._late + 1, max(self._latest, late)
            self._node.get_logger().warning(self._lateness())
