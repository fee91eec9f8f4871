"""History of ten key figures: ratios within one run, so that machines and commits compare.

    make bench                              # all benchmarks, and an entry of these
    python -m benchmarks --history          # these alone: a minute

An entry goes to history.json, and the page docs/evidence/trend.md is written from all of them.
"""

from datetime import UTC, datetime
import json
import os
from pathlib import Path
import platform
import subprocess
from typing import Any

from benchmarks.figures import Figure
from benchmarks.pictures import plain, plt

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / 'benchmarks/history.json'
PAGE = ROOT / 'docs/evidence/trend.md'
PICTURE = ROOT / 'docs/pictures/trend.png'
SHOWN = 12                  # entries of the table, the latest ones
BUSY = 1.0                  # processes that ran per core before: more than one entry says so
# What an entry has -> (benchmark, figure, its peer); without a peer the figure is a ratio itself.
KEYS: dict[str, tuple[str, str, str | None]] = {
    'model step / MuJoCo': ('model_step', 'index3_al, trapezoidal', 'MuJoCo'),
    'model step / EXUDYN': ('exudyn_step', 'index3_al, share of EXUDYN', None),
    'error_ekf / filterpy EKF': ('filter_step', 'error_ekf, predict and correct', 'filterpy EKF'),
    'ukf / filterpy UKF': ('filter_step', 'ukf, predict and correct', 'filterpy UKF'),
    'error_ekf_fe / model step': (
        'filter_step', 'error_ekf_fe, predict and correct', 'model step alone'),
    'cekf / model step': ('filter_step', 'cekf, predict and correct', 'model step alone'),
    'derivatives, four_bar / dynamics': ('derivatives', 'four_bar: with A, B, dzdd/dforce', None),
    'derivatives, andrews_squeezer / dynamics': (
        'derivatives', 'andrews_squeezer: with A, B, dzdd/dforce', None),
    'derivative by a mass, five_bar / dynamics': (
        'derivatives', 'five_bar: dzdd/dmass, each', None),
    'estimate and contacts / estimate': ('contact_cost', 'estimate and both', 'estimate alone')}
BENCHMARKS = tuple(dict.fromkeys(benchmark for benchmark, _, _ in KEYS.values()))


def append(before: dict[str, Any], measured: dict[str, list[Figure]]) -> None:
    """Append an entry, and write the page and its picture.

    before: `here()` before the measurements; measured: figures by benchmark.
    """
    entries = [*read(), {**before, 'ratios': ratios(measured)}]
    FILE.write_text(json.dumps(entries, indent=2) + '\n', encoding='utf-8')
    PAGE.write_text(page(entries), encoding='utf-8')
    draw(entries)


def read() -> list[dict[str, Any]]:
    """Return all entries, the oldest first."""
    return json.loads(FILE.read_text(encoding='utf-8')) if FILE.is_file() else []


def ratios(measured: dict[str, list[Figure]]) -> dict[str, float]:
    """Return the key figures; those are left out whose peer is not installed."""
    found = {}
    for key, (benchmark, name, peer) in KEYS.items():
        for figure in measured[benchmark]:
            if figure.name == name and figure.peer == peer:
                value = figure.value if peer is None else figure.value / figure.peer_value
                found[key] = float(f'{value:.3g}')
    return found


def here() -> dict[str, Any]:
    """Return date, commit, machine, and the load of the last 5 minutes [processes per core]."""
    return {'date': f'{datetime.now(UTC):%Y-%m-%d}', 'commit': _commit(),
            'machine': f'{_processor()}, {os.cpu_count()} cores, Python '
                       f'{platform.python_version()}',
            'load': round(os.getloadavg()[1] / os.cpu_count(), 1)}


def _commit() -> str:
    said = [subprocess.run(['git', *words], cwd=ROOT, capture_output=True, text=True,
                           check=False).stdout.strip()
            for words in (['rev-parse', '--short', 'HEAD'], ['status', '--porcelain', '-uno'])]
    return f'{said[0]} and changes' if said[1] else said[0] or 'unknown'


def _processor() -> str:
    info = Path('/proc/cpuinfo')
    lines = info.read_text(encoding='utf-8').splitlines() if info.is_file() else []
    names = [line.partition(': ')[2] for line in lines if line.startswith('model name')]
    return names[0] if names else platform.processor() or platform.machine()


def page(entries: list[dict[str, Any]]) -> str:
    """Return the page in Markdown."""
    shown = entries[-SHOWN:]
    lines = [
        '# Ten figures over time', '',
        'Each is a ratio of two times of one run, so that machines and commits compare; smaller is '
        'better. `make bench` appends an entry to', '`benchmarks/history.json` and writes this '
        'page; these ten alone take a minute:', '',
        '    python -m benchmarks --history', '',
        'Peers come with `.venv/bin/pip install -r requirements-benchmarks.txt`; without them '
        'their figures are left out. Load is what ran before, in', f'processes per core: above '
        f'{BUSY:g} other programs took part of the machine, and figures are less certain.', '',
        '![Each of the ten ratios, entry by entry](../pictures/trend.png)', '',
        '| entry | date | commit | load | machine |', '| ---: | --- | --- | ---: | --- |']
    numbers = range(len(entries) - len(shown) + 1, len(entries) + 1)
    lines += [f'| {number} | {one["date"]} | {one["commit"]} | '
              f'{one["load"]}{" (busy)" if one["load"] > BUSY else ""} | {one["machine"]} |'
              for number, one in zip(numbers, shown, strict=True)]
    lines += ['', f'| ratio | {" | ".join(map(str, numbers))} |',
              f'| --- |{" ---: |" * len(shown)}']
    lines += [f'| {key} | {" | ".join(f"{_ratio(one, key):g}" for one in shown)} |'.replace(
        'nan', '-') for key in KEYS]
    return '\n'.join(lines) + '\n'


def _ratio(entry: dict[str, Any], key: str) -> float:
    return entry['ratios'].get(key, float('nan'))


def draw(entries: list[dict[str, Any]]) -> None:
    """Write the picture: a panel for each figure, busy entries hollow."""
    picture, axes = plt.subplots(5, 2, figsize=(9, 9), sharex=True, layout='constrained')
    numbers = range(1, len(entries) + 1)
    for key, axis in zip(KEYS, axes.flat, strict=True):
        values = [_ratio(one, key) for one in entries]
        axis.plot(numbers, values, color='tab:blue', linewidth=1)
        for number, value, one in zip(numbers, values, entries, strict=True):
            axis.plot(number, value, 'o', color='tab:blue',
                      markerfacecolor='white' if one['load'] > BUSY else None)
        axis.set_title(key, fontsize=9)
        axis.set_ylim(0, 1.25 * max([value for value in values if value == value], default=1))
        axis.set_xlim(0.5, len(entries) + 0.5)
        axis.set_xticks(numbers[::len(entries) // SHOWN + 1])
        plain(axis)
    picture.supxlabel('entry; hollow: the machine was busy', fontsize=9)
    picture.savefig(PICTURE, dpi=110)
    plt.close(picture)
