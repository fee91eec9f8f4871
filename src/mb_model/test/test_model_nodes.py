"""model_server and model_simulation as processes, asked over DDS."""

from math import pi
import time
import unittest

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import WrenchStamped
from launch import LaunchDescription
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
from sensor_msgs.msg import JointState
from std_msgs.msg import Header, String
from std_srvs.srv import Trigger

from mb_interfaces.msg import MechanismState
from mb_interfaces.srv import (
    DescribeMechanism,
    ForwardDynamics,
    InverseDynamics,
    Linearise,
    Reactions,
    SolveAcceleration,
    SolvePosition,
    SolveVelocity,
)
from mb_model import ForceTable, apply_model_errors, load_mechanism, simulate
from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.file import parse_mechanism
from mb_model.simulation.arrays import read_run_text
from mb_ros.qos import COMMAND_QOS, LATCHED_QOS, STREAM_QOS
from mb_ros.stamps import from_seconds, nanoseconds, stamp

PATIENCE = 120.0                      # with an empty cache the nodes compile first [s]
ERRORS = {'gravity': -1.0, 'z0': pi / 16}


@pytest.mark.launch_test
def generate_test_description():
    """Start both nodes as a user would."""
    errors = {f'model_errors.{name}': value for name, value in ERRORS.items()}
    patient = {'sigterm_timeout': '30'}         # a busy machine ends processes slowly
    return LaunchDescription([
        Node(package='mb_model', executable='model_server', output='screen', **patient,
             parameters=[{'mechanism': 'four_bar'}]),
        Node(package='mb_model', executable='model_simulation', output='screen', **patient,
             parameters=[{'mechanism': 'four_bar', 'start_time': 1.0, 'publish_rate': 100.0,
                          'use_sim_time': True, **errors}]),
        Node(package='mb_model', executable='model_simulation', name='pushed', output='screen',
             **patient,
             parameters=[{'mechanism': 'five_bar', 'formulation': 'matrix_r', 'integrator': 'rk4',
                          'start_time': 10.0, 'publish_rate': 100.0, 'use_sim_time': True,
                          'force_delay': 0.05}]),
        Node(package='mb_model', executable='model_simulation', name='in_space', output='screen',
             **patient,
             parameters=[{'mechanism': 'stewart', 'start_time': 20.0, 'publish_rate': 100.0,
                          'use_sim_time': True, **errors}]),
        launch_testing.actions.ReadyToTest(),
    ])


