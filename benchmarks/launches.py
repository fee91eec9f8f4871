"""Launches as users launch them: the first estimate, latencies, the pace that nodes keep."""

from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from operator import itemgetter
import os
import subprocess
from tempfile import TemporaryDirectory
import time

import numpy as np
import rclpy

from benchmarks.figures import Figure
from benchmarks.launched_run import launched
from benchmarks.live_1khz import readings_and_run
from benchmarks.relay_chain import chain_times
from mb_bringup.described import TRANSPORTS
from mb_bringup.endurance import launched as under_way
from mb_bringup.priority import check_priority
from mb_interfaces.msg import MechanismState
from mb_ros.qos import STREAM_QOS

LAUNCHES = (('three_simulation', 'false'), ('three_simulation', 'true'),
            ('parallel_robot_contact', 'true'))     # launch file, whether it is recorded
COUNT = 5
TARGET = 3.0            # [s]
PATIENCE = 120.0        # [s]


def measure_first_estimate():
    """Return the median and the longest time of each launch.

    How long after `ros2 launch` the first estimate comes, of demonstrations.

    A node of this process listens, discovered like any other.  Before it the run waits for its
    monitor and, where it is recorded, for its recorder.  Five launches each, after one that
    fills caches.
    """
    found = []
    for launch, record in LAUNCHES:
        times = [first_estimate(launch, record) for _ in range(COUNT + 1)][1:]
        found += [Figure(f'{launch} record:={record}: median', np.median(times), 's', TARGET),
                  Figure('  longest', max(times), 's')]
    return found


def first_estimate(launch_file, record):
    """Launch, wait for an estimate, interrupt; return the time until then [s]."""
    rclpy.init()
    node, seen = rclpy.create_node('onlooker'), []
    node.create_subscription(MechanismState, 'estimator/state',
                             lambda message: seen.append(time.monotonic()), STREAM_QOS)
    begin = time.monotonic()
    with TemporaryDirectory() as folder, under_way(
            f'{launch_file}.launch.py', {'record': record, 'results': f'{folder}/results'},
            subprocess.DEVNULL):
        while not seen and time.monotonic() < begin + PATIENCE:
            rclpy.spin_once(node, timeout_sec=0.1)
    node.destroy_node()
    rclpy.shutdown()
    if not seen:
        raise TimeoutError(f'{launch_file}: no estimate came')
    return seen[0] - begin


DURATIONS = {1.0: 16.0, 0.1: 4.0}       # simulated over wall time -> simulated [s]
PRIORITY = 40
IN_ONE = 'driver, estimator and detector in one process'
WAYS = {f'{IN_ONE}, with a real-time priority': {'composed': 'true', 'priority': PRIORITY},
        IN_ONE: {'composed': 'true'},
        'driver in one process, estimator and detector in one': {'composed': 'two'},
        'five processes': {'composed': 'false'}}
MOST = 3.0              # 99 % of the instants [ms]
RUNS = 3                # of what the target is for
RELAYS = 3              # driver, estimator, detector
PEER = f'{RELAYS} idle relays'
RELAYED = 10.0          # time for which they are measured [s]


def measure_contact_latency():
    """Return medians and 99th percentiles, the speed reached, and what was lost.

    From the truth of an instant to the word whether something touches, through all nodes at 1
    kHz.

    The launched robot with an IMU without delay: prototype, driver, estimator, detector and
    monitor, as processes of their own or some in one, over DDS on one machine.  A latency
    begins when the prototype publishes the state of an instant and ends when the detector
    publishes the first judgement of it, by the time stamps that DDS gives both.  With a
    real-time priority, where it is to be had, the scheduler lets all but the prototype go
    before everything else, as a machine's own computer would.  Of several such runs the one is
    shown from which other machines on the same host took least.  At a tenth of the speed, too:
    a machine that is too slow for the whole shows what the way alone takes.  Beside it, three
    relays in a row: the same way through nodes without any work, with nothing else on the
    machine.
    """
    idle = 1e3 * np.percentile(chain_times(RELAYS, RELAYED), (50, 99))
    ways, figures = possible_ways(), []
    for speed, way in product(DURATIONS, ways):
        wanted = speed == 1.0 and way == next(iter(ways))
        stolen, report = min((of_robot(speed, **ways[way]) for _ in range(RUNS if wanted else 1)),
                             key=itemgetter(0))
        times = report['timing']['added_latency'] or dict.fromkeys(('median', 'p99'), float('nan'))
        label = f'{way}, {speed:g} x real time'
        figures += [
            Figure(f'{label}: median', 1e3 * times['median'], 'ms', peer=PEER, peer_value=idle[0]),
            Figure(f'{label}: 99 %', 1e3 * times['p99'], 'ms', MOST if wanted else None, peer=PEER,
                   peer_value=idle[1]),
            Figure(f'{label}: speed reached', report['real_time_factor'], 'x real time'),
            Figure(f'{label}: taken by other machines', 100 * stolen, '% of the time'),
            Figure(f'{label}: messages lost', report['messages_lost'], 'of them')]
    return figures


def possible_ways():
    """Return the WAYS that this machine allows; the first one is what the target is for."""
    try:
        check_priority(PRIORITY)
    except ValueError as error:
        print(error)
        return {way: given for way, given in WAYS.items() if 'priority' not in given}
    return WAYS


def of_robot(speed, **given):
    """Return the share of the time that was stolen, and the report of a run.

    given: arguments of the launch file.
    """
    return launched('parallel_robot_contact', imu='ideal', reaction='none',
                    duration=DURATIONS[speed], real_time_factor=speed, **given)


KINDS = {'UDP': {}, 'shared memory': {TRANSPORTS[0]: 'DEFAULT', 'ROS_STATIC_PEERS': '127.0.0.1'}}
SECONDS = 60.0          # of live_1khz
SPEED = 0.99            # of real time, that is reached
LATENCIES = ((50, 1.5), (99, 4.0))      # of live_1khz: percentile, most [ms]
LONGEST_JUDGEMENT = 15.0        # of the robot, 99 % [ms]
LONGEST_ESTIMATE = 3.0          # of the four-bar linkage, median [ms]


def measure_ros_pace(seconds=SECONDS):
    """Return latencies, the speeds reached, and what was lost, with both transports.

    The pace that nodes keep: demonstrations as they are launched, and an estimator at 1 kHz.

    With each transport of Fast DDS: UDP, which is chosen, and shared memory, which rmw_fastrtps
    adds where there are static peers.  Latencies are from publishing a truth to publishing what
    comes of it; in `live_1khz` they end when another process has the message.
    """
    found = []
    for name, variables in KINDS.items():
        os.environ |= variables
        # In a process of its own: Python's start reads the variables.
        with ProcessPoolExecutor(1, get_context('spawn')) as pool:
            found += pool.submit(by_transport, name, seconds).result()
    return found


def by_transport(name, seconds):
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
