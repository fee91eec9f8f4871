"""Let a launch file run for minutes; report what was lost, how late estimates were, what grew."""

import argparse
from collections.abc import Mapping, Sequence
import json
from pathlib import Path
import sys
from tempfile import TemporaryFile
import time
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
import rclpy
from rclpy.subscription import Subscription
from rosgraph_msgs.msg import Clock

from mb_bringup.endurance import MemoryWatch, busy_loops, launched
from mb_evaluation.reports.report_file import read_report
from mb_evaluation.run_log.diagnostics import Complaints
from mb_model.command_api import FAILURE, POSITIVE, Number, laid_out, run_command, table
from mb_model.file_api import write_whole
from mb_ros.diagnostics import LEVELS
from mb_ros.stamps import from_seconds

LARGEST_GROWTH = 5.0        # of a node once it is warm [MB]
KEEPS_ALL = '_monitor'      # whose names end so remember the whole run
LOOK_PERIOD = 1.0           # between two looks at the memory [s]
QUEUE = 1000                # of diagnostics
MOST_LOOPS = 64             # beside the run

_EXAMPLE = """
examples:
  ros2 run mb_bringup soak --minutes 10
  ros2 run mb_bringup soak --beside 2 respawn:=true disturbed:=0.01
  ros2 run mb_bringup soak --launch parallel_robot_contact disturbed:=0.01 respawn:=true
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code: 1 if something was lost or grew."""
    return run_command(_soak, _parser(), arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_bringup soak', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--minutes', type=POSITIVE, default=10.0, help='simulated (default: 10)')
    parser.add_argument('--launch', default='three_simulation', metavar='NAME',
                        help='launch file of mb_bringup (default: %(default)s)')
    parser.add_argument('--beside', type=Number(0, MOST_LOOPS, whole=True), default=0,
                        metavar='COUNT',
                        help='how many busy loops run at the same time (default: none)')
    parser.add_argument('--results', type=Path, default=Path('results'), metavar='FOLDER',
                        help='in which the folder of the run is made (default: %(default)s)')
    parser.add_argument('arguments', nargs='*', metavar='NAME:=VALUE', help='of the launch file')
    return parser


def _soak(given: argparse.Namespace) -> Any:
    """Run, yield what to print, and write soak.json into the folder of the run.

    Ends with exit code 1 if something was lost or has grown.
    """
    wrong = [word for word in given.arguments if ':=' not in word]
    if wrong:
        raise ValueError(f'{wrong[0]}: must be NAME:=VALUE')
    arguments = {'record': 'false', **dict(word.split(':=', 1) for word in given.arguments),
                 'duration': 60.0 * given.minutes, 'results': given.results}
    before = _latest(given.results)
    with busy_loops(given.beside):
        complaints, growth = _run(f'{given.launch}.launch.py', arguments)
    folder = _latest(given.results)
    if folder is None or folder == before:
        print('the run has written no report', file=sys.stderr)
        sys.exit(FAILURE)
    soaked = _figures(read_report(folder), complaints, growth)
    write_whole(folder / 'soak.json', json.dumps(soaked, indent=2) + '\n')
    yield laid_out(_table(given, soaked))
    yield from soaked['objections']
    yield f'written to {folder / "soak.json"}'
    if soaked['objections']:
        sys.exit(FAILURE)


def _latest(results: Path) -> Path | None:
    latest = results / 'latest'
    return latest.resolve() if latest.exists() else None


def _run(launch_file: str, arguments: Mapping[str, Any]) -> Any:
    """Return what nodes complained of and how processes grew in a launched run.

    What it prints is shown if it ends in less time than the run takes.
    """
    rclpy.init()
    complaints = Complaints()
    begun: list[float] = []     # time of the first truth [s]
    node = rclpy.create_node('soak')
    try:
        def note(message: DiagnosticArray) -> None:
            for status in message.status if begun else ():
                complaints.add(from_seconds(time.monotonic() - begun[0]), status.name,
                               LEVELS[status.level], status.message)
        node.create_subscription(DiagnosticArray, '/diagnostics', note, QUEUE)
        clock: Subscription | None = node.create_subscription(
            Clock, '/clock', lambda _: begun.append(time.monotonic()), QUEUE)
        with TemporaryFile('w+') as output, launched(launch_file, arguments, output) as process:
            watch, due = MemoryWatch(process.pid), 0.0
            while process.poll() is None:
                rclpy.spin_once(node, timeout_sec=0.1)
                if begun and clock is not None:
                    node.destroy_subscription(clock)
                    clock = None
                if begun and time.monotonic() >= due:
                    due = time.monotonic() + LOOK_PERIOD
                    watch.look(time.monotonic())
            output.seek(0)
            text = output.read()
            if 'results in' not in text:
                print(text, file=sys.stderr)
    finally:
        node.destroy_node()
        rclpy.shutdown()
    return complaints, watch.growth()


def _figures(report: Mapping[str, Any], complaints: Complaints, growth: Mapping[str, Any]) -> Any:
    """Return everything of a soak run as a dict, with objections to it."""
    timing = report.get('timing') or {}
    latency = timing.get('latency') or timing.get('added_latency')
    grown = {name: by for name, (_, by) in growth.items()
             if by > LARGEST_GROWTH and KEEPS_ALL not in name}
    objections = [f'{name} has grown by {by:.1f} MB' for name, by in grown.items()]
    if report['messages_lost']:
        parts = ', '.join(f'{what} {count}' for what, count in report['lost'].items() if count)
        objections.append(f'{report["messages_lost"]} messages lost ({parts})')
    return {'simulated': report['simulated'], 'real_time_factor': report['real_time_factor'],
            'messages_lost': report['messages_lost'], 'readings': report['readings'],
            'latency': latency, 'objections': objections,
            'memory': {name: {'size': size, 'growth': by}
                       for name, (size, by) in growth.items()},
            'complaints': [one.since(0) for one in complaints]}


def _table(given: argparse.Namespace, soaked: Any) -> Any:
    """Return the figures as a table."""
    run = [('speed', f'{soaked["real_time_factor"]:.2f} x real time'),
           ('messages lost', str(soaked['messages_lost'])),
           ('readings', ', '.join(f'{what} {count}' for what, count in soaked['readings'].items()))]
    if soaked['latency']:
        run.append(('estimate after the truth', _latency_words(**soaked['latency'])))
    memory = [(name, f'{figures["size"]:.0f} MB, {figures["growth"]:+.1f} MB once warm')
              for name, figures in soaked['memory'].items()]
    complaints = [(f'{one["node"]} {one["level"]}',
                   f'{one["message"]} ({one["from"]:.0f} s to '
                   f'{"the end" if one["to"] is None else format(one["to"], ".0f") + " s"})')
                  for one in soaked['complaints']]
    return table(('', ''), [run, memory, complaints], words=(0, 1), title=(
        f'{given.launch}, {soaked["simulated"] / 60.0:.1f} simulated minutes'))


def _latency_words(median: float, p99: float, largest: float,
                   largest_at: float | None = None) -> str:
    """Return times [s] in words; largest_at: when the largest was, if that is known."""
    when = '' if largest_at is None else f' at {largest_at:.1f} s'
    return f'median {1e3 * median:.1f}, p99 {1e3 * p99:.1f}, largest {1e3 * largest:.1f} ms{when}'
