"""What an estimator costs live on machines in space, of a core, where it can be seen what costs.

The launch of three simulations with the truth at 1 kHz and a process for each node: processor time
of the estimator's process, all its threads, per simulated second, from the first to the last of its
status messages.  Beside it the library alone in this process: the stream (order of readings,
filter, watches) with the same filter, given readings at rest one after the other.  What the
launched process takes more is the node and the middleware: wakes, messages that come and go; also
that caches are cold after each wake, and that others use them.

The last run of each machine is with a wake_interval, of so many instants: less processor time for
estimates that come later.  How much later is its median time from the truth to the estimate.
"""

import json
import os
from pathlib import Path
import subprocess
from tempfile import TemporaryDirectory
import time

import numpy as np
import rclpy

from benchmarks.figures import Figure
from benchmarks.launched_run import stolen_time
from mb_bringup.arguments import config_files
from mb_bringup.endurance import launched
from mb_estimators import EstimateStream, StreamSettings, make_filter
from mb_interfaces.msg import EstimatorStatus
from mb_model import load_mechanism
from mb_model.file_api import read_parameters
from mb_ros.process_tree import descendants, processor_time, words
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds
from mb_sensors import sensors_of, true_values

MACHINES = {'stewart': 0.005, 'excavator': 0.02}      # and a wake_interval of five instants [s]
FILTER = 'error_ekf'
DURATION = 10           # simulated [s]
SECONDS = 3.0           # of readings at rest
TARGET = 30.0           # of a core [%]
PATIENCE = 120.0        # for the estimator to start [s]


def measure():
    """Return the Figures of all MACHINES."""
    return [figure for name, interval in MACHINES.items() for figure in (
        *launched_figures(name, 0.0), *alone(name), *launched_figures(name, interval))]


def launched_figures(name, interval):
    """Return what the process of the estimator takes in a launched run with a wake_interval [s]."""
    rclpy.init()
    node, seen = rclpy.create_node('processor_time'), []
    with TemporaryDirectory() as folder:
        config = Path(folder) / 'waking.yaml'
        config.write_text(f'estimator: {{ros__parameters: {{wake_interval: {interval}}}}}')
        own = config_files(load_mechanism(name), '')
        begin, before = time.monotonic(), stolen_time()
        with launched('three_simulation.launch.py', {
                'mechanism': name, 'duration': DURATION, 'publish_rate': 1000, 'composed': 'false',
                'strict': 'false', 'record': 'false', 'results': f'{folder}/results',
                'config': ','.join([*own, str(config)])}, subprocess.DEVNULL) as launch:
            process = estimator_of(launch.pid)
            node.create_subscription(
                EstimatorStatus, 'estimator/status', lambda message: seen.append((
                    nanoseconds(message.header.stamp) * 1e-9, processor_time(process))),
                STREAM_QOS)
            while launch.poll() is None and not (
                    seen and seen[-1][0] - seen[0][0] > DURATION - 0.05):
                rclpy.spin_once(node, timeout_sec=0.1)
            stolen = (stolen_time() - before) / (time.monotonic() - begin)
            launch.wait()
        report = json.loads((Path(folder) / 'results' / 'latest' / 'report.json').read_text())
    node.destroy_node()
    rclpy.shutdown()
    (first, cpu), (last, cpu_at_end) = seen[0], seen[-1]
    waking = f', wake_interval {interval:g} s' if interval else ''
    return [Figure(f'{name}: estimator, launched{waking}',
                   100.0 * (cpu_at_end - cpu) / (last - first), '% of a core', TARGET),
            Figure('  from the truth to its estimate',
                   1e3 * report['timing']['latency']['median'], 'ms'),
            Figure('  taken by other machines', 100.0 * stolen, '% of the time'),
            Figure('  load of this machine at the end', os.getloadavg()[0], 'processes')]


def estimator_of(launch):
    """Return the process id of the estimator below the process of a launch."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for process in descendants(launch):
            if any(Path(word).parts[-2:] == ('mb_estimators', 'estimator')
                   for word in words(process)[:3]):
                return process
        time.sleep(0.1)
    raise TimeoutError('the launch has started no estimator')


def alone(name):
    """Return what the stream of the library takes."""
    mechanism = load_mechanism(name)
    sensors, given = sensors_of(mechanism, ['encoders']), parameters(mechanism)
    estimator = make_filter(FILTER, mechanism, sensors, given['dt'],
                            acceleration_psd=given['filter.acceleration_psd'])
    stream = EstimateStream(estimator, sensors, (mechanism.z0, mechanism.zd0),
                            StreamSettings(dt=given['dt']))
    rate, used = sensors[0].rate, 0
    sent = list(readings(mechanism, sensors, rate))
    begin = time.process_time()
    for stamp, values in sent:
        used += len(stream.add_all(stamp, values))
    taken = (time.process_time() - begin) / used
    return [Figure('  stream of the library alone', 100.0 * rate * taken, '% of a core',
                   peer='an instant [us]', peer_value=1e6 * taken)]


def parameters(mechanism):
    """Return the parameters of the estimator by the configuration of a machine."""
    return {'dt': StreamSettings.defaults()['dt'],
            **read_parameters(config_files(mechanism, ''), 'estimator')}


def readings(mechanism, sensors, rate):
    """Yield (stamp [ns], [(sensor, values)]) of each instant, noisy readings at rest."""
    random, rest = np.random.default_rng(0), np.zeros((1, mechanism.n))
    true = {sensor.name: true_values(mechanism, sensor, mechanism.q0[np.newaxis], rest, rest)[0]
            for sensor in sensors}
    for k in range(round(SECONDS * rate)):
        yield round((1.0 + k / rate) * 1e9), [
            (sensor.name, (true[sensor.name] + sensor.settings.sigma * random.standard_normal(
                len(sensor.channels))).tolist()) for sensor in sensors]
