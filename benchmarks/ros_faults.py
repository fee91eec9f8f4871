"""Launched runs with faults: how soon they go on, how accurate they are, whether all is counted.

Kept nodes are killed and come back, and so are the processes that keep them; emulated devices are
unplugged (their process is killed, and is there again); a tenth of the readings each is dropped,
doubled, reordered, corrupted.
"""

from contextlib import contextmanager
import os
import signal
from statistics import median
from tempfile import TemporaryDirectory, TemporaryFile

import numpy as np
import rclpy

from benchmarks.figures import Figure
from mb_bringup.endurance import launched
from mb_bringup.nodes.run_listener import RunListener
from mb_ros.process_tree import keeper_of, life_of, template_of

DURATION = 20.0         # simulated [s]
LONG = 300.0            # of a run that is ended when the last node is back [s]
PATIENCE = 120.0        # [s]
SETTLED = 3.0           # stamp from which on errors count [s]
KILLS = 4.0, 8.0, 12.0  # stamps [s]
ON_THE_WAY = 0.05       # what estimates may be ahead of the monitor [s]
SOON = 1.0              # [s]
SOON_FROM_NOTHING = 2.0     # when everything has to be imported [s]
ESTIMATOR = 'mb_estimators/estimator'


def measure():
    """Return times of recovery, errors and counts."""
    calm, _ = errors_and_counts(disturbed=0.0)
    found = []
    for what, find, program, wanted, options in (
            ('', life_of, ESTIMATOR, SOON, {}),
            ('', life_of, 'mb_sensors/sensor_driver', SOON, {}),
            ('', life_of, 'mb_sensors/emulate', SOON, {'sources': 'emulated'}),
            ('template of ', template_of, ESTIMATOR, SOON_FROM_NOTHING, {}),
            ('keep of ', keeper_of, ESTIMATOR, SOON_FROM_NOTHING, {})):
        times = recoveries(find, program, options)
        name = f'{what}{program} killed, estimates again after'
        found += [Figure(f'{name}: median', median(times), 's', wanted),
                  Figure(f'{name}: largest', max(times), 's')]
    disturbed, counts = errors_and_counts(disturbed=0.1)
    return [*found,
            Figure('RMSE with 10 % of all faults', disturbed, 'rad',
                   peer='without', peer_value=calm),
            *(Figure(f'with them: readings {name}', count, '')
              for name, count in counts.items() if name != 'unaccounted for'),
            Figure('with them: readings unaccounted for', counts['unaccounted for'], '', 0.0)]


@contextmanager
def listened(**arguments):
    """Give (process, RunListener) of a launched run."""
    arguments = {'record': 'false', 'composed': 'false', 'duration': DURATION, **arguments}
    rclpy.init()
    node = rclpy.create_node('listener')
    try:
        with (TemporaryDirectory() as folder, TemporaryFile('w+') as output,
              launched('three_simulation.launch.py', {**arguments, 'results': folder},
                       output) as process):
            yield process, RunListener(node)
    finally:
        node.destroy_node()
        rclpy.shutdown()


def recoveries(find, program, options):
    """Return the times from kills until estimates of later instants come [s].

    find(program, launch): the process of a node that is killed.
    """
    times = []
    with listened(respawn='true', duration=LONG, **options) as (process, listener):
        for when in KILLS:
            listener.until(lambda when=when: max(listener.estimates) > when, PATIENCE)
            os.kill(find(program, process.pid), signal.SIGKILL)
            later = max(listener.truth) + ON_THE_WAY
            times.append(listener.until(
                lambda later=later: max(listener.estimates) > later, PATIENCE))
    return times


def errors_and_counts(disturbed):
    """Return the RMSE of a run with a share of disturbed readings, and what became of these."""
    with listened(disturbed=disturbed) as (process, listener):
        listener.until(lambda: max(listener.estimates) > DURATION, PATIENCE)
        error = np.sqrt(np.mean(listener.errors(SETTLED) ** 2))
        if not disturbed:
            return error, {}
        listener.until(lambda: process.poll() is not None or is_counted(listener), PATIENCE)
    line, counted = (whole_numbers(listener.values[f'/{name}'])
                     for name in ('disturber', 'estimator'))
    counts = {what: counted[f'readings {what}'] for what in ('used', 'rejected', 'late')}
    sent = line['crank_encoder passed on'] - line['refused by the middleware']
    return error, {'sent': sent, **counts, 'unaccounted for': sent - sum(counts.values())}


def is_counted(listener):
    """Return whether the disturber holds nothing back and the estimator has received all."""
    if not {'/disturber', '/estimator'} <= listener.values.keys():
        return False
    line, counted = (whole_numbers(listener.values[name]) for name in ('/disturber', '/estimator'))
    sent = line['crank_encoder passed on'] - line['refused by the middleware']
    return line['crank_encoder received'] > 200.0 * DURATION and sent == sum(
        counted[f'readings {what}'] for what in ('used', 'rejected', 'late'))


def whole_numbers(values):
    """Return the values of diagnostics that are whole numbers."""
    return {key: int(text) for key, text in values.items() if text.isdecimal()}
