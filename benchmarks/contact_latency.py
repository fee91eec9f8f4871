"""From the truth of an instant to the word whether something touches, through all nodes at 1 kHz.

The launched robot with an IMU without delay: prototype, driver, estimator, detector and
monitor, as processes of their own or some in one, over DDS on one machine.  A latency begins when
the prototype publishes the state of an instant, by the time stamp that DDS gives it, and ends when
the monitor takes the first judgement of that instant.  At a tenth of the speed, too: a machine that
is too slow for the whole shows what the way alone takes.  Beside it, three relays in a row: the
same way through nodes without any work, with nothing else on the machine.
"""

from itertools import product
import json
import os
from pathlib import Path
import subprocess
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.figures import Figure
from benchmarks.relay_chain import chain_times

DURATION = 4.0          # simulated [s]; the robot meets an obstacle meanwhile
SPEEDS = (1.0, 0.1)     # simulated over wall time
COMPOSED = {'true': 'driver, estimator and detector in one process',
            'two': 'driver in one process, estimator and detector in one',
            'false': 'five processes'}
DOMAIN = '95'
MOST = 3.0              # 99 % of the instants [ms]
RELAYS = 3              # driver, estimator, detector
PEER = f'{RELAYS} idle relays'
RELAYED = 10.0          # time for which they are measured [s]


def measure():
    """Return medians and 99th percentiles, the speed reached, and what was lost."""
    os.environ['ROS_DOMAIN_ID'] = DOMAIN
    idle = 1e3 * np.percentile(chain_times(RELAYS, RELAYED), (50, 99))
    figures = []
    for speed, composed in product(SPEEDS, COMPOSED):
        report = launched(speed, composed)
        times = report['timing']['added_latency'] or dict.fromkeys(('median', 'p99'), float('nan'))
        label = f'{COMPOSED[composed]}, {speed:g} x real time'
        target = MOST if speed == 1.0 and composed == 'true' else None
        figures += [
            Figure(f'{label}: median', 1e3 * times['median'], 'ms', peer=PEER, peer_value=idle[0]),
            Figure(f'{label}: 99 %', 1e3 * times['p99'], 'ms', target, peer=PEER,
                   peer_value=idle[1]),
            Figure(f'{label}: speed reached', report['real_time_factor'], 'x real time'),
            Figure(f'{label}: messages lost', report['messages_lost'], 'of them')]
    return figures


def launched(speed, composed):
    """Return the report of a run."""
    with TemporaryDirectory() as folder:
        subprocess.run(
            ['ros2', 'launch', 'mb_bringup', 'parallel_robot_contact.launch.py', 'imu:=ideal',
             'record:=false', 'reaction:=none', f'duration:={DURATION}', f'composed:={composed}',
             f'real_time_factor:={speed}', f'results:={folder}'],
            check=True, stdout=subprocess.DEVNULL)
        return json.loads((Path(folder) / 'latest' / 'report.json').read_text())
