"""Round trip of a JointState between two processes at 1 kHz: rclpy as it is here, beside plain DDS.

Measured on a real ROS 2 Jazzy with rclpy on both sides: 434 to 443 us, 41 to 46 % of a core.
"""

from importlib.util import find_spec
import os
import signal
from statistics import median, quantiles
import subprocess
import sys

from benchmarks.figures import Figure

COUNT, RATE = 3000, 1000.0
LOOPBACK = """
<CycloneDDS><Domain>
  <General>
    <Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces>
    <AllowMulticast>false</AllowMulticast>
  </General>
  <Discovery>
    <ParticipantIndex>auto</ParticipantIndex><Peers><Peer address="localhost"/></Peers>
  </Discovery>
</Domain></CycloneDDS>"""


def measure():
    """Return the round-trip times and what the sender takes of a core."""
    ours, share = run('benchmarks.round_trip_rclpy')
    figures = [Figure('round trip, median', 1e6 * median(ours), 'us'),
               Figure('round trip, 99 %', 1e6 * quantiles(ours, n=100)[98], 'us'),
               Figure('messages lost', COUNT - len(ours), '', 0.0),
               Figure('sender', 100.0 * share, '% of a core')]
    if find_spec('cyclonedds'):
        peer, share = run('benchmarks.round_trip_dds')
        values = (1e6 * median(peer), 1e6 * quantiles(peer, n=100)[98], COUNT - len(peer),
                  100.0 * share)
        for figure, figure.peer_value in zip(figures, values, strict=True):
            figure.peer = 'cyclonedds binding'
    return figures


def run(module):
    """Return (round-trip times [s], share of a core) of a sender and an echo of a module."""
    environment = {**os.environ, 'ROS_DOMAIN_ID': '97', 'CYCLONEDDS_URI': LOOPBACK}
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
