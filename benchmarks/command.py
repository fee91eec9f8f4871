"""Run the named benchmarks, those for filters (--review), or, without either, all others.

`figure PAPER NUMBER` draws a figure of a paper instead.
"""

import argparse
import ast
from importlib import import_module
import os
from pathlib import Path
import re
import sys
from typing import NamedTuple

from benchmarks import history
from benchmarks.figures import Figure, print_table, write
from mb_model.command_api import ending_on_sigterm
from mb_ros.own_domain import own_domain

FOLDER = Path(__file__).parent
REVIEW = ('review', 'multi_rate', 'distance_across', 'switched_angle', 'five_bar', 'kinematic',
          'parameters_found', 'uncertain_parameters', 'coloured_noise',
          'adaptive', 'adaptive_shaping', 'best_filter', 'smoothing',          # take minutes
          'mounting_intervals', 'fit_oil',
          'consistency', 'causes', 'exponential_filters', 'space_filters', 'space_contact',
          'space_live', 'space_live_parts', 'excavator',
          'factor_graph_forward', 'factor_graph_inverse', 'factor_graph_estimation',
          'numbers_by_readings', 'crane_payload', 'crane_wrong_models', 'crane_wrong_oil',
          'crane_wrong_parameters', 'crane_faults', 'crane_ripple', 'crane_unmodelled',
          'payload_by_gauges', 'payload_of_bending_crane',
          'contact_detection',
          'contact_observers', 'contact_force', 'contact_false_positives', 'contact_latency',
          'contact_isolation', 'contact_clamping', 'contact_published_robot', 'live_1khz',
          'fit_readings', 'fit_passes', 'fit_residual', 'ros_faults', 'ros_pace', 'compile_time',
          'first_estimate', 'first_machines', 'first_minutes', 'launched_descriptions',
          'long_recordings',
          'real_double_pendulum', 'real_friction', 'real_gains', 'real_limits', 'real_vehicle',
          'realtime', 'realtime_component')
# Arguments of `measure`: those that a benchmark takes are given to it.
OPTIONS = {
    'seconds': ({'type': float}, 'how long they run'),
    'beside': ({'type': int, 'metavar': 'COUNT'}, 'how many busy loops run beside'),
    'seeds': ({'type': int, 'nargs': '+', 'metavar': 'SEED'}, 'of noise and errors of the sensors'),
    'machines': ({'nargs': '+', 'metavar': 'NAME'}, 'which machines are measured'),
    'filters': ({'nargs': '+', 'metavar': 'NAME'}, 'which filters are measured, all variants'),
    'descriptions': ({'nargs': '+', 'metavar': 'PATH'}, 'files or folders of descriptions'),
    'against': ({'metavar': 'FOLDER'}, 'another checkout, set up, to compare with'),
    'tests': ({'action': 'store_true'}, 'also time `make test` of a fresh clone'),
    'judge': ({'metavar': 'FOLDER'},
              'where the results are that judge; exit code 1 where a limit is missed')}
LABELLED = 'beside'                     # results with it are another file


class Benchmark(NamedTuple):
    """Where a benchmark is, and the options that it takes."""

    module: str
    function: str
    options: frozenset[str]

    def measure(self, **options: object) -> list[Figure]:
        """Return its figures."""
        return getattr(import_module(f'benchmarks.{self.module}'), self.function)(**options)


def benchmarks() -> dict[str, Benchmark]:
    """Return all benchmarks by name.

    A module's `measure` is the benchmark of the module's name, `measure_NAME` the benchmark NAME.
    """
    found = {}
    for file in sorted(FOLDER.glob('*.py')):
        for node in ast.parse(file.read_text(encoding='utf-8')).body:
            if isinstance(node, ast.FunctionDef) and re.match(r'measure(_|$)', node.name):
                name = node.name.partition('_')[2] or file.stem
                found[name] = Benchmark(file.stem, node.name,
                                        frozenset(one.arg for one in node.args.args))
    return dict(sorted(found.items()))


def main() -> int:
    """Measure, print a table and write results/<name>.json for each benchmark asked for.

    Returns 1 if one of those that are judged misses a target, else 0.
    """
    if sys.argv[1:2] == ['figure']:
        from benchmarks.figures_of_papers import command  # all benchmarks are imported by it
        return command.main(sys.argv[2:])
    known = benchmarks()
    parser = argparse.ArgumentParser(prog='python -m benchmarks', description=__doc__)
    parser.add_argument('names', nargs='*', metavar='name', help=f'all, or of {", ".join(known)}')
    parser.add_argument('--review', action='store_true', help=f'{", ".join(REVIEW)}')
    parser.add_argument('--history', action='store_true',
                        help=f'append ratios to {history.FILE.name}, and write the page of them; '
                             f'without names of {", ".join(history.BENCHMARKS)} alone')
    for option, (how, what) in OPTIONS.items():
        takers = ', '.join(name for name, one in known.items() if option in one.options)
        parser.add_argument(f'--{option}', help=f'{takers}: {what}', **how)
    given = parser.parse_args()
    usual = [name for name in known if name not in REVIEW]
    asked = [one for name in given.names for one in (usual if name == 'all' else [name])]
    asked += REVIEW if given.review else ()
    asked = asked or (list(history.BENCHMARKS) if given.history else usual)
    for name in asked:
        if name not in known:
            parser.error(f'{name}: unknown benchmark, expected one of {", ".join(known)}')
    lacking = [name for name in history.BENCHMARKS if name not in asked]
    if given.history and lacking:
        parser.error(f'--history needs {", ".join(lacking)}, too: name them, or none or all')
    if given.judge and not Path(given.judge).is_dir():
        parser.error(f'--judge {given.judge}: expected a folder')
    os.environ['ROS_DOMAIN_ID'] = str(own_domain())     # of all processes that they start
    targets: list[tuple[str, Figure]] = []
    before, measured = history.here(), {}
    for name in asked:
        options = {option: value for option, value in vars(given).items()
                   if value and option in known[name].options}
        with ending_on_sigterm():
            measured[name] = figures = known[name].measure(**options)
        label = f'{name}_{LABELLED}_{options[LABELLED]}' if LABELLED in options else name
        print_table(label, figures)
        print(f'written to {write(label, figures)}\n', flush=True)
        targets += [(name, figure) for figure in figures if figure.target is not None]
    if given.history:
        history.append(before, measured)
        print(f'an entry in {history.FILE}, shown in {history.PAGE}\n')
    missed = [(name, figure.name) for name, figure in targets if not figure.met]
    print(f'{len(targets) - len(missed)} of {len(targets)} targets met'
          + ''.join(f'\n  missed: {name}: {figure}' for name, figure in missed))
    return int(any('judge' in known[name].options for name, _ in missed))
