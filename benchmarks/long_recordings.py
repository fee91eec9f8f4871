"""What a long recording costs: import, estimate and comparison, in time and in memory."""

import os
from pathlib import Path
import sys
from tempfile import TemporaryDirectory
from time import monotonic

import numpy as np

from benchmarks.figures import Figure
from mb_model import load_mechanism

RATE, SHORT = 100.0, 60.0       # [Hz]; of the shorter of two recordings [s]
LONGER = 4      # times as long is the recording that is imported alone, which is fast
ROWS, FASTER = 50_000, {'four_bar': 50, 'stewart': 20}  # wanted: rows a second; times real time
LEGS = [f'encoder{k}' for k in range(1, 7)]
COLUMNS = {'four_bar': """
mechanism: four_bar
time: {column: time, unit: s}
sensors:
  crank_encoder: {column: a, unit: deg}
  crank_gyro: {column: b, unit: deg/s}
""", 'stewart': """
mechanism: stewart
time: {column: time, unit: s}
sensors:
""" + ''.join(f'  {leg}: {{column: {column}, unit: m}}\n'
              for leg, column in zip(LEGS, 'abcdef', strict=True))}
IMPORT = {'import_recording': ('mb_sensors', ['log.csv', '--columns', 'columns.yaml',
                                              '--output', 'run/bag'])}
ESTIMATE = {'estimate_bag': ('mb_estimators', ['run/bag', '--estimator', 'error_ekf', '--output',
                                               'out'])}
COMPARE = {'compare': ('mb_evaluation', ['run/bag', '--estimators', 'error_ekf', '--processes',
                                         '1', '--output', 'compared'])}


def measure(seconds=900.0):
    """Return rows a second and bytes a row of each command, between two lengths of a recording.

    seconds: of the longer one.  Time is of the processor; what a start costs does not count.
    """
    return [*_figures('four_bar', LONGER * seconds, IMPORT, {'import_recording': ROWS}),
            *_figures('four_bar', seconds, IMPORT | ESTIMATE | COMPARE,
                      {'estimate_bag': FASTER['four_bar'] * RATE, 'compare': None}),
            *_figures('stewart', seconds, IMPORT | ESTIMATE,
                      {'estimate_bag': FASTER['stewart'] * RATE})]


def _figures(machine, seconds, commands, wanted):
    """Return the figures of commands between two lengths; wanted: rows a second, by command."""
    figures = []
    with TemporaryDirectory() as folder:
        short, long = (_costs(Path(folder) / str(length), machine, length, commands)
                       for length in (SHORT, seconds))
    rows = RATE * (seconds - SHORT)
    for name, target in wanted.items():
        time, memory = (after - before for after, before in zip(
            long[name], short[name], strict=True))
        about = f'{name}, {machine}'
        figures += [Figure(f'{about}: rows a second of processor time', rows / time, '1/s', target,
                           at_least=True),
                    Figure(f'{about}: times as fast as real time at {RATE:g} Hz',
                           rows / time / RATE, '1'),
                    Figure(f'{about}: memory a row', memory / rows, 'bytes'),
                    Figure(f'{about}: memory of {seconds:g} s', long[name][1] / 2 ** 20, 'MB')]
    return figures


def _costs(folder, machine, length, commands):
    """Return {command: (processor time [s], most memory [bytes])} on a recording of a length."""
    folder.mkdir()
    (folder / 'columns.yaml').write_text(COLUMNS[machine], encoding='utf-8')
    t = np.arange(round(length * RATE)) / RATE
    rows = {'four_bar': _crank, 'stewart': _legs}[machine](t, np.random.default_rng(1))
    with (folder / 'log.csv').open('w', encoding='utf-8') as file:
        file.write('time,' + ','.join('abcdef'[:len(rows)]) + '\n')
        file.writelines(f'{time:.2f},' + ','.join(f'{one:.4f}' for one in row) + '\n'
                        for time, *row in zip(t, *rows, strict=True))
    return {name: _cost(folder, package, name, words)
            for name, (package, words) in commands.items()}


def _crank(t, rng):
    """Return angle and rate (2, k) of a crank that swings [deg, deg/s]."""
    noise = rng.normal(size=(2, len(t)))
    return np.array([90.0 + np.degrees(0.8 * np.sin(0.7 * t) + 0.005 * noise[0]),
                     np.degrees(0.56 * np.cos(0.7 * t) + 0.01 * noise[1])])


def _legs(t, rng):
    """Return the lengths of six legs (6, k) that swing by millimetres [m]."""
    stewart = load_mechanism('stewart')
    lengths = [stewart.q0[stewart.coordinates.index(stewart.sensors[leg]['coordinate'])]
               for leg in LEGS]
    swing = np.sin(np.outer(0.7 + 0.1 * np.arange(6), t))
    return np.array(lengths)[:, np.newaxis] + 5e-3 * swing + 1e-4 * rng.normal(size=swing.shape)


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
