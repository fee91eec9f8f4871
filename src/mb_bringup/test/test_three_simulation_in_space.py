"""The launch file with machines in space, and nothing but their names."""

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
import pytest

from mb_evaluation.accuracy.verdict import objections
from mb_ros.own_domain import own_domain

DOMAIN = str(own_domain(26))
PATIENCE = 300.0        # of a machine that does other things [s]
MACHINES = ['six_axis_arm', 'quadruped_leg', 'quarter_car', 'stewart', 'delta', 'excavator']


@pytest.mark.launch_test
@pytest.mark.slow
@pytest.mark.timeout(900)
@launch_testing.parametrize('mechanism', MACHINES)
def generate_test_description(mechanism):
    """Run three simulated seconds."""
    results = Path(tempfile.mkdtemp(prefix='in_space_'))
    atexit.register(shutil.rmtree, results, ignore_errors=True)
    launch_file = (Path(get_package_share_directory('mb_bringup')) / 'launch'
                   / 'three_simulation.launch.py')
    arguments = {'mechanism': mechanism, 'duration': '3.0', 'record': 'false',
                 'results': str(results)}
    return LaunchDescription([
        SetEnvironmentVariable('ROS_DOMAIN_ID', DOMAIN),
        IncludeLaunchDescription(PythonLaunchDescriptionSource(str(launch_file)),
                                 launch_arguments=arguments.items()),
        launch_testing.actions.ReadyToTest(),
    ]), {'results': results}


class TestRun(unittest.TestCase):
    """While it runs."""

    def test_it_ends_by_itself(self, proc_info):
        """The monitor ends the run."""
        proc_info.assertWaitForShutdown(process='accuracy_monitor', timeout=PATIENCE)


@launch_testing.post_shutdown_test()
class TestOutcome(unittest.TestCase):
    """After everything has ended."""

    def test_every_process_ended_cleanly(self, proc_info):
        """No process crashed or had to be killed."""
        launch_testing.asserts.assertExitCodes(proc_info)

    def test_the_machine_is_followed(self, results):
        """The observer beats the model in every degree of freedom; nothing was lost."""
        report = json.loads((results / 'latest' / 'report.json').read_text())
        self.assertEqual(objections(report), [])
