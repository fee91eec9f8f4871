"""What a long recording costs: import, estimate and comparison, in time and in memory."""

import os
from pathlib import Path
import sys
from tempfile import TemporaryDirectory
from time import monotonic

import numpy as np

from benchmarks.figures import Figure

RATE, SHORT = 100.0, 60.0       # [Hz]; of the shorter of two recordings [s]
ROWS, FASTER = 50_000, 50   # that are wanted: rows a second, times as fast as real time
COLUMNS = """
mechanism: four_bar
time: {column: time, unit: s}
sensors:
  crank_encoder: {column: angle, unit: deg}
  crank_gyro: {column: rate, unit: deg/s}
"""
COMMANDS = {
    'import_recording': ('mb_sensors', ['log.csv', '--columns', 'columns.yaml',
                                        '--output', 'run/bag']),
    'estimate_bag': ('mb_estimators', ['run/bag', '--estimator', 'error_ekf', '--output', 'out']),
    'compare': ('mb_evaluation', ['run/bag', '--estimators', 'error_ekf', '--processes', '1',
                                  '--output', 'compared'])}


def measure(seconds=900.0):
    """Return rows a second and bytes a row of each command, between two lengths of a recording.

    seconds: of the longer one.  Time is of the processor; what a start costs does not count.
    """
    figures = []
    with TemporaryDirectory() as folder:
        short, long = (_costs(Path(folder) / str(length), length) for length in (SHORT, seconds))
    rows = RATE * (seconds - SHORT)
    for name in COMMANDS:
        time, memory = (after - before for after, before in zip(
            long[name], short[name], strict=True))
        figures += [Figure(f'{name}: rows a second of processor time', rows / time, '1/s',
                           ROWS if name == 'import_recording' else None, at_least=True),
                    Figure(f'{name}: times as fast as real time at {RATE:g} Hz',
                           rows / time / RATE, '1',
                           FASTER if name == 'estimate_bag' else None, at_least=True),
                    Figure(f'{name}: memory a row', memory / rows, 'bytes'),
                    Figure(f'{name}: memory of {seconds:g} s', long[name][1] / 2 ** 20, 'MB')]
    return figures


def _costs(folder, length):
    """Return {command: (processor time [s], most memory [bytes])} on a recording of a length."""
    folder.mkdir()
    (folder / 'columns.yaml').write_text(COLUMNS, encoding='utf-8')
    t = np.arange(round(length * RATE)) / RATE
    noise = np.random.default_rng(1).normal(size=(2, len(t)))
    angle = 90.0 + np.degrees(0.8 * np.sin(0.7 * t) + 0.005 * noise[0])
    rate = np.degrees(0.56 * np.cos(0.7 * t) + 0.01 * noise[1])
    with (folder / 'log.csv').open('w', encoding='utf-8') as file:
        file.write('time,angle,rate\n')
        file.writelines(f'{one:.2f},{two:.4f},{three:.4f}\n'
                        for one, two, three in zip(t, angle, rate, strict=True))
    return {name: _cost(folder, package, name, words)
            for name, (package, words) in COMMANDS.items()}


def _cost(folder, package, name, words):
    begin = monotonic()
    process = os.posix_spawnp('env', [
        'env', '--chdir', str(folder), 'ros2', 'run', package, name, *words], os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, used = os.wait4(process, 0)
    if status:
        sys.exit(f'{name}: ended with {os.waitstatus_to_exitcode(status)} '
                 f'after {monotonic() - begin:.0f} s')
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
