"""From the truth of an instant to the word whether something touches, through all nodes at 1 kHz.

The launched robot with an IMU without delay: prototype, driver, estimator, detector and
monitor, as processes of their own or some in one, over DDS on one machine.  A latency begins when
the prototype publishes the state of an instant and ends when the detector publishes the first
judgement of it, by the time stamps that DDS gives both.  With a real-time priority, where it is to
be had, the scheduler lets all but the prototype go before everything else, as a machine's own
computer would.  Of several such runs the one is shown from which other machines on the same host
took least.  At a tenth of the speed, too: a machine that is too slow for the whole shows what the
way alone takes.  Beside it, three relays in a row: the same way through nodes without any work,
with nothing else on the machine.
"""

from itertools import product
from operator import itemgetter
import os

import numpy as np

from benchmarks.figures import Figure
from benchmarks.launched_run import launched
from benchmarks.relay_chain import chain_times
from mb_bringup.priority import check_priority

DURATIONS = {1.0: 16.0, 0.1: 4.0}       # simulated over wall time -> simulated [s]
PRIORITY = 40
ONE = 'driver, estimator and detector in one process'
WAYS = {f'{ONE}, with a real-time priority': {'composed': 'true', 'priority': PRIORITY},
        ONE: {'composed': 'true'},
        'driver in one process, estimator and detector in one': {'composed': 'two'},
        'five processes': {'composed': 'false'}}
DOMAIN = '95'
MOST = 3.0              # 99 % of the instants [ms]
RUNS = 3                # of what the target is for
RELAYS = 3              # driver, estimator, detector
PEER = f'{RELAYS} idle relays'
RELAYED = 10.0          # time for which they are measured [s]


def measure():
    """Return medians and 99th percentiles, the speed reached, and what was lost."""
    os.environ['ROS_DOMAIN_ID'] = DOMAIN
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
