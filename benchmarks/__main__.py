"""Run benchmarks: `python -m benchmarks [name ...]`; without a name, all but the long ones."""

import argparse
from importlib import import_module
from pkgutil import iter_modules

from benchmarks import __path__ as folder
from benchmarks.figures import write
from benchmarks.table import print_table

FRAME = ('__main__', 'cases', 'figures', 'table', 'stopwatch', 'round_trip_dds',
         'round_trip_rclpy', 'exudyn_model', 'filterpy_filters', 'review_report',
         'review_reference')
LONG = ('review', 'multi_rate', 'five_bar')      # run only when asked for by name


def main():
    """Measure, print a table and write results/<name>.json for each benchmark asked for."""
    names = sorted(module.name for module in iter_modules(folder) if module.name not in FRAME)
    parser = argparse.ArgumentParser(prog='python -m benchmarks', description=__doc__)
    parser.add_argument('names', nargs='*', metavar='name', help=f'of {", ".join(names)}')
    asked = parser.parse_args().names or [name for name in names if name not in LONG]
    for name in asked:
        if name not in names:
            parser.error(f'{name}: unknown benchmark, expected one of {", ".join(names)}')
    targets = []
    for name in asked:
        figures = import_module(f'benchmarks.{name}').measure()
        print_table(name, figures)
        print(f'written to {write(name, figures)}\n', flush=True)
        targets += [(name, figure) for figure in figures if figure.target is not None]
    missed = [f'{name}: {figure.name}' for name, figure in targets if not figure.met]
    print(f'{len(targets) - len(missed)} of {len(targets)} targets met'
          + ''.join(f'\n  missed: {name}' for name in missed))


if __name__ == '__main__':
    main()
