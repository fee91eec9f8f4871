"""The pace that nodes keep, at the costs of embedded_ros and of rclpy on a ROS 2 Jazzy.

The demonstrations as they are launched, and the estimator at 1 kHz of `live_1khz`.  On a Jazzy a
wake of the executor and a message cost more than here: EMBEDDED_ROS_COSTS spends the difference
(embedded_ros/rclpy/impl/costs.py says what was measured there, and what is assumed).  Latencies are
from publishing a truth to publishing what comes of it; in `live_1khz` they end when another
process has the message.
"""

import os

import numpy as np

from benchmarks.figures import Figure
from benchmarks.launched_run import launched
from benchmarks.live_1khz import readings_and_run

COSTS = {'embedded_ros': '', 'a Jazzy': 'jazzy'}
SWITCH = 'EMBEDDED_ROS_COSTS'
SECONDS = 60.0          # of live_1khz
DOMAIN = '97'
SPEED = 0.99            # of real time, that is reached
LATENCIES = ((50, 1.5), (99, 8.0))      # of live_1khz: percentile, most [ms]
LONGEST_JUDGEMENT = 10.0        # of the robot, 99 % [ms]
LONGEST_ESTIMATE = 3.0          # of the four-bar linkage, median [ms]


def measure(seconds=SECONDS):
    """Return latencies, the speeds reached, and what was lost, with both costs."""
    os.environ['ROS_DOMAIN_ID'] = DOMAIN
    return [figure for name, costs in COSTS.items() for figure in with_costs(name, costs, seconds)]


def with_costs(name, costs, seconds):
    """Return the Figures at costs that have a name."""
    os.environ[SWITCH] = costs
    robot_stolen, robot = launched('parallel_robot_contact', record='true')
    linkage_stolen, linkage = launched(
        'three_simulation', record='true', composed='false')
    received, (published, _), (_, live_stolen) = readings_and_run(seconds)
    judged, estimated = (1e3 * np.array([report['timing'][key][part] for part in ('median', 'p99')])
                         for report, key in ((robot, 'added_latency'), (linkage, 'latency')))
    live = 1e3 * (received.arrivals['estimator/state'] - published)
    return [
        Figure(f'robot, costs of {name}: speed', robot['real_time_factor'], 'x real time', SPEED,
               at_least=True),
        Figure('  judged after its truth, median', judged[0], 'ms'),
        Figure('  judged after its truth, 99 %', judged[1], 'ms', LONGEST_JUDGEMENT),
        Figure('  messages lost', robot['messages_lost'], '', 0.0),
        Figure('  taken by other machines', 100.0 * robot_stolen, '% of the time'),
        Figure(f'four-bar linkage, costs of {name}: speed', linkage['real_time_factor'],
               'x real time', SPEED, at_least=True),
        Figure('  estimated after its truth, median', estimated[0], 'ms', LONGEST_ESTIMATE),
        Figure('  estimated after its truth, 99 %', estimated[1], 'ms'),
        Figure('  taken by other machines', 100.0 * linkage_stolen, '% of the time'),
        *(Figure(f'estimator at 1 kHz, costs of {name}, {percentile} %',
                 np.nanpercentile(live, percentile), 'ms', most) for percentile, most in LATENCIES),
        Figure('  estimates not received', np.isnan(live).sum(), '', 0.0),
        Figure('  taken by other machines', 100.0 * live_stolen, '% of the time')]
