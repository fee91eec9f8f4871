"""An encoder and an IMU at 1 kHz each into the estimator node: latency, loss and memory.

    python -m benchmarks live_1khz --seconds 60 --beside 2      with two busy loops beside it

Sensors, estimator and a relay are processes of their own; the relay takes the same readings and
publishes a message of the same size for each pair of them, without any work: what rclpy alone
takes here.  Latency is from publishing the first reading of an instant until its estimate is there
as a message.  Every reading is accounted for: by the counters of the estimator, and by the stamps
of its estimates.
"""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
import signal
import subprocess
import sys
from tempfile import TemporaryDirectory
import time

from diagnostic_msgs.msg import DiagnosticArray
import numpy as np
import rclpy

from benchmarks.figures import Figure
from benchmarks.launched_run import stolen_time
from benchmarks.live_1khz_nodes import ENCODER, GYRO, MECHANISM, RELAYED, START, STEP
from mb_bringup.endurance import busy_loops
from mb_estimators import Experiment
from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism
from mb_ros.draining_executor import DrainingExecutor
from mb_ros.process_tree import memory, processor_time
from mb_ros.qos import STREAM_QOS, deep
from mb_ros.stamps import nanoseconds

SECONDS = 300.0
WARM = 30.0             # time after which memory is to stay as it is [s]
PATIENCE = 60.0         # for a process to start or to end [s]
COUNTERS = ('used', 'rejected', 'late', 'missing')
LATENCIES = ((50, 1.0), (99, 5.0), (99.9, None))        # percentile, target [ms]
LARGEST_GROWTH = 5.0    # [MB]


@dataclass
class Received:
    """What the listener noted: arrivals (k) [s] by topic, counters, and resident memory [MB]."""

    arrivals: dict
    counters: dict = field(default_factory=dict)
    strangers: int = 0                              # estimates of stamps that nobody sent
    memory: list = field(default_factory=list)      # (time [s], size [MB])


def measure(seconds=SECONDS, beside=0):
    """Return latencies beside the relay's, losses, and the growth of memory.

    beside: how many busy loops run at the same time.
    """
    with busy_loops(beside):
        received, times, shares = readings_and_run(seconds)
    return figures(received, *times, *shares, in_time=not beside)


def readings_and_run(seconds):
    """Return what `run` does with noisy readings."""
    with TemporaryDirectory() as folder:
        sent = readings(seconds)
        np.save(Path(folder) / 'readings.npy', sent)
        return run(folder, len(sent))


def readings(seconds):
    """Return noisy angles and rates (k, 2) of a crank that moves freely."""
    mechanism = load_mechanism(MECHANISM).replace(
        sensors={name: {'rate': 1e9 / STEP} for name in (ENCODER, GYRO)})
    return Experiment(mechanism, [ENCODER, GYRO], {}, seconds, STEP * 1e-9).readings(seed=0)


def run(folder, count):
    """Return (Received, (times of publishing, times due), shares of the time).

    These: in which the estimator had a core, and in which other machines had ours.
    """
    sensors = ['-m', 'benchmarks.live_1khz_nodes', 'sensors', f'{folder}/readings.npy',
               f'{folder}/times.npy']
    estimator = start('-c', 'from mb_estimators.nodes.estimator import main; main()',
                      '--ros-args', *parameters())
    relay = start('-m', 'benchmarks.live_1khz_nodes', 'relay')
    try:
        rclpy.init()
        node = rclpy.create_node('listener')
        executor = DrainingExecutor()
        executor.add_node(node)
        received = listen(node, count, estimator)
        sender = start(*sensors)
        cpu, stolen, begin = processor_time(estimator.pid), stolen_time(), time.monotonic()
        while sender.poll() is None:
            executor.spin_once(timeout_sec=0.1)
        shares = np.array([processor_time(estimator.pid) - cpu,
                           stolen_time() - stolen]) / (time.monotonic() - begin)
        if sender.returncode:
            raise RuntimeError('the sensors have failed')
        settle(executor, received, 2 * count)
        executor.shutdown()
        node.destroy_node()
        rclpy.shutdown()
    finally:
        for process in (estimator, relay):
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
    return received, np.load(f'{folder}/times.npy').T, shares


