"""Make the report of a bag: of a run, as its monitor does at its end, or of any recording.

A bag with a truth and an estimate is a run's, also of an interrupted one: errors are judged, --set
is of its monitor, such as nees_bound=50, times between messages are by their arrival at the
recorder.  Of any other bag, or where a filter is named, readings judge what the filter claims.
The estimate is the one in the bag, or is made of the readings.
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

from mb_estimators.command_api import add_node_arguments, recorded_parameters
from mb_evaluation.nodes.accuracy_monitor import AccuracyMonitorNode
from mb_evaluation.nodes.contact_monitor import ContactMonitorNode
from mb_evaluation.nodes.monitor import Monitor
from mb_evaluation.nodes.payload_monitor import PayloadMonitorNode
from mb_evaluation.recording_report import folder_of, report_recording
from mb_model.command_api import assigned, run_command, working
from mb_model.file_api import read_parameters
from mb_ros.stamps import serialised_stamp, sound_nanoseconds
from mb_sensors import open_bag

_EXAMPLE = """
examples: a run that was interrupted; a run that has a report; a bag of a machine of your own:
  ros2 run mb_evaluation report results/latest
  ros2 run mb_evaluation report results/latest --output again
  ros2 run mb_evaluation report my_bag --mechanism my.yaml --estimator error_ekf_fe
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
    parser.add_argument('bag', metavar='BAG', help='a bag, or the results folder of a run')
    add_node_arguments(parser)
    parser.add_argument('--output', metavar='FOLDER', help='of the report (default: beside a bag '
                        'of this name, else BAG_report)')
    return parser


def _report(given: argparse.Namespace):
    """Yield lines of text; the monitor shows its table itself."""
    bag = Path(given.bag)
    bag = bag / 'bag' if (bag / 'bag').is_dir() else bag
    if not bag.exists():
        raise FileNotFoundError(f'{given.bag}: no such run or bag')
    given.bag, damage = bag, []
    with open_bag(bag, report=damage.append) as opened:
        kind = None if _asks_for_another(given) else _kind(opened)
        folder = Path(given.output or (bag.resolve().parent if kind else folder_of(bag)))
        if (folder / 'report.json').exists():
            raise FileExistsError(f'{folder / "report.json"}: already exists (--output)')
        if kind is not None:
            yield from _conclude(opened, given, folder, *kind)
    if kind is None:
        yield from report_recording(given, folder)
        return
    yield from damage
    yield f'results in {folder}'


def _conclude(opened: Any, given: argparse.Namespace, folder: Path, name: str,
              node_class: type[Monitor], stamps: Mapping[str, list[int]]):
    """Let the monitor of a run judge what is in its bag; yield lines of text."""
    values = {'disturbed': any(topic.startswith(DISTURBED) for topic in opened.topics),
              **_parameters(given.bag, name), **_chosen(given)}
    asked = values.get('duration')
    values |= _length(values, stamps)
    if asked and values['duration'] < asked:
        yield f'the run was interrupted: {values["duration"]:g} of {asked:g} s are judged'
    _let_note(opened, node_class, {**values, 'folder': str(folder)})


def _asks_for_another(given: argparse.Namespace):
    """Return whether options ask for another estimate than the one in the bag."""
    return bool(given.estimator or given.config or any(
        one.startswith('filter.') for one in given.settings))


def _chosen(given: argparse.Namespace):
    """Return parameters of a monitor that options give, by name."""
    chosen = {name: getattr(given, name) for name in ('mechanism', 'sensors')
              if getattr(given, name) is not None}
    return chosen | assigned(given.settings, '--set')


def _kind(opened: Any):
    """Return (name, class) of the monitor of a Bag's run, and its stamps [ns] by topic.

    None where the bag has no truth, or nothing that a monitor judges by it.
    """
    kind = next(((topic, *monitor) for topic, monitor in KINDS.items() if opened.has(topic)), None)
    if kind is None:
        return None
    stamps = _stamps(opened, dict.fromkeys((TRUTH, ESTIMATE, kind[0])))
    return (kind[1], kind[2], stamps) if all(stamps.values()) else None


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


def _let_note(opened: Any, node_class: type[Monitor], values: dict[str, Any]):
    """Let a monitor note the messages of a Bag, and report on them."""
    rclpy.init(args=[])
    try:
        node = node_class(parameter_overrides=[
            Parameter(name, value=value) for name, value in values.items()])
        try:
            with working('reading the messages of the run'):
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
