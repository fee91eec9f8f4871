"""What a step costs in an exported C library, beside the same filter called from Python."""

from pathlib import Path
import subprocess
import sys
from tempfile import TemporaryDirectory
from time import perf_counter_ns

import numpy as np

from benchmarks.figures import Figure
from mb_bringup.endurance import busy_loops
from mb_estimators import make_filter
from mb_model import load_mechanism
from mb_sensors import sensors_of

DT, INSTANTS, PASSES = 1e-3, 200, 50
MACHINES = {        # filter and sensors
    'four_bar': ('error_ekf_fe', ['crank_encoder']), 'stewart': ('error_ekf', ['encoders']),
    'excavator': ('hydraulic_ekf', ['encoders', 'pressures'])}
LOOP = Path(__file__).with_name('realtime_loop.c')


def measure(beside=0):
    """Return the median and p99 of predict and correct in C [us], peer: the same from Python.

    beside: how many busy loops run at the same time.  Both take the same readings in turn.
    """
    figures = []
    for machine, (name, sensors) in MACHINES.items():
        mechanism = load_mechanism(machine)
        filter_ = make_filter(name, mechanism, sensors_of(mechanism, sensors), DT)
        with TemporaryDirectory() as folder:
            run = in_c(machine, name, sensors, Path(folder) / 'estimator')
            readings = readings_near(filter_, np.random.default_rng(0))
            with busy_loops(beside):
                parts = [(run(readings), in_python(filter_, mechanism, readings))
                         for _ in range(5)]
        ours, peers = (np.concatenate(one) for one in zip(*parts, strict=True))
        for what, share in (('median', 50.0), ('p99', 99.0)):
            figures.append(Figure(
                f'{machine}, {name}, {what} of predict and correct in C',
                np.percentile(ours, share), 'us', np.percentile(peers, share),
                peer='called from Python', peer_value=np.percentile(peers, share)))
    return figures


def readings_near(filter_, random):
    """Return readings (k, channels) about what the sensors read at the start, with their noise."""
    count = sum(len(sensor.channels) for sensor in filter_.sensors)
    fit, start = filter_.correct(np.zeros(count)), np.zeros(count)
    start[fit.channels] = -fit.residual
    sigma = np.concatenate([np.broadcast_to(np.sqrt(sensor.settings.variance),
                                            len(sensor.channels)) for sensor in filter_.sensors])
    return start + sigma * random.normal(size=(INSTANTS, count))


def in_c(machine, name, sensors, folder):
    """Export a filter and build it; return a function that returns times [us] with readings."""
    built = folder / 'build'
    for command in ([sys.executable, '-m', 'mb_estimators.commands.export', machine, '--sensors',
                     *sensors, '--estimator', name, '--dt', str(DT), '--output', folder],
                    ['cmake', '-S', folder, '-B', built, '-DCMAKE_BUILD_TYPE=Release'],
                    ['cmake', '--build', built],
                    ['cc', '-O2', f'-I{folder}', '-o', built / 'loop', LOOP, '-ldl']):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def run(readings):
        (folder / 'readings').write_bytes(readings.tobytes())
        said = subprocess.run(
            [built / 'loop', built / 'estimator_plugin.so', folder / 'readings', str(DT),
             str(INSTANTS), str(PASSES)], check=True, stdout=subprocess.PIPE, text=True)
        return np.array(said.stdout.split(), float) / 1e3
    return run


def in_python(filter_, mechanism, readings):
    """Return times [us] of predict and correct with readings, from the start again and again."""
    times = []
    for _ in range(PASSES):
        filter_.reset(mechanism.z0, mechanism.zd0)
        for row in readings:
            begin = perf_counter_ns()
            filter_.predict(DT)
            filter_.correct(row)
            times.append(perf_counter_ns() - begin)
    return np.array(times) / 1e3
