"""Run the ROS 2 contract and print passed / total for each of its files.

    python contract_report.py <contract folder> [pytest arguments]
"""

from collections import Counter
import os
from pathlib import Path
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

from rich.console import Console
from rich.table import Table

SUITES = ('rclpy', 'launch_cli')


def run_suite(folder, arguments):
    """Run one suite, quirks left out; return {file: Counter of outcomes} and the failed tests."""
    with tempfile.NamedTemporaryFile(suffix='.xml') as report:
        subprocess.run(
            [sys.executable, '-m', 'pytest', '-q', '--tb=line', '-m', 'not quirk',
             '-p', 'no:cacheprovider', f'--junitxml={report.name}', *arguments],
            cwd=folder, env={'ROS2_CONTRACT_TIMEOUT': '3', **os.environ}, check=False)
        return outcomes(ElementTree.parse(report.name))


def outcomes(tree):
    """Return {file: Counter(passed=, total=)} and the ids of the tests not passed."""
    files, missed = {}, []
    for case in tree.iter('testcase'):
        name = case.get('classname').split('.')[0]
        passed = all(case.find(kind) is None for kind in ('failure', 'error', 'skipped'))
        files.setdefault(name, Counter()).update(total=1, passed=int(passed))
        if not passed:
            missed.append(f'{name}::{case.get("name")}')
    return files, missed


def main():
    """Run both suites; exit with 0 when at least 60 % pass."""
    folder, arguments = Path(sys.argv[1]), sys.argv[2:]
    if not all((folder / suite).is_dir() for suite in SUITES):
        sys.exit(f'{folder}: no contract here; name its folder: make contract CONTRACT=<folder>')
    table = Table(title='The ROS 2 contract', title_justify='left')
    table.add_column('file')
    table.add_column('passed', justify='right')
    table.add_column('total', justify='right')
    whole, missed = Counter(), []
    for suite in SUITES:
        files, missed_here = run_suite(folder / suite, arguments)
        for name, count in sorted(files.items()):
            table.add_row(f'{suite}/{name}', str(count['passed']), str(count['total']))
            whole.update(count)
        missed += [f'{suite}/{name}' for name in missed_here]
    table.add_row('all', str(whole['passed']), str(whole['total']), style='bold')
    console = Console()
    if missed:
        console.print('Not passed:', *missed, sep='\n  ', highlight=False)
    console.print(table)
    sys.exit(whole['passed'] < 0.6 * whole['total'])


if __name__ == '__main__':
    main()
