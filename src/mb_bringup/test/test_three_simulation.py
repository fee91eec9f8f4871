"""The launch file that users run, as processes: figures, bag, and clean ends."""

import atexit
import json
from math import pi
import os
from pathlib import Path
import shutil
import tempfile
import unittest

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription, SetEnvironmentVariable
from launch.launch_description_sources import PythonLaunchDescriptionSource
import launch_testing
import launch_testing.asserts
import pytest
from rclpy.serialization import deserialize_message
import rosbag2_py
from sensor_msgs.msg import JointState

from mb_bringup.accuracy.verdict import objections
from mb_estimators.plugins import make_filter
from mb_estimators.stream import EstimateStream
from mb_estimators.stream_settings import StreamSettings
from mb_interfaces.msg import MechanismState
from mb_model import apply_model_errors, load_mechanism
from mb_ros.stamps import nanoseconds
from mb_sensors import sensors_of

DOMAIN = str(1 + os.getpid() % 100)     # apart from whatever else runs on this machine
CASES = [('mujoco', 'error_ekf'), ('mujoco', 'dekf'), ('multibody', 'error_ekf')]
DURATION, RATE = 10.0, 200.0
STATES = int(DURATION * RATE) + 1
WRONG_MODEL = {'gravity': -1.0, 'z0': pi / 16}      # as the launch file has it


@pytest.mark.launch_test
@launch_testing.parametrize(('prototype', 'estimator'), CASES)
def generate_test_description(prototype, estimator):
    """Run ten simulated seconds, recorded."""
    results = Path(tempfile.mkdtemp(prefix='three_simulation_'))
    atexit.register(shutil.rmtree, results, ignore_errors=True)
    launch_file = (Path(get_package_share_directory('mb_bringup')) / 'launch'
                   / 'three_simulation.launch.py')
    arguments = {'prototype': prototype, 'estimator': estimator, 'results': str(results),
                 'duration': str(DURATION), 'real_time_factor': '2.0', 'record': 'true'}
    return LaunchDescription([
        SetEnvironmentVariable('ROS_DOMAIN_ID', DOMAIN),
        IncludeLaunchDescription(PythonLaunchDescriptionSource(str(launch_file)),
                                 launch_arguments=arguments.items()),
        launch_testing.actions.ReadyToTest(),
    ]), {'results': results}


class TestRun(unittest.TestCase):
    """While it runs."""

    def test_it_ends_by_itself(self, proc_info):
        """The monitor ends the run, well before anybody loses patience."""
        proc_info.assertWaitForShutdown(process='accuracy_monitor', timeout=60)


@launch_testing.post_shutdown_test()
class TestOutcome(unittest.TestCase):
    """After everything has ended."""

    def test_every_process_ended_cleanly(self, proc_info):
        """Nobody crashed, and nobody had to be killed."""
        launch_testing.asserts.assertExitCodes(proc_info)

    def test_figures(self, results, prototype):
        """The observer is as good as the papers' and nothing was lost."""
        report = json.loads((results / 'latest' / 'report.json').read_text())
        self.assertEqual(objections(report), [])
        self.assertEqual(report['messages_lost'], 0)
        self.assertGreater(report['model']['position_rmse_after_2s'][0], 0.3)
        self.assertLess(report['observer']['position_rmse_after_2s'][0], 0.0070)
        if prototype == 'multibody':
            self.assertLess(report['observer']['position_rmse_after_2s'][0], 0.0062)
            self.assertGreater(report['observer']['position_rmse_after_2s'][0], 0.0045)
        self.assertEqual(report['prototype'], prototype)
        self.assertGreater((results / 'latest' / 'report.png').stat().st_size, 20000)

    def test_bag_holds_everything(self, results):
        """Not one message is missing from the bag."""
        bag = results / 'latest' / 'bag'
        metadata = rosbag2_py.Info().read_metadata(str(bag), '')
        counts = {topic.topic_metadata.name: topic.message_count
                  for topic in metadata.topics_with_message_count}
        self.assertEqual(counts['/prototype/state'], STATES)
        self.assertEqual(counts['/model_simulation/state'], STATES)
        self.assertGreaterEqual(counts['/estimator/state'], STATES - 1)
        self.assertGreaterEqual(counts['/estimator/status'], STATES - 1)
        self.assertGreaterEqual(counts['/crank_encoder'], STATES - 1)
        self.assertGreater(counts['/clock'], STATES / 2)

    def test_recorded_readings_give_the_same_estimates_again(self, results, estimator):
        """Bit by bit: an estimate is a function of the stamped readings alone."""
        bag = read_bag(results / 'latest' / 'bag', {'/crank_encoder': JointState,
                                                    '/estimator/state': MechanismState})
        recorded = {nanoseconds(message.header.stamp): message
                    for message in bag['/estimator/state']}
        again = replayed(estimator, bag['/crank_encoder'])
        self.assertEqual([step.stamp for step in again], sorted(recorded))
        for step in again:
            message = recorded[step.stamp]
            for key in ('z', 'zd', 'zdd', 'q', 'qd', 'qdd'):
                self.assertEqual(getattr(message, key).tobytes(),
                                 getattr(step.estimate, key).tobytes())
            self.assertEqual(message.covariance.tobytes(), step.estimate.covariance.tobytes())


def read_bag(path, topics):
    """Return the messages of some topics (name -> class) of a bag, by topic."""
    reader = rosbag2_py.SequentialReader()
    reader.open(rosbag2_py.StorageOptions(uri=str(path), storage_id='mcap'),
                rosbag2_py.ConverterOptions('', ''))
    messages = {topic: [] for topic in topics}
    while reader.has_next():
        topic, data, _ = reader.read_next()
        if topic in topics:
            messages[topic].append(deserialize_message(data, topics[topic]))
    return messages


def replayed(estimator, readings):
    """Return the Steps of an estimator fed with recorded encoder readings, without ROS."""
    model = apply_model_errors(load_mechanism('four_bar'), WRONG_MODEL)
    sensors = sensors_of(model, ['crank_encoder'])
    settings = StreamSettings(start_time=1.0)
    stream = EstimateStream(make_filter(estimator, model, sensors, settings.dt), sensors,
                            (model.z0, model.zd0), settings)
    return [step for reading in readings for step in stream.add(
        'crank_encoder', nanoseconds(reading.header.stamp), list(reading.position))]
