"""A recording of a real machine played by the launch file that users run, judged by the truth."""

import atexit
import json
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
import numpy as np
import pytest

from mb_estimators.nodes import estimate_bag
from mb_evaluation.verdict import objections
from mb_ros.own_domain import own_domain
from mb_sensors import open_bag

DOMAIN = str(own_domain())
ROWS = 4887                         # of the excerpt


@pytest.mark.launch_test
def generate_test_description():
    """Play the double pendulum."""
    folder = Path(tempfile.mkdtemp(prefix='recorded_'))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    launch_file = (Path(get_package_share_directory('mb_bringup')) / 'launch'
                   / 'recorded.launch.py')
    return LaunchDescription([
        SetEnvironmentVariable('ROS_DOMAIN_ID', DOMAIN),
        IncludeLaunchDescription(PythonLaunchDescriptionSource(str(launch_file)),
                                 launch_arguments={'results': str(folder)}.items()),
        launch_testing.actions.ReadyToTest(),
    ]), {'folder': folder / 'latest'}


class TestRun(unittest.TestCase):
    """While it runs."""

    def test_it_ends_by_itself(self, proc_info):
        """The monitor ends the run."""
        proc_info.assertWaitForShutdown(process='recorded_monitor', timeout=180)


@launch_testing.post_shutdown_test()
class TestOutcome(unittest.TestCase):
    """After everything has ended."""

    def test_every_process_ended_cleanly(self, proc_info):
        """No process crashed or had to be killed."""
        launch_testing.asserts.assertExitCodes(proc_info)

    def test_live_estimates_are_those_of_the_log(self, folder):
        """Bit by bit, also the forces; the figures follow from them and from the truth."""
        bag = folder / 'recording/bag'
        self.assertEqual(estimate_bag.main([str(bag), '--output', str(folder / 'again')]), 0)
        forces = {}
        for name in ('bag', 'again'):
            with open_bag(folder / name) as opened:
                forces[name] = {stamp: state.generalized_force.tobytes()
                                for stamp, state in opened.of('/estimator/state')}
        with open_bag(bag) as opened:
            truth = {stamp: list(message.effort)
                     for stamp, message in opened.of('/prototype/external_forces')}
        self.assertEqual(len(forces['bag']), ROWS)
        self.assertEqual(forces['bag'], forces['again'])
        errors = [np.frombuffer(forces['bag'][stamp]) - truth[stamp] for stamp in truth]
        report = json.loads((folder / 'report.json').read_text())
        np.testing.assert_allclose(report['rmse'], np.sqrt(np.mean(np.square(errors), axis=0)))
        np.testing.assert_allclose(
            report['zero_rmse'], np.sqrt(np.mean(np.square(list(truth.values())), axis=0)))
        self.assertEqual(report['readings'], {'used': 2 * ROWS, 'rejected': 0, 'late': 0})

    def test_the_verdict_needs_errors_below_zeros(self, folder):
        """As the shipped estimator has them; a worse one fails."""
        self.assertEqual(objections(folder), [])
        path = folder / 'report.json'
        report = json.loads(path.read_text())
        path.write_text(json.dumps(report | {'rmse': report['zero_rmse']}))
        self.assertEqual(len(objections(folder)), 2)

    def test_page_and_picture(self, folder):
        """The page says what the estimator was given."""
        self.assertIn('less the pulses', (folder / 'report.md').read_text())
        self.assertTrue((folder / 'report.png').read_bytes().startswith(b'\x89PNG'))
