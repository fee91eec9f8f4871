"""How long after `ros2 launch` the first estimate comes, of demonstrations.

A node of this process listens, discovered like any other.  Before it the run waits for its monitor
and, where it is recorded, for its recorder.  Five launches each, after one that fills caches.
"""

import os
from pathlib import Path
import signal
import subprocess
from tempfile import TemporaryDirectory
import time

import numpy as np
import rclpy

from benchmarks.figures import Figure
from mb_interfaces.msg import MechanismState
from mb_ros.qos import STREAM_QOS

LAUNCHES = (('three_simulation', 'record:=false'), ('three_simulation', 'record:=true'),
            ('parallel_robot_contact', 'record:=true'))
COUNT = 5
TARGET = 3.0            # [s]
DOMAIN = '95'
PATIENCE = 120.0        # [s]


def measure():
    """Return the median and the longest time of each launch."""
    os.environ['ROS_DOMAIN_ID'] = DOMAIN
    found = []
    for launch in LAUNCHES:
        times = [first_estimate(*launch) for _ in range(COUNT + 1)][1:]
        found += [Figure(f'{" ".join(launch)}: median', np.median(times), 's', TARGET),
                  Figure('  longest', max(times), 's')]
    return found


def first_estimate(launch_file, *arguments):
    """Launch, wait for an estimate, interrupt; return the time until then [s]."""
    rclpy.init()
    node, seen = rclpy.create_node('onlooker'), []
    node.create_subscription(MechanismState, 'estimator/state',
                             lambda message: seen.append(time.monotonic()), STREAM_QOS)
    with TemporaryDirectory() as folder:
        begin = time.monotonic()
        launch = subprocess.Popen(
            ['ros2', 'launch', 'mb_bringup', f'{launch_file}.launch.py', *arguments,
             f'results:={Path(folder) / "results"}'],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not seen and time.monotonic() < begin + PATIENCE:
            rclpy.spin_once(node, timeout_sec=0.1)
        launch.send_signal(signal.SIGINT)
        launch.wait(PATIENCE)
    node.destroy_node()
    rclpy.shutdown()
    if not seen:
        raise TimeoutError(f'{launch_file}: no estimate came')
    return seen[0] - begin
