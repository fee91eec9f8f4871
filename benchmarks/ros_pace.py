"""The pace that nodes keep: demonstrations as they are launched, and an estimator at 1 kHz.

With each transport of Fast DDS: UDP, which is chosen, and shared memory, which rmw_fastrtps adds
where there are static peers.  Latencies are from publishing a truth to publishing what comes
of it; in `live_1khz` they end when another process has the message.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import os

import numpy as np

from benchmarks.figures import Figure
from benchmarks.launched_run import launched
from benchmarks.live_1khz import readings_and_run
from mb_bringup.described import TRANSPORTS

KINDS = {'UDP': {}, 'shared memory': {TRANSPORTS[0]: 'DEFAULT', 'ROS_STATIC_PEERS': '127.0.0.1'}}
SECONDS = 60.0          # of live_1khz
DOMAIN = '97'
SPEED = 0.99            # of real time, that is reached
LATENCIES = ((50, 1.5), (99, 4.0))      # of live_1khz: percentile, most [ms]
LONGEST_JUDGEMENT = 15.0        # of the robot, 99 % [ms]
LONGEST_ESTIMATE = 3.0          # of the four-bar linkage, median [ms]


def measure(seconds=SECONDS):
    """Return latencies, the speeds reached, and what was lost, with both transports."""
    os.environ['ROS_DOMAIN_ID'] = DOMAIN
    found = []
    for name, variables in KINDS.items():
        os.environ |= variables
        # In a process of its own: Python's start reads the variables.
        with ProcessPoolExecutor(1, get_context('spawn')) as pool:
            found += pool.submit(by, name, seconds).result()
    return found


def by(name, seconds):
    """Return the Figures by the transport that this process has, by its name."""
    robot_stolen, robot = launched('parallel_robot_contact', record='true')
    linkage_stolen, linkage = launched(
        'three_simulation', record='true', composed='false')
    received, (published, _), (_, live_stolen) = readings_and_run(seconds)
    judged, estimated = (1e3 * np.array([report['timing'][key][part] for part in ('median', 'p99')])
                         for report, key in ((robot, 'added_latency'), (linkage, 'latency')))
    live = 1e3 * (received.arrivals['estimator/state'] - published)
    return [
        Figure(f'robot, by {name}: speed', robot['real_time_factor'], 'x real time', SPEED,
               at_least=True),
        Figure('  judged after its truth, median', judged[0], 'ms'),
        Figure('  judged after its truth, 99 %', judged[1], 'ms', LONGEST_JUDGEMENT),
        Figure('  messages lost', robot['messages_lost'], '', 0.0),
        Figure('  taken by other machines', 100.0 * robot_stolen, '% of the time'),
        Figure(f'four-bar linkage, by {name}: speed', linkage['real_time_factor'],
               'x real time', SPEED, at_least=True),
        Figure('  estimated after its truth, median', estimated[0], 'ms', LONGEST_ESTIMATE),
        Figure('  estimated after its truth, 99 %', estimated[1], 'ms'),
        Figure('  taken by other machines', 100.0 * linkage_stolen, '% of the time'),
        *(Figure(f'estimator at 1 kHz, by {name}, {percentile} %',
                 np.nanpercentile(live, percentile), 'ms', most) for percentile, most in LATENCIES),
        Figure('  estimates not received', np.isnan(live).sum(), '', 0.0),
        Figure('  taken by other machines', 100.0 * live_stolen, '% of the time')]
