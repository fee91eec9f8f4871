"""A machine with drivers of others: `/joint_states` stays theirs, its readings are estimated."""

import numpy as np
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from mb_estimators.nodes.estimator import EstimatorNode
from mb_evaluation.nodes.robot_description import RobotDescriptionNode
from mb_model import load_mechanism
from mb_ros.node_bench import spin_until, together_on_bench
from mb_ros.states import joint_state
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

MACHINE, GROUP, STEP = 'stewart', 'encoders', 2_000_000       # [ns]
OURS = '/robot_description/observer/joint_states'


class Chain(Node):
    """A joint_state_broadcaster, and a robot_state_publisher of the estimate."""

    def __init__(self):
        super().__init__('joint_state_broadcaster')
        mechanism = load_mechanism(MACHINE)
        sensors = sensors_of(mechanism, [GROUP])
        self._names = [sensor.name for sensor in sensors]
        at_rest = mechanism.q0[None], np.zeros((1, mechanism.n)), np.zeros((1, mechanism.n))
        self._values = [float(true_values(mechanism, sensor, *at_rest)[0, 0]) for sensor in sensors]
        self._pub = self.create_publisher(JointState, 'joint_states', 10)       # volatile
        self._description = self.create_publisher(String, 'robot_description', 1)
        self.joints, self._now = [], 1_000_000_000
        self.create_subscription(JointState, OURS, self.joints.append, qos_profile_sensor_data)

    def measure(self):
        self._now += STEP
        self._pub.publish(joint_state(self._now, self._names, self._values))
        return True


def test_measurements_and_estimates_are_apart():
    with together_on_bench([EstimatorNode, RobotDescriptionNode], Chain, [
            f'mechanism:={MACHINE}', f'sensors:=[{GROUP}]']) as (_, bench):
        spin_until(bench, lambda: bench.measure() and bench.joints)
        for topic in ('/joint_states', '/robot_description'):
            assert [one.node_name for one in bench.get_publishers_info_by_topic(topic)] == [
                'joint_state_broadcaster']
    found = bench.joints[0]
    assert len(found.name) == len(found.position) > len(bench._names)   # not the measured ones only
    assert np.isfinite(found.position).all()
