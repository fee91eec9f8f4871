"""Make the report of a run from its bag, as its monitor does at the end of the run.

Also of a run that was interrupted: what was recorded of it is judged. Times between messages are
by their arrival at the recorder.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from inspect import signature
from pathlib import Path
import sys
from typing import Any

import numpy as np
import rclpy
from rclpy.parameter import Parameter
from rclpy.serialization import deserialize_message

from mb_estimators.command_api import recorded_parameters
from mb_evaluation.nodes.accuracy_monitor import AccuracyMonitorNode
from mb_evaluation.nodes.contact_monitor import ContactMonitorNode
from mb_evaluation.nodes.monitor import Monitor
from mb_evaluation.nodes.payload_monitor import PayloadMonitorNode
from mb_model.command_api import assigned, run_command
from mb_model.file_api import read_parameters
from mb_ros.stamps import serialised_stamp, sound_nanoseconds
from mb_sensors import open_bag

_EXAMPLE = """
examples: a run that was interrupted; a run that has a report:
  ros2 run mb_evaluation report results/latest
  ros2 run mb_evaluation report results/latest --output again
"""
TRUTH, ESTIMATE = '/prototype/state', '/estimator/state'
KINDS = {           # topic that only runs of a kind have -> monitor of these
    '/contact_detector/contact': ('contact_monitor', ContactMonitorNode),
    '/payload_estimator/payload': ('payload_monitor', PayloadMonitorNode),
    TRUTH: ('accuracy_monitor', AccuracyMonitorNode)}
DISTURBED = '/disturbed/'           # first of topics with readings that a bad line has passed on
LIKE_ESTIMATOR = ('mechanism', 'estimator', 'sensors', 'start_time')
IN_TRANSIT = 0.1        # what was not recorded of the end of an interrupted run may be so old [s]
NANOSECOND = 1e-9


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_report, _parser(), arguments)


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_evaluation report', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('run', metavar='RUN', help='results folder of a run, or its bag')
    parser.add_argument('--output', metavar='FOLDER', help='of the report (default: beside the '
                        'bag)')
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VALUE', dest='settings',
                        help="parameters of the run's monitor, such as nees_bound=50; repeatable")
    return parser


def _report(given: argparse.Namespace):
    """Yield lines of text; the monitor shows its table itself."""
    bag = Path(given.run)
    bag = bag / 'bag' if (bag / 'bag').is_dir() else bag
    if not bag.exists():
        raise FileNotFoundError(f'{given.run}: no such run or bag')
    folder = Path(given.output or bag.resolve().parent)
    if (folder / 'report.json').exists():
        raise FileExistsError(f'{folder / "report.json"}: already exists (--output)')
    damage = []
    with open_bag(bag, report=damage.append) as opened:
        name, node_class, stamps = _kind(opened)
        values = {'disturbed': any(topic.startswith(DISTURBED) for topic in opened.topics),
                  **_parameters(bag, name), **assigned(given.settings, '--set')}
        asked = values.get('duration')
        values |= _length(values, stamps)
        if asked and values['duration'] < asked:
            yield f'the run was interrupted: {values["duration"]:g} of {asked:g} s are judged'
        _conclude(opened, node_class, {**values, 'folder': str(folder)})
    yield from damage
    yield f'results in {folder}'


def _kind(opened: Any):
    """Return (name, class) of the monitor of a Bag's run, and its stamps [ns] by topic.

    Raises ValueError where the bag has no truth, or nothing to be judged by it.
    """
    kind = next(((topic, *monitor) for topic, monitor in KINDS.items() if opened.has(topic)), None)
    if kind is None or not opened.count(TRUTH):
        raise ValueError(f'no {TRUTH} in the bag: a report compares with the truth; '
                         '`ros2 run mb_evaluation compare` does without')
    stamps = _stamps(opened, dict.fromkeys((TRUTH, ESTIMATE, kind[0])))
    missing = [topic for topic in stamps if not stamps[topic]]
    if missing:
        raise ValueError(f'no messages in the bag on {", ".join(missing)}: nothing to judge')
    return kind[1], kind[2], stamps


def _stamps(opened: Any, topics: Iterable[str]):
    """Return {topic: stamps [ns]} of topics of a Bag, which is read once."""
    stamps = {topic: [] for topic in topics}
    for topic, _, stamp in opened.decoded(topics, lambda _, data: serialised_stamp(bytes(data))):
        stamps[topic].append(stamp)
    return stamps


def _parameters(bag: Path, name: str):
    """Return what is recorded of a monitor, or, where it is not, of the estimator, by name."""
    files = recorded_parameters(bag)
    estimator = read_parameters(files, 'estimator')
    return read_parameters(files, name) or {
        key: estimator[key] for key in LIKE_ESTIMATOR if key in estimator}


def _length(values: dict[str, Any], stamps: Mapping[str, list[int]]):
    """Return when the run began [s], its rate [Hz] and how long it lasted [s], as parameters.

    values: recorded parameters of the monitor; stamps: [ns] by topic.
    """
    truth = stamps[TRUTH]
    if len(truth) < 2:
        raise ValueError(f'only one message in the bag on {TRUTH}: too short for a report')
    start = values.get('start_time') or NANOSECOND * float(truth[0])    # 0 in a replay: unknown
    rate = values.get('publish_rate') or 1e9 / float(np.median(np.diff(truth)))
    length = NANOSECOND * min(max(of_topic) for of_topic in stamps.values()) - start
    asked = values.get('duration', length)
    if length < asked - 0.5 / rate:
        length -= IN_TRANSIT
    steps = int(min(length, asked) * rate + 1e-6)
    if steps < 1:
        raise ValueError(f'only {length:.3g} s in the bag: too short for a report')
    return {'start_time': start, 'publish_rate': rate,
            'duration': asked if length >= asked - 0.5 / rate else steps / rate}


def _conclude(opened: Any, node_class: type[Monitor], values: dict[str, Any]):
    """Let a monitor note the messages of a Bag, and report on them."""
    rclpy.init(args=[])
    try:
        node = node_class(parameter_overrides=[
            Parameter(name, value=value) for name, value in values.items()])
        try:
            _feed(node, opened)
            node.conclude()
        finally:
            node.destroy_node()
    finally:
        rclpy.try_shutdown()


def _feed(node: Monitor, opened: Any):
    """Call the callbacks of all subscriptions of a node with the messages of a Bag."""
    taken = {one.topic_name: one for one in node.subscriptions if opened.has(one.topic_name)}
    counts = {topic: len(signature(one.callback).parameters) for topic, one in taken.items()}

    def decode(topic, data):
        kind = taken[topic].msg_type
        if taken[topic].raw:
            serialised_stamp(bytes(data))       # raises what counts as damaged
            return bytes(data)
        message = deserialize_message(bytes(data), kind)
        if hasattr(message, 'header'):
            sound_nanoseconds(message.header.stamp)
        return message

    for topic, arrival, message in opened.decoded(taken, decode):
        info = {'source_timestamp': arrival, 'received_timestamp': arrival}
        taken[topic].callback(*(message, info)[:counts[topic]])


if __name__ == '__main__':
    sys.exit(main())
