"""Robot description: URDF, joint states and frames of a mechanism, for robot software."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
import numpy as np
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_ros import TransformBroadcaster

from mb_evaluation.nodes import STATE_TOPICS
from mb_evaluation.nodes.frames import StandingFrames, frame
from mb_evaluation.nodes.glances import RATE, Glances
from mb_evaluation.robot import RobotDescription, original_robot
from mb_import import WORLD, Frame
from mb_interfaces.msg import MechanismState
from mb_model import Settings, load_mechanism, setting
from mb_ros.guards import GuardedNode
from mb_ros.node_main import NodeMain
from mb_ros.parameters import declare_settings
from mb_ros.qos import LATCHED_QOS
from mb_ros.stamps import nanoseconds
from mb_ros.states import joint_state, state_arrays


@dataclass(frozen=True)
class RobotDescriptionSettings(Settings):
    """Whose links and joints are published, how often, and the names of their frames."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    rate: float = setting(RATE, unit='Hz', at_least=0.01, at_most=1000.0,
                          help='How often by wall time joints and frames are published at most')
    frames: bool = setting(True, help='Broadcast the frames of links; false: '
                                      'robot_state_publisher does')
    observer_prefix: str = setting('observer/', help="What the names of the estimate's frames "
                                                     'begin with; may be empty')
    prototype_prefix: str = setting('prototype/', help="The same of the prototype's")
    model_prefix: str = setting('model/', help="The same of the uncorrected model's")


class RobotDescriptionNode(GuardedNode):
    """Publishes ~/urdf; ~/<simulation>/joint_states and frames of every one that publishes.

    Not robot_description and joint_states: these are the machine's own, from its drivers.
    """

    def __init__(self, **options: Any):
        super().__init__('robot_description', **options)
        settings = declare_settings(self, RobotDescriptionSettings)
        mechanism = load_mechanism(settings.mechanism)
        self._n = mechanism.n
        self._robot = robot = (original_robot(mechanism, settings.mechanism)
                               or RobotDescription(mechanism))
        self._prefixes = {stream: getattr(settings, f'{stream}_prefix') for stream in STATE_TOPICS}
        if len(set(self._prefixes.values())) < len(self._prefixes):
            raise ValueError('observer_prefix, prototype_prefix, model_prefix: '
                             f'{", ".join(map(repr, self._prefixes.values()))} must differ')
        self._broadcaster = None
        if settings.frames:
            self._standing = StandingFrames(self, mechanism, self._prefixes.values())
            self._broadcaster = TransformBroadcaster(self)
        self._description_pub = self.create_publisher(String, '~/urdf', LATCHED_QOS)
        self._description_pub.publish(String(data=robot.urdf))
        self._joints_pub = {
            stream: self.create_publisher(JointState, f'~/{stream}/joint_states', 10)
            for stream in STATE_TOPICS}
        glances = Glances(self, settings.rate)
        for stream, topic in STATE_TOPICS.items():
            glances.take(MechanismState, topic, partial(self._publish_joints, stream))

    def _publish_joints(self, stream: str, message: MechanismState):
        """Publish the joints of a state, and broadcast its frames."""
        state = state_arrays(message)
        q, qd = state['q'], state['qd']
        if q.shape != (self._n,) or not np.isfinite(q).all():
            self.get_logger().warning(f'{stream}: a state without all coordinates',
                                      throttle_duration_sec=5.0)
            return
        positions, velocities = self._robot.read(q, qd if qd.shape == q.shape else None)
        self._joints_pub[stream].publish(joint_state(
            nanoseconds(message.header.stamp), self._robot.names, positions, velocities))
        if self._broadcaster:
            self._broadcaster.sendTransform([
                self._transform(message.header.stamp, self._prefixes[stream], one)
                for one in self._robot.frames(q) if self._prefixes[stream] + one[1] != WORLD])

    @staticmethod
    def _transform(stamp: Time, prefix: str, one: Frame) -> TransformStamped:
        parent, child, origin, turn = one
        message = frame(prefix + parent, prefix + child, origin, turn)
        message.header.stamp = stamp
        return message


main = NodeMain(RobotDescriptionNode)
