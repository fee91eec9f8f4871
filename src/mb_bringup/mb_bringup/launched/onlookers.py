"""Processes that look on: the recorder of the bag, and rviz."""

import os
from pathlib import Path
import shutil
import sys
from tempfile import gettempdir

from launch.actions import ExecuteProcess
from launch_ros.actions import Node

from mb_bringup.launched.arguments import SHARE
from mb_bringup.launched.rviz_view import configuration_of


def recorder(folder):
    """Return the process that records every topic, with queues as long as those of the streams."""
    ros2 = shutil.which('ros2') or str(Path(sys.executable).with_name('ros2'))
    return ExecuteProcess(
        name='bag', output='screen',
        cmd=[ros2, 'bag', 'record', '--all', '--output', str(folder / 'bag'),
             '--qos-profile-overrides-path', str(SHARE / 'config' / 'record_qos.yaml')])


def rviz(name, mechanism):
    """Return rviz in front of a Mechanism, configured as for a launch file."""
    path = Path(gettempdir()) / f'mb_{os.getpid()}_{name}.rviz'
    path.write_text(configuration_of(name, mechanism))
    return Node(package='rviz2', executable='rviz2', output='screen', arguments=['-d', str(path)],
                parameters=[{'use_sim_time': True}])
