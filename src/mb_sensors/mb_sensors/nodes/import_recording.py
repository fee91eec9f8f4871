"""Make a bag of a log: a table, and a file that says what its columns are.

Logs are CSV and other text, MATLAB, NumPy, HDF5 and Parquet files, and bags of messages of other
types.  Without --columns it proposes
that file: it prints what it would take of the log, to be edited.  Beside the bag comes
parameters.yaml, by which all commands on bags know mechanism, sensors and known forces.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
import sys
from typing import Any

import numpy as np
from rosidl_runtime_py.utilities import get_message

from mb_model import Mechanism
from mb_model.command_api import run_command
from mb_model.file_api import (
    RECORDED,
    STATE_TYPE,
    STORAGES,
    new_bag,
    read_parameters,
    state_message,
    write_recorded,
)
from mb_ros.stamps import stamp as to_stamp
from mb_sensors.imported.column_settings import Columns
from mb_sensors.imported.columns import read_columns
from mb_sensors.imported.log import Log, read_log
from mb_sensors.imported.proposal import proposed_columns
from mb_sensors.imported.truth import true_states
from mb_sensors.nodes.kept_message import KeptMessage
from mb_sensors.topics import KNOWN_FORCES, TRUE_FORCES, by_topic

_EXAMPLE = """
example, and what to do with the bag:
  ros2 run mb_sensors import_recording log.csv --mechanism my.yaml > columns.yaml
  ros2 run mb_sensors import_recording log.csv --columns columns.yaml --output my_run/bag
  ros2 run mb_estimators estimate_bag my_run/bag --estimator ukf --output again
"""
_BLOCK = 10_000             # rows that are lists of numbers at a time
_STATE, _EFFORTS = '/prototype/state', 'sensor_msgs/msg/JointState'
_COMMANDS, _COMMAND = '/valve_command', 'mb_interfaces/msg/ValveCommand'


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
                        help='parameter files of the estimator, which go into parameters.yaml')
    parser.add_argument('--storage', default='mcap', choices=STORAGES, help='(%(default)s)')
    return parser


def import_log(log: str | Path | Sequence[str | Path], columns: str | Path, bag: str | Path,
               config: Iterable[str | Path] = (), storage: str = 'mcap') -> list[str]:
    """Make a bag of a log, with parameters beside it; return lines of text about it.

    log, columns: files, of a log also several; config: parameter files of the estimator.  Raises
    OSError, ValueError.
    """
    beside = Path(bag).absolute().parent / RECORDED
    if beside.exists():
        raise FileExistsError(f'--output {bag}: {beside} already exists: parameters of another '
                              'bag; choose a folder of its own, such as my_run/bag')
    known = read_columns(columns)
    rows = read_log(log, known)
    parameters = read_parameters(config, 'estimator') | {
        'mechanism': known.mechanism_name,
        'sensors': [one.sensor.name for one in known.sensors],
        **({'known_forces': KNOWN_FORCES} if known.forces else {})}
    counts: Counter[str] = Counter()
    with new_bag(bag, storage, types=['ValveCommand']) as output:
        for topic, kind, arrival, message in _messages(known, rows, output.types):
            if topic not in counts:
                output.add_topic(topic, kind)
            output.write(topic, arrival, message)
            counts[topic] += 1
    write_recorded({'estimator': parameters}, beside.parent)
    gaps = np.diff(rows.stamps) * 1e-9
    size = (f'{len(rows.stamps)} rows, {1e-9 * (rows.stamps[-1] - rows.stamps[0]):g} s; steps of '
            f'{np.median(gaps):.4g} s, the longest {gaps.max():.4g} s' if len(gaps) else '1 row')
    return [*rows.remarks, size, *(f'warning: {one}' for one in rows.warnings),
            *(f'{topic}: {count}' for topic, count in counts.items()),
            f'wrote {bag} and {beside.name} beside it']


def _messages(columns: Columns, log: Log, types: Any) -> Iterator[tuple[str, str, int, Any]]:
    """Yield (topic, type, arrival [ns], message) of all rows, in their order.

    A row arrives at its stamp: first its known forces and commands, then the truth, then its
    readings.
    """
    topics = {f'/{name}': topic for name, topic in by_topic(
        one.sensor for one in columns.sensors).items()}
    kept = {name: KeptMessage(topic, columns.mechanism.name) for name, topic in topics.items()}
    truth = true_states(columns, log)
    numbers = {one.path: k for k, one in enumerate(columns.quantities)}
    sensors = {one.sensor.name for one in columns.sensors}
    for begin in range(0, len(log.stamps), _BLOCK):
        rows = slice(begin, begin + _BLOCK)
        values = log.values[rows].tolist()
        readings = {name: log.readings[name][rows].tolist() for name in sensors}
        known: dict[str, list[bool]] = {
            name: np.all(np.isfinite(log.readings[name][rows]), axis=1).tolist()
            for name in sensors}
        for k, stamp in enumerate(log.stamps[rows].tolist()):
            def of(given, row=values[k]):
                return {name: row[numbers[one.path]] for name, one in given.items()}
            for name, forces in ((f'/{KNOWN_FORCES}', columns.forces),
                                 (TRUE_FORCES, columns.true_forces)):
                efforts = of(forces)
                if efforts and np.isfinite(list(efforts.values())).all():
                    yield name, _EFFORTS, stamp, _efforts(columns.mechanism, stamp, efforts)
            commands = of(columns.commands)
            if commands and np.isfinite(list(commands.values())).all():
                message = get_message(_COMMAND)(
                    valve=list(commands), command=list(commands.values()))
                message.header.stamp = to_stamp(stamp)
                yield _COMMANDS, _COMMAND, stamp, message
            if begin + k in truth:
                yield _STATE, STATE_TYPE, stamp, state_message(
                    types, columns.mechanism, stamp, **truth[begin + k])
            for name, topic in topics.items():
                there = [(one, readings[one.name][k]) for one in topic.sensors
                         if known[one.name][k]]
                if there:
                    yield name, topic.message_type, stamp, kept[name].filled(stamp, there)


def _efforts(mechanism: Mechanism, stamp: int, efforts: Mapping[str, float]) -> Any:
    """Return a JointState of efforts of degrees of freedom, by name."""
    message = get_message(_EFFORTS)(name=list(efforts), effort=list(efforts.values()))
    message.header.stamp, message.header.frame_id = to_stamp(stamp), mechanism.name
    return message


if __name__ == '__main__':
    sys.exit(main())
