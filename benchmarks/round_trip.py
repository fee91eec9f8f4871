"""Round trip of a JointState between two processes at 1 kHz, by each transport of the middleware.

Measured on a real ROS 2 Jazzy with Cyclone DDS: 434 to 443 us, 41 to 46 % of a core.
"""

import os
import signal
from statistics import median, quantiles
import subprocess
import sys

from benchmarks.figures import Figure
from mb_bringup.described import TRANSPORTS

COUNT, RATE = 3000, 1000.0
OTHER = 'DEFAULT', 'shared memory'      # value of the variable of Fast DDS, and what that is


def measure():
    """Return the round-trip times and what the sender takes of a core, beside shared memory."""
    variable, ours = TRANSPORTS
    return [Figure(*named, peer=OTHER[1], peer_value=other) for named, other in zip(
        figures_of(values_with({variable: ours})), values_with({variable: OTHER[0]}), strict=True)]


def figures_of(values):
    """Return (name, value, unit, target) of each of the values."""
    median_time, longest, lost, share = values
    return [('round trip, median', median_time, 'us', None),
            ('round trip, 99 %', longest, 'us', None), ('messages lost', lost, '', 0.0),
            ('sender', share, '% of a core', None)]


def values_with(environment):
    """Return median and 99 % [us], messages lost and share of a core [%], of both processes."""
    times, share = run('benchmarks.round_trip_rclpy', environment)
    return (1e6 * median(times), 1e6 * quantiles(times, n=100)[98], COUNT - len(times),
            100.0 * share)


def run(module, environment):
    """Return (round-trip times [s], share of a core) of a sender and an echo of a module."""
    environment = {**os.environ, 'ROS_DOMAIN_ID': '97', **environment}
    command = [sys.executable, '-m', module]
    echo = subprocess.Popen([*command, 'echo'], env=environment)
    try:
        sender = subprocess.run([*command, str(COUNT), str(RATE)], env=environment, check=True,
                                text=True, stdout=subprocess.PIPE, timeout=60)
    finally:
        echo.send_signal(signal.SIGINT)
        echo.wait(10)
    *times, share = map(float, sender.stdout.split())
    return times, share
