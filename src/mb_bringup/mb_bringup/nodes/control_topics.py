"""A prototype's own controller, and what others hear of it and tell it."""

from sensor_msgs.msg import JointState

from mb_bringup.control import Controller, ControlLoop
from mb_interfaces.msg import ContactEstimate
from mb_model import load_mechanism
from mb_ros.qos import COMMAND_QOS, OVERRIDABLE, STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import doubles

# A detector judges an instant again when a late reading has told more of it; one that crashed and
# came back judges the last seconds again, of which the machine has been told [ns].
LATEST = 100_000_000


class ControlTopics:
    """Publishes ~/drive_torques at every control step; reacts to contact_detector/contact."""

    def __init__(self, node, mechanism, prototype, trajectory, settings):
        """Set up in a node.

        mechanism: the true one of the Prototype; settings: ControlSettings.  Raises ValueError.
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
        self._torques_pub = node.create_publisher(JointState, '~/drive_torques', STREAM_QOS)
        self._judged = 0        # newest stamp of which it was told whether something touches [ns]
        node.create_subscription(ContactEstimate, 'contact_detector/contact', self._hear,
                                 COMMAND_QOS, qos_overriding_options=OVERRIDABLE)

    def act(self, offset, now):
        """Make the control step of an instant `offset` [ns] after the start, if it is due.

        now: stamp [ns] of that instant; the torques that are published with it hold from there
        until the next ones.
        """
        if self._loop.act(offset):
            self._message.header.stamp = stamp(now)
            self._message.effort = doubles(self._loop.newest[1])
            self._torques_pub.publish(self._message)

    def trajectory_time(self, offset):
        """Return the time along the trajectory [s], `offset` [ns] after the start."""
        return self._controller.trajectory_time(1e-9 * offset)

    @property
    def health(self):
        """What diagnostics tell, by name."""
        reacted = self._controller.reacted
        return {'last reaction': 'none so far' if reacted is None else
                f'{self._controller.settings.reaction} at {reacted:.3f} s',
                'control steps without a position': self._controller.lost}

    def _hear(self, message):
        judged = nanoseconds(message.header.stamp)
        if 0 < judged < self._judged - LATEST:     # zero is not set: somebody tells it by hand
            return
        self._judged = max(self._judged, judged)
        if message.detected and self._controller.react(self._loop.next_time):
            self._node.get_logger().info(
                f'contact: {self._controller.settings.reaction} at {self._loop.next_time:.3f} s')
