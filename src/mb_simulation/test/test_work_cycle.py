"""A work cycle played to the crane's prototype: the truth is what the cycle alone makes of it.

Also if its player is killed on the way, and comes back.
"""

import atexit
import os
from pathlib import Path
import shutil
import signal
import tempfile
import time
import unittest

from launch import LaunchDescription
from launch_ros.actions import Node
import launch_testing
import launch_testing.asserts
import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import FluidPressure

from mb_interfaces.msg import HydraulicState, MechanismParameters, MechanismState
from mb_interfaces.srv import SetMechanismParameter
from mb_model import WorkCycle, load_mechanism
from mb_ros.process_tree import life_of
from mb_ros.qos import LATCHED_QOS, STREAM_QOS
from mb_ros.stamps import nanoseconds
from mb_simulation.prototypes import make_prototype

RATE, DURATION, LEAD = 100, 6, 0.8
CYCLE = 't,directional,load\n0,0,50\n0.2,0.3,50\n0.75,0.1,50\n5.2,-0.4,80\n5.6,0,80\n'
KILLED = 2_000_000_000          # the last command that was played holds for long [ns]


@pytest.mark.whole
@pytest.mark.launch_test
def generate_test_description():
    """Run a few simulated seconds; the prototype begins when the first command has come."""
    folder = Path(tempfile.mkdtemp(prefix='work_cycle_'))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = folder / 'cycle.csv'
    file.write_text(CYCLE)
    prototype = Node(package='mb_simulation', executable='prototype', parameters=[{
        'mechanism': 'crane', 'publish_rate': float(RATE), 'duration': float(DURATION),
        'wait_for_commands': True}])
    player = Node(package='mb_ros', executable='keep', arguments=[
        'mb_simulation/work_cycle', '--ros-args', '-p', f'cycle:={file}', '-p',
        'use_sim_time:=true', '-p', f'lead:={LEAD}'])
    return LaunchDescription([
        prototype, player, launch_testing.actions.ReadyToTest(),
    ]), {'file': file}


class TestRun(unittest.TestCase):
    """While it runs."""

    @classmethod
    def setUpClass(cls):
        """Subscribe to all that the prototype publishes."""
        rclpy.init()
        cls.node = rclpy.create_node('listener')
        cls.executor = SingleThreadedExecutor()
        cls.executor.add_node(cls.node)
        cls.received = {}
        for topic, kind, qos in (
                ('state', MechanismState, STREAM_QOS), ('hydraulics', HydraulicState, STREAM_QOS),
                ('pressure1', FluidPressure, STREAM_QOS), ('pressure2', FluidPressure, STREAM_QOS),
                ('parameters', MechanismParameters, LATCHED_QOS)):
            cls.received[topic] = {}
            cls.node.create_subscription(
                kind, f'/prototype/{topic}', lambda message, kept=cls.received[topic]:
                kept.setdefault(nanoseconds(message.header.stamp), message), qos)

    @classmethod
    def tearDownClass(cls):
        """End the listener."""
        cls.executor.shutdown()
        cls.node.destroy_node()
        rclpy.shutdown()

    def spin_until(self, ready, seconds=60.0):
        """Listen until something is ready."""
        deadline = time.monotonic() + seconds
        while not ready():
            self.assertLess(time.monotonic(), deadline)
            self.executor.spin_once(timeout_sec=0.1)

    def test_the_truth_is_what_the_cycle_makes(self, file):
        """Every state equals the same cycle without any process, to the bit."""
        last = 1_000_000_000 * (1 + DURATION)
        self.spin_until(lambda: KILLED in self.received['state'])
        os.kill(life_of('mb_simulation/work_cycle', os.getpid()), signal.SIGKILL)
        self.spin_until(lambda: all(
            last in self.received[topic] for topic in ('state', 'hydraulics', 'pressure2')))
        mechanism = load_mechanism('crane')
        cycle = WorkCycle.load(file, mechanism)
        prototype = make_prototype('mujoco', mechanism, 1.0 / RATE, 1e-3)

        def act(offset):
            prototype.set_valves(cycle.valves_at(1e-9 * offset))
            load = cycle.parameters_at(1e-9 * offset)['load']
            if load != prototype.parameters['load']:
                prototype.set_parameters({'load': load})

        stamps = range(1_000_000_000, last + 1, 1_000_000_000 // RATE)
        self.assertEqual(sorted(self.received['state']), list(stamps))
        for stamp in stamps:
            state, oil = self.received['state'][stamp], self.received['hydraulics'][stamp]
            np.testing.assert_array_equal(state.q, prototype.state.q)
            np.testing.assert_array_equal(state.qdd, prototype.state.qdd)
            np.testing.assert_array_equal(oil.pressure, prototype.oil.p)
            np.testing.assert_array_equal(oil.force, prototype.oil.force)
            self.assertEqual(self.received['pressure1'][stamp].fluid_pressure, oil.pressure[0])
            self.assertEqual(self.received['pressure2'][stamp].fluid_pressure, oil.pressure[1])
            prototype.advance(act)

    def test_the_load_is_published_and_what_cannot_be_is_refused(self):
        """Parameters are latched; refusals say why."""
        picked_up = 6_200_000_000
        self.spin_until(lambda: picked_up in self.received['parameters'])
        message = self.received['parameters'][picked_up]
        self.assertEqual(dict(zip(message.name, message.value, strict=True))['load'], 80.0)
        client = self.node.create_client(SetMechanismParameter, '/prototype/set_parameter')
        self.assertTrue(client.wait_for_service(timeout_sec=20.0))
        for name, value, reason in (('lod', 1.0, 'lod: unknown parameter'),
                                    ('load_radius', 0.2, 'would change the geometry'),
                                    ('load', -3.0, 'bodies.load.mass')):
            answer = client.call_async(SetMechanismParameter.Request(name=name, value=value))
            self.spin_until(answer.done, 20.0)
            self.assertFalse(answer.result().success)
            self.assertIn(reason, answer.result().message)


@launch_testing.post_shutdown_test()
class TestOutcome(unittest.TestCase):
    """After everything has ended."""

    def test_the_second_life_of_the_player_was_reported(self, proc_output):
        """It was killed once."""
        launch_testing.asserts.assertInStderr(
            proc_output, 'WorkCycleNode: ended by SIGKILL, begins again', process='keep')

    def test_every_process_ended_cleanly(self, proc_info):
        """No process crashed or had to be killed."""
        launch_testing.asserts.assertExitCodes(proc_info)