def start(*words):
    """Start Python as a process."""
    return subprocess.Popen([sys.executable, *words])


def parameters():
    """Return the arguments of the estimator."""
    given = {'mechanism': MECHANISM, 'sensors': f'[{ENCODER}, {GYRO}]', 'dt': STEP * 1e-9,
             'start_time': START * 1e-9, f'{ENCODER}.rate': 1e9 / STEP, f'{GYRO}.rate': 1e9 / STEP}
    return [word for key, value in given.items() for word in ('-p', f'{key}:={value}')]


def listen(node, count, estimator):
    """Note states of estimator and relay, what the estimator counts, and its memory."""
    received = Received({topic: np.full(count, np.nan) for topic in ('estimator/state', RELAYED)})

    def on_state(arrivals, message):
        now = time.monotonic()
        place, rest = divmod(nanoseconds(message.header.stamp) - START, STEP)
        if rest == 0 and 0 <= place < count:
            arrivals[place] = now
        else:
            received.strangers += 1

    def on_diagnostics(message):
        for status in message.status:
            counts = {item.key.removeprefix('readings '): item.value for item in status.values
                      if item.key.startswith('readings ')}
            received.counters |= {name: int(counts[name]) for name in COUNTERS if name in counts}

    for topic, arrivals in received.arrivals.items():
        node.create_subscription(MechanismState, topic, partial(on_state, arrivals),
                                 deep(STREAM_QOS))
    node.create_subscription(DiagnosticArray, '/diagnostics', on_diagnostics, 10)
    node.create_timer(
        1.0, lambda: received.memory.append((time.monotonic(), memory(estimator.pid))))
    return received


def settle(executor, received, count):
    """Wait until the estimator has counted all readings, or counts no more."""
    before, end = None, 0.0
    while sum(received.counters.get(name, 0) for name in COUNTERS[:3]) < count:
        if received.counters != before:
            before, end = dict(received.counters), time.monotonic() + 5.0
        if time.monotonic() > end:
            return
        executor.spin_once(timeout_sec=0.1)


def figures(received, published, due, share, stolen, in_time=True):
    """Return the Figures of a run; in_time: whether latencies have targets."""
    count = len(published)
    ours, yardstick = (1e3 * (received.arrivals[topic] - published)
                       for topic in ('estimator/state', RELAYED))
    found = []
    for percentile, target in LATENCIES:
        values = [float(np.nanpercentile(latency, percentile)) for latency in (ours, yardstick)]
        found.append(Figure(f'estimate, {percentile:g} %', values[0], 'ms',
                            target if in_time else None,
                            peer='relay', peer_value=values[1]))
    counts = {name: received.counters.get(name, 0) for name in COUNTERS}
    unaccounted = 2 * count - sum(counts[name] for name in COUNTERS[:3])
    found += [
        Figure(f'readings not used, of {2 * count}', 2 * count - counts['used'], '', 0.0),
        Figure('of these rejected', counts['rejected'], '', 0.0),
        Figure('of these too late', counts['late'], '', 0.0),
        Figure('of these unaccounted for', unaccounted, '', 0.0),
        Figure('missing by their stamps', counts['missing'], '', 0.0),
        Figure(f'estimates not received, of {count}', np.isnan(ours).sum(), '', 0.0,
               peer='relay', peer_value=float(np.isnan(yardstick).sum())),
        Figure('estimates of other stamps', received.strangers, '', 0.0),
        Figure('growth of memory once warm', growth(received.memory, published[0]), 'MB',
               LARGEST_GROWTH),
        Figure('estimator', 100.0 * share, '% of a core'),
        Figure('taken by other machines', 100.0 * stolen, '% of the time'),
        Figure('sensors late, 99 %', 1e3 * np.percentile(published - due, 99), 'ms')]
    return found


def growth(sizes, begin):
    """Return by how much memory [MB] has grown since it was warm.

    Warm is after WARM, of a short run after a third.  sizes: pairs of time and size.
    """
    t, size = np.array(sizes).T
    warm = t >= begin + min(WARM, (t[-1] - begin) / 3.0)
    return float(size[warm].max() - size[warm][0])
