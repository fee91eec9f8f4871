"""Make a bag of a log: a table, and a file that says what its columns are.

Logs are CSV and other text, MATLAB, NumPy, HDF5 and Parquet files, and bags of messages of other
types.  Without --columns it proposes
that file: it prints what it would take of the log, to be edited.  Beside the bag comes
parameters.yaml, by which all commands on bags know mechanism, sensors and known forces.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
import sys

from mb_model.command_api import run_command
from mb_model.file_api import (
    RECORDED,
    STORAGES,
    new_bag,
    read_parameters,
    write_recorded,
)
from mb_sensors.imported.columns import read_columns
from mb_sensors.imported.log_parts import read_parts
from mb_sensors.imported.proposal import proposed_columns
from mb_sensors.nodes.imported_messages import messages_of
from mb_sensors.topics import KNOWN_FORCES

_EXAMPLE = """
example, and what to do with the bag:
  ros2 run mb_sensors import_recording log.csv --mechanism my.yaml > columns.yaml
  ros2 run mb_sensors import_recording log.csv --columns columns.yaml --output my_run/bag
  ros2 run mb_estimators estimate_bag my_run/bag --estimator ukf --output again
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_run, _parser(), arguments)


def _run(given: argparse.Namespace) -> list[str]:
    if given.columns is None:
        return proposed_columns(given.log, given.mechanism)
    if given.output is None:
        raise ValueError('--output: missing: the folder of the new bag')
    if given.mechanism:
        raise ValueError('--mechanism: only without --columns, which names the mechanism')
    return import_log(given.log, given.columns, given.output, given.config, given.storage)


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_sensors import_recording', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('log', nargs='+', metavar='LOG', help='a table; several: side by side')
    parser.add_argument('--columns', metavar='FILE',
                        help='what the columns are, see docs/how_to/your_sensors_and_logs.md; '
                             'without it, one is proposed')
    parser.add_argument('--mechanism', default='', metavar='NAME',
                        help='mechanism, or its file, for whose sensors columns are proposed')
    parser.add_argument('--output', metavar='BAG', help='folder of the new bag')
    parser.add_argument('--config', nargs='+', default=[], metavar='FILE',
                        help='parameter files of the estimator, which go into parameters.yaml; it '
                             'reads the sensors that they name, else all')
    parser.add_argument('--storage', default='mcap', choices=STORAGES, help='(%(default)s)')
    return parser


def import_log(log: str | Path | Sequence[str | Path], columns: str | Path, bag: str | Path,
               config: Iterable[str | Path] = (), storage: str = 'mcap') -> list[str]:
    """Make a bag of a log, with parameters beside it; return lines of text about it.

    log, columns: files, of a log also several; config: parameter files of the estimator, which
    reads the sensors that they name, else all.  Raises OSError, ValueError.
    """
    beside = Path(bag).absolute().parent / RECORDED
    if beside.exists():
        raise FileExistsError(f'--output {bag}: {beside} already exists: parameters of another '
                              'bag; choose a folder of its own, such as my_run/bag')
    known = read_columns(columns)
    rows = read_parts(log, known)
    recorded = [one.sensor.name for one in known.sensors]
    given = read_parameters(config, 'estimator')
    wanted = given.get('sensors', recorded)
    if not isinstance(wanted, list) or not set(recorded) & set(map(str, wanted)):
        raise ValueError(f'--config: sensors: {wanted!r}, expected a list of some of '
                         f'{", ".join(recorded)}, which the columns read')
    absent = [name for name in wanted if name not in recorded]
    parameters = given | {
        'mechanism': known.mechanism_name,
        'sensors': [name for name in recorded if name in wanted],
        **({'known_forces': KNOWN_FORCES} if known.forces else {})}
    counts: Counter[str] = Counter()
    with new_bag(bag, storage, types=['ValveCommand']) as output:
        for part in rows.parts():
            for topic, kind, arrival, data in messages_of(known, part, output):
                if topic not in counts:
                    output.add_topic(topic, kind)
                output.write_encoded(topic, arrival, data)
                counts[topic] += 1
    write_recorded({'estimator': parameters}, beside.parent)
    size = (f'{rows.count} rows, {rows.span:g} s; steps of {rows.step:.4g} s, the longest '
            f'{rows.longest:.4g} s' if rows.count > 1 else '1 row')
    return [*rows.remarks, size, *(f'warning: {one}' for one in rows.warnings),
            *(f'warning: {name}: a sensor of --config, which no column has' for name in absent),
            *(f'{topic}: {count}' for topic, count in counts.items()),
            f'wrote {bag} and {beside.name} beside it']


if __name__ == '__main__':
    sys.exit(main())