class TestNodes(unittest.TestCase):
    """While they run."""

    @classmethod
    def setUpClass(cls):
        cls.context = Context()
        rclpy.init(context=cls.context)
        cls.node = rclpy.create_node('asker', context=cls.context)
        cls.executor = SingleThreadedExecutor(context=cls.context)
        cls.executor.add_node(cls.node)
        cls.mechanism = load_mechanism('four_bar')
        cls.clock = cls.node.create_publisher(Clock, '/clock', 10)

    @classmethod
    def tearDownClass(cls):
        cls.node.destroy_node()
        rclpy.shutdown(context=cls.context)

    def ask(self, kind, name, server='model_server', **request):
        """Return the response of a service of the model server, or of another node."""
        client = self.node.create_client(kind, f'/{server}/{name}')
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

    def test_linearisation_is_that_of_the_library(self):
        z, zd, force = [1.3], [2.0], [5.0]
        response = self.ask(Linearise, 'linearise', z=z, zd=zd, force=force)
        self.assertTrue(response.success)
        a, b = self.mechanism.linearise(z, zd, force)
        self.assertEqual((list(response.a), list(response.b)),
                         (a.ravel().tolist(), b.ravel().tolist()))

    def test_reactions_and_inverse_dynamics_by_formulation_are_those_of_the_library(self):
        z, zd, zdd = [1.3], [2.0], [-3.0]
        found = self.ask(Reactions, 'reactions', z=z, zd=zd, force=[5.0], formulation='lagrange')
        self.assertTrue(found.success, found.message)
        expected = self.mechanism.reactions(z, zd, [5.0], formulation='lagrange')
        self.assertEqual(
            {(r.body, r.joint): (r.wrench.force.x, r.wrench.force.y)
             for r in found.reactions if '.' not in r.joint},
            {(body, point): tuple(force.tolist()) for body, points in expected.forces.items()
             for point, force in points.items()})
        inverse = self.ask(InverseDynamics, 'inverse_dynamics', z=z, zd=zd, zdd=zdd,
                           formulation='lagrange')
        self.assertEqual(list(inverse.force), self.mechanism.inverse_dynamics(
            z, zd, zdd, formulation='lagrange').tolist())
        unknown = self.ask(Reactions, 'reactions', z=z, zd=zd, formulation='newton')
        self.assertFalse(unknown.success)
        self.assertIn('formulation: newton: unknown, expected one of', unknown.message)

    def test_description_has_the_whole_mechanism(self):
        found = self.ask(DescribeMechanism, 'describe_mechanism')
        self.assertTrue(found.success)
        self.assertEqual(list(found.coordinates), list(self.mechanism.coordinates))
        self.assertEqual(list(found.units), ['m', 'm', 'm', 'm', 'rad'])
        self.assertEqual([body.inertia.m for body in found.bodies], [2.0, 8.0, 5.0])
        self.assertEqual(list(found.bodies[1].points), ['P1', 'P2'])
        self.assertEqual([point.name for point in found.points if point.fixed], ['A', 'B'])
        self.assertEqual({formulation.name: tuple(formulation.integrators)
                          for formulation in found.formulations},
                         {name: kind.integrators for name, kind in FORMULATIONS.items()})
        again = Mechanism(*parse_mechanism(found.yaml, 'answer.yaml'))
        self.assertEqual(again.model.tobytes(), self.mechanism.model.tobytes())

    def test_what_cannot_be_answered_is_reported_and_the_server_lives(self):
        for request, message in (
                ({'z': [1.0, 2.0]}, 'z: [1. 2.] must be 1 finite number'),
                ({'z': []}, 'z: [] must be 1 finite number'),
                ({'z': [float('nan')]}, 'z: nan must be finite'),
                ({'z': [1.0], 'near': [1e3] * 5}, 'near: too far from any closed position')):
            response = self.ask(SolvePosition, 'solve_position', **request)
            self.assertFalse(response.success)
            self.assertIn(message, response.message)
        self.assertGreater(response.residual, 1.0)
        response = self.ask(ForwardDynamics, 'forward_dynamics', z=[1.0], zd=[float('inf')])
        self.assertFalse(response.success)
        self.assertTrue(self.ask(SolvePosition, 'solve_position', z=[1.0]).success)

    def listen(self, kind, topic, qos):
        """Return a list that fills with the messages of a topic."""
        received = []
        self.node.create_subscription(kind, topic, received.append, qos)
        return received

    def run_clock(self, times, done):
        """Publish times [s], the last one again and again, until done()."""
        until = time.monotonic() + PATIENCE
        while not done():
            self.assertLess(time.monotonic(), until)
            self.clock.publish(Clock(clock=stamp(from_seconds(times[0]))))
            if len(times) > 1 and self.clock.get_subscription_count() > 1:
                times.pop(0)
            self.executor.spin_once(0.05)

    def test_simulation_follows_the_clock_and_leaves_out_nothing(self):
        states = self.listen(MechanismState, '/model_simulation/state', STREAM_QOS)
        # Time comes in uneven jumps, the last of them far.
        self.run_clock([0.5, 0.995, 1.0, 1.013, 1.4, 3.0], lambda: len(states) >= 201)
        stamps = [nanoseconds(state.header.stamp) for state in states]
        self.assertEqual(stamps, [from_seconds(1.0 + k / 100.0) for k in range(201)])
        wrong = apply_model_errors(self.mechanism, ERRORS)
        run = simulate(wrong, 2.0, 1e-3)
        np.testing.assert_allclose([list(state.q) for state in states], run.q[::10], atol=1e-12)
        np.testing.assert_allclose([list(state.zdd) for state in states], run.zdd[::10], atol=1e-9)
        self.assertEqual(list(states[0].coordinates), list(self.mechanism.coordinates))

    def test_without_a_plane_it_is_simulate_in_space(self):
        states = self.listen(MechanismState, '/in_space/state', STREAM_QOS)
        self.run_clock([19.5, 20.0, 20.5], lambda: len(states) >= 51)
        stamps = [nanoseconds(state.header.stamp) for state in states]
        self.assertEqual(stamps, [from_seconds(20.0 + k / 100.0) for k in range(51)])
        run = simulate(apply_model_errors(load_mechanism('stewart'), ERRORS), 0.5, 1e-3)
        for name, array in (('q', run.q), ('zd', run.zd), ('zdd', run.zdd)):
            rows = [list(getattr(state, name)) for state in states]
            np.testing.assert_array_equal(rows, array[::10], err_msg=name)

    def test_with_forces_from_a_topic_it_is_simulate_with_inputs(self):
        mechanism = load_mechanism('five_bar')
        states = self.listen(MechanismState, '/pushed/state', STREAM_QOS)
        health = self.listen(DiagnosticArray, '/diagnostics', 10)
        texts = self.listen(String, '/pushed/description', LATCHED_QOS)
        forces = self.node.create_publisher(JointState, '/pushed/forces', COMMAND_QOS)

        def counts():
            """Return the newest values of the node's diagnostics."""
            return {value.key: value.value for message in health for status in message.status
                    if status.name == '/pushed' for value in status.values}

        def push(t, names, efforts):
            message = JointState(name=names, effort=efforts)
            message.header.stamp = stamp(from_seconds(10.0 + t))
            forces.publish(message)

        self.run_clock([9.0], lambda: forces.get_subscription_count() and texts)
        rng = np.random.default_rng(1)
        times = np.append(0.0, np.sort(rng.uniform(0.0, 2.0, 38)).round(4))
        table = rng.uniform(-20.0, 20.0, (len(times), 2)).round(3)
        table[:3, 1] = 0.0          # of this one, the first messages say nothing
        for k in rng.permutation(len(times)):
            names = list(mechanism.independent)[:1 if k < 3 else 2]
            push(times[k], names, table[k, :len(names)].tolist())
        push(0.5, ['elbow'], [1.0])
        push(0.5, ['theta1'], [float('nan')])
        push(0.5, ['theta1', 'theta2'], [1.0])
        wrench = self.node.create_publisher(WrenchStamped, '/pushed/wrench', COMMAND_QOS)
        self.run_clock([9.0], wrench.get_subscription_count)
        wrench.publish(WrenchStamped(header=Header(frame_id='elbow')))
        self.run_clock([9.5], lambda: (counts().get('forces used'),
                                       counts().get('forces rejected')) == ('39', '4'))
        self.run_clock([10.4, 12.0, 12.06], lambda: len(states) >= 201)
        run = simulate(mechanism, 2.0, 1e-3, 'matrix_r', 'rk4', inputs=ForceTable(times, table))
        for name, array in (('z', run.z), ('qdd', run.qdd), ('generalized_force', run.forces)):
            rows = [list(getattr(state, name)) for state in states[:200]]
            np.testing.assert_array_equal(rows, array[:2000:10], err_msg=name)
        how, dt = read_run_text(texts[0].data, 'text')
        self.assertEqual((how['formulation'], how['integrator'], dt), ('matrix_r', 'rk4', 0.01))
        self.assertEqual(how['mechanism'].model.tobytes(), mechanism.model.tobytes())
        self.pause_resume_and_reset(mechanism, states, health)

    def pause_resume_and_reset(self, mechanism, states, health):
        """Go on with the node 'pushed' at 12.06 s of the clock."""
        def paused(second):
            """Return whether the node has published a pause in a second of the clock."""
            return any(message.header.stamp.sec == second
                       and message.status[0].message == 'paused' for message in health)

        self.assertTrue(self.ask(Trigger, 'pause', 'pushed').success)
        self.run_clock([12.06], lambda: paused(12))
        before = len(states)
        self.run_clock([13.0], lambda: paused(13))
        self.assertEqual(len(states), before)
        self.assertTrue(self.ask(Trigger, 'resume', 'pushed').success)
        self.run_clock([13.1], lambda: len(states) > before)
        self.assertGreater(nanoseconds(states[before].header.stamp), from_seconds(12.8))
        # It has moved for one period, not for the second of the pause.
        (q0, qd0), (q1, qd1) = ((np.array(state.q), np.array(state.qd))
                                for state in states[before - 1:before + 1])
        np.testing.assert_allclose(q1 - q0, 0.005 * (qd0 + qd1), atol=1e-3 * np.abs(qd1).max())
        before = len(states)
        self.assertNotEqual(list(states[-1].z), mechanism.z0.tolist())
        self.assertTrue(self.ask(Trigger, 'reset', 'pushed').success)

        def started():
            """Return the states at the start that have come since the reset."""
            return [state for state in states[before:] if list(state.z) == mechanism.z0.tolist()]

        self.run_clock([14.0], started)
        self.assertGreater(nanoseconds(started()[0].header.stamp), from_seconds(12.9))
        self.assertEqual(list(started()[0].generalized_force), [0.0, 0.0])


@launch_testing.post_shutdown_test()
class TestEnd(unittest.TestCase):
    """After a signal to end."""

    def test_exit_codes(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
