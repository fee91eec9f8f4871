"""model_server and model_simulation as processes, asked over DDS."""

from math import pi
import os
import time
import unittest

from launch import LaunchDescription
from launch.actions import SetEnvironmentVariable
from launch_ros.actions import Node
import launch_testing
import launch_testing.actions
import launch_testing.asserts
import numpy as np
import pytest
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rosgraph_msgs.msg import Clock

from mb_interfaces.msg import MechanismState
from mb_interfaces.srv import (
    ForwardDynamics,
    InverseDynamics,
    SolveAcceleration,
    SolvePosition,
    SolveVelocity,
)
from mb_model import apply_model_errors, load_mechanism, simulate
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import from_seconds, nanoseconds, stamp

DOMAIN = 1 + os.getpid() % 100      # apart from whatever else runs on this machine
PATIENCE = 120.0                      # with an empty cache the nodes compile first [s]
ERRORS = {'gravity': -1.0, 'z0': pi / 16}


@pytest.mark.launch_test
def generate_test_description():
    """Start both nodes as a user would."""
    errors = {f'model_errors.{name}': value for name, value in ERRORS.items()}
    return LaunchDescription([
        SetEnvironmentVariable('ROS_DOMAIN_ID', str(DOMAIN)),
        Node(package='mb_model', executable='model_server', output='screen',
             parameters=[{'mechanism': 'four_bar'}]),
        Node(package='mb_model', executable='model_simulation', output='screen',
             parameters=[{'mechanism': 'four_bar', 'start_time': 1.0, 'publish_rate': 100.0,
                          'use_sim_time': True, **errors}]),
        launch_testing.actions.ReadyToTest(),
    ])


class TestNodes(unittest.TestCase):
    """While they run."""

    @classmethod
    def setUpClass(cls):
        cls.context = Context()
        rclpy.init(context=cls.context, domain_id=DOMAIN)
        cls.node = rclpy.create_node('asker', context=cls.context)
        cls.executor = SingleThreadedExecutor(context=cls.context)
        cls.executor.add_node(cls.node)
        cls.mechanism = load_mechanism('four_bar')

    @classmethod
    def tearDownClass(cls):
        cls.node.destroy_node()
        rclpy.shutdown(context=cls.context)

    def ask(self, kind, name, **request):
        """Return the response of a service of the model server."""
        client = self.node.create_client(kind, f'/model_server/{name}')
        self.assertTrue(client.wait_for_service(PATIENCE))
        future = client.call_async(kind.Request(**request))
        self.executor.spin_until_future_complete(future, 10.0)
        self.node.destroy_client(client)
        return future.result()

    def test_kinematics_are_those_of_the_library(self):
        z, zd, zdd = [1.3], [2.0], [-3.0]
        q = self.mechanism.assemble(z)
        qd = self.mechanism.velocity(q, zd)
        position = self.ask(SolvePosition, 'solve_position', z=z)
        self.assertTrue(position.success)
        self.assertEqual(list(position.q), q.tolist())
        self.assertLess(position.residual, 1e-12)
        velocity = self.ask(SolveVelocity, 'solve_velocity', z=z, zd=zd)
        self.assertEqual((list(velocity.q), list(velocity.qd)), (q.tolist(), qd.tolist()))
        acceleration = self.ask(SolveAcceleration, 'solve_acceleration', z=z, zd=zd, zdd=zdd)
        self.assertEqual(list(acceleration.qdd),
                         self.mechanism.acceleration(q, qd, zdd).tolist())

    def test_near_chooses_the_branch(self):
        response = self.ask(SolvePosition, 'solve_position', z=[1.3],
                            near=[1.0, 1.732, 6.77, -3.81, pi / 3])
        self.assertTrue(response.success)
        self.assertLess(response.q[3], 0.0)

    def test_dynamics_are_those_of_the_benchmark(self):
        response = self.ask(ForwardDynamics, 'forward_dynamics', z=[pi / 3], zd=[0.0])
        self.assertAlmostEqual(response.zdd[0], -0.994835, delta=1e-6)
        pushed = self.ask(ForwardDynamics, 'forward_dynamics', z=[1.0], zd=[2.0], force=[30.0])
        force = self.ask(InverseDynamics, 'inverse_dynamics', z=[1.0], zd=[2.0], zdd=pushed.zdd)
        self.assertTrue(force.success)
        self.assertAlmostEqual(force.force[0], 30.0, places=9)

    def test_what_cannot_be_answered_is_told_and_the_server_lives(self):
        for request, message in (
                ({'z': [1.0, 2.0]}, 'z: [1. 2.] must be 1 finite number'),
                ({'z': []}, 'z: [] must be 1 finite number'),
                ({'z': [float('nan')]}, 'z: [nan] must be 1 finite number'),
                ({'z': [1.0], 'near': [1e3] * 5}, 'near: too far from any closed position')):
            response = self.ask(SolvePosition, 'solve_position', **request)
            self.assertFalse(response.success)
            self.assertIn(message, response.message)
        self.assertGreater(response.residual, 1.0)
        response = self.ask(ForwardDynamics, 'forward_dynamics', z=[1.0], zd=[float('inf')])
        self.assertFalse(response.success)
        self.assertTrue(self.ask(SolvePosition, 'solve_position', z=[1.0]).success)

    def test_simulation_follows_the_clock_and_leaves_out_nothing(self):
        states = []
        self.node.create_subscription(MechanismState, '/model_simulation/state', states.append,
                                      STREAM_QOS)
        clock = self.node.create_publisher(Clock, '/clock', 10)
        until = time.monotonic() + PATIENCE
        # Time comes in uneven jumps, the last of them far.
        times = [0.5, 0.995, 1.0, 1.013, 1.4, 3.0]
        while len(states) < 201 and time.monotonic() < until:
            clock.publish(Clock(clock=stamp(from_seconds(times[0]))))
            if len(times) > 1 and clock.get_subscription_count():
                times.pop(0)
            self.executor.spin_once(0.05)
        stamps = [nanoseconds(state.header.stamp) for state in states]
        self.assertEqual(stamps, [from_seconds(1.0 + k / 100.0) for k in range(201)])
        wrong = apply_model_errors(self.mechanism, ERRORS)
        run = simulate(wrong, 2.0, 1e-3)
        np.testing.assert_allclose([list(state.q) for state in states], run.q[::10], atol=1e-12)
        np.testing.assert_allclose([list(state.zdd) for state in states], run.zdd[::10], atol=1e-9)
        self.assertEqual(list(states[0].coordinates), list(self.mechanism.coordinates))


@launch_testing.post_shutdown_test()
class TestEnd(unittest.TestCase):
    """After they were told to end."""

    def test_exit_codes(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
