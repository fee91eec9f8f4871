"""A launch file as tests launch it: in a passing folder of its own; how it ends.

The classes are to be mixed into cases of unittest.
"""

import atexit
from pathlib import Path
import shutil
import tempfile

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_testing.actions import ReadyToTest
import launch_testing.asserts


def passing_folder(prefix):
    """Return the path of a new folder, which is gone when the tests have ended."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def launched_file(name, arguments):
    """Return the LaunchDescription of a launch file of mb_bringup, ready to test."""
    file = Path(get_package_share_directory('mb_bringup')) / 'launch' / f'{name}.launch.py'
    return LaunchDescription([
        IncludeLaunchDescription(PythonLaunchDescriptionSource(str(file)),
                                 launch_arguments=arguments.items()),
        ReadyToTest(),
    ])


class EndsByItself:
    """While it runs: the monitor ends it."""

    monitor = ''        # name of the process whose end is the run's
    patience = 200.0    # for that [s]

    def test_it_ends_by_itself(self, proc_info):
        """The monitor ends the run."""
        proc_info.assertWaitForShutdown(process=self.monitor, timeout=self.patience)


class EndsCleanly:
    """After everything has ended."""

    def test_every_process_ended_cleanly(self, proc_info):
        """No process crashed or had to be killed."""
        launch_testing.asserts.assertExitCodes(proc_info)
