"""A launch file as tests launch it: in a domain of their own, with results in a passing folder."""

import atexit
from pathlib import Path
import shutil
import tempfile

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription, SetEnvironmentVariable
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_testing.actions import ReadyToTest


def passing_folder(prefix):
    """Return the path of a new folder, which is gone when the tests have ended."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def launched_file(name, domain, arguments):
    """Return the LaunchDescription of a launch file of mb_bringup, ready to test."""
    file = Path(get_package_share_directory('mb_bringup')) / 'launch' / f'{name}.launch.py'
    return LaunchDescription([
        SetEnvironmentVariable('ROS_DOMAIN_ID', domain),
        IncludeLaunchDescription(PythonLaunchDescriptionSource(str(file)),
                                 launch_arguments=arguments.items()),
        ReadyToTest(),
    ])
