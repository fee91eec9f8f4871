"""Descriptions of machines as users launch them: three_simulation in MuJoCo, `compare` on its bag.

Without --descriptions those of our tests, and those of users where they are.  What a description
is refused for is printed.
"""

import json
from math import nan
from pathlib import Path
import re
import subprocess
from tempfile import TemporaryDirectory

from benchmarks.descriptions import SUFFIXES, descriptions as all_descriptions
from benchmarks.figures import Figure
from mb_evaluation.verdict import objections

DURATION = 3.0          # simulated [s]
PATIENCE = 300.0        # for a run, or for its comparison [s]
OTHER = 'ukf'           # filter that `compare` tries beside the one that was launched
_STOPPED, _FAILED = 'simulation stopped', 'FAILED'
_NOISE = re.compile(r'\[(INFO|WARN)\]|^\[ERROR\] \[launch\]|^ros2 |process')


def measure(descriptions: list[str] | None = None) -> list[Figure]:
    """Return errors of model and observer of each description; descriptions: files or folders."""
    figures = []
    for path in chosen(descriptions) if descriptions else all_descriptions():
        with TemporaryDirectory() as folder:
            said, report = launched(path, Path(folder))
            print(f'{path.name}: {said}', flush=True)
            if not (report and report['model'] and report['observer']):
                continue
            found = compared(Path(folder))
        print(f'{path.name}: compare: {found}', flush=True)
        model, observer = (max(nan if value is None else value
                               for value in report[whose]['position_rmse'])
                           for whose in ('model', 'observer'))
        figures += [Figure(f'{path.name}: position error of the model', model, 'rad or m'),
                    Figure('  of the observer', observer, 'rad or m', model)]
    return figures


def chosen(paths: list[str]) -> list[Path]:
    """Return the descriptions among files and in folders, mechanism files that extend one too."""
    files = []
    for path in map(Path, paths):
        files += sorted(one for one in path.rglob('*') if one.suffix in SUFFIXES or (
            one.suffix == '.yaml' and 'extends:' in one.read_text())) if path.is_dir() else [path]
    return [one.absolute() for one in files]


def launched(path: Path, folder: Path) -> tuple[str, dict | None]:
    """Launch three_simulation with a description; return what it said at its end, and its report.
    """
    said = spoken('ros2', 'launch', 'mb_bringup', 'three_simulation.launch.py',
                  f'mechanism:={path}', f'duration:={DURATION}', f'results:={folder}')
    report = folder / 'latest' / 'report.json'
    if not report.is_file():
        return said, None
    wrong = '; '.join(objections(report.parent))        # in lines of a page before
    return f'{said.partition(_FAILED)[0]}{_FAILED}: {wrong}' if wrong else said, json.loads(
        report.read_text())


def compared(folder: Path) -> str:
    """Compare filters on the bag of a run; return errors of positions, or what was said."""
    run = folder / 'latest'
    said = spoken('ros2', 'run', 'mb_evaluation', 'compare', str(run / 'bag'), '--estimators',
                  'error_ekf', OTHER)
    report = run / 'comparison' / 'comparison.json'
    if not report.is_file():
        return said
    return ', '.join(
        f'{name} {one["problem"] or largest(one)}' for name, one in
        json.loads(report.read_text())['estimators'].items())


def largest(found: dict) -> str:
    """Return the largest RMSE of positions in words; a lost estimate has none."""
    values = found['position_rmse'] or [None]
    return 'no number' if None in values else f'{max(values):.4g}'


def spoken(*words: str) -> str:
    """Return what a command says: why a simulation stopped, and the verdict, or its last line.

    Of lines of the log none counts as the last one.
    """
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f'not done after {PATIENCE:g} s'
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines()]
    verdicts = [line for line in lines if line.startswith(('PASSED', _FAILED))]
    others = [line for line in lines if line and not _NOISE.search(line)]
    stopped = [line[line.index(_STOPPED):] for line in lines if _STOPPED in line]
    said = '; '.join([*stopped[:1], *(verdicts or others or [''])[-1:]])
    return f'{said} (exit code {done.returncode})'
