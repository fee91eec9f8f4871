"""What the component of mb_realtime takes of a core at 1 kHz, and how late its estimates are."""

import os
from pathlib import Path
import signal
import subprocess
from tempfile import TemporaryDirectory
import time

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
import numpy as np

from benchmarks.figures import Figure
from benchmarks.realtime import DT, MACHINES, in_c, readings_near
from mb_bringup.endurance import busy_loops
from mb_estimators import make_filter
from mb_model import load_mechanism
from mb_sensors import sensors_of

PACKAGE, RATE = 'mb_realtime', 1000.0                   # [Hz]
SHARES = {'four_bar': 3.0, 'stewart': 10.0}             # most of a core [%]
MEDIAN, LATE = 100.0, 300.0                             # from reading to estimate [us]
START, END = 3.0, 2.0                                   # of the run, that do not count [s]


def measure(seconds=60.0, beside=0):
    """Return share of a core, median, p99 and losses of the component; none without mb_realtime.

    A process in C++ publishes readings and gets the estimates.  beside: how many busy loops run at
    the same time.  peer: predict and correct in C alone, in the same load.
    """
    try:
        programs = Path(get_package_prefix(PACKAGE)) / 'lib' / PACKAGE
    except PackageNotFoundError:
        print(f'realtime_component: skipped, the package {PACKAGE} is not installed')
        return []
    figures = []
    for machine, share in SHARES.items():
        name, sensors = MACHINES[machine]
        mechanism = load_mechanism(machine)
        filter_ = make_filter(name, mechanism, sensors_of(mechanism, sensors), DT)
        readings = readings_near(filter_, np.random.default_rng(0))
        with TemporaryDirectory() as folder, busy_loops(beside):
            own = Path(folder) / 'estimator'
            run = in_c(machine, name, sensors, own)
            alone = run(readings)
            used, sent, came, *times = measured(
                programs, own / 'build' / 'estimator_plugin.so', own / 'readings', seconds)
            alone = np.concatenate([alone, run(readings)])
        what = f'{machine}, {name}, component at {RATE:g} Hz,'
        figures += [
            Figure(f'{what} share of a core', used, '%', share, peer='filter alone',
                   peer_value=float(alone.mean() * RATE * 1e-4)),
            Figure(f'{what} reading to estimate, median', times[0], 'us', MEDIAN,
                   peer='filter alone', peer_value=float(np.median(alone))),
            Figure(f'{what} reading to estimate, p99', times[1], 'us', LATE, peer='filter alone',
                   peer_value=float(np.percentile(alone, 99.0))),
            Figure(f'{what} lost of {sent}', float(sent) - float(came), '', 0.0)]
    return figures


def measured(programs, plugin, readings, seconds):
    """Return the share of a core [%] and the numbers that `latency` prints; programs: folder."""
    component = subprocess.Popen(
        [programs / 'estimator', '--ros-args', '-p', f'library:={plugin}', '-p',
         'status_rate:=10.0'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        source = subprocess.Popen(
            [programs / 'latency', plugin, readings, str(RATE), str(seconds)],
            stdout=subprocess.PIPE, text=True)
        time.sleep(START)
        before, begin = processor_time(component.pid), time.monotonic()
        time.sleep(max(1.0, seconds - START - END))
        used = 100.0 * (processor_time(component.pid) - before) / (time.monotonic() - begin)
        said = source.communicate(timeout=seconds + 60.0)[0].split()
    finally:
        component.send_signal(signal.SIGINT)
        component.wait()
    if source.returncode:
        raise RuntimeError(f'{programs / "latency"} failed with exit code {source.returncode}')
    sent, came, median, late, _largest = map(float, said)
    return used, int(sent), int(came), median, late


def processor_time(pid):
    """Return what a process has used of processors, all its threads [s]."""
    fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
