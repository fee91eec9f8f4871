"""Commands that do with bags what a node does live: bags in, and one out."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from heapq import merge
from pathlib import Path
from typing import Any

from mb_contact.detection.messages import STATE, STATE_TYPE
from mb_estimators.command_api import recorded_parameters, run_command
from mb_model import SettingError, Settings
from mb_model.command_api import FAILURE, assigned
from mb_model.file_api import (
    COMPRESSIONS,
    RECORDED,
    STORAGES,
    GivenParameters,
    new_bag,
    read_parameters,
)
from mb_ros.states import type_name
from mb_sensors import open_bag

_HOW = ('`ros2 run mb_estimators estimate_bag` makes estimates of readings, in a bag that is given '
        'after this one')
_STAMPS = 'stamps'      # what becomes of stamps that no clock shows, of all nodes
_ESTIMATOR = 'estimator'        # node whose mechanism counts where the command's own has none
_MOST_PROBLEMS = 10     # that are printed


def main_of(engine_of: Callable[[argparse.Namespace], Any], parser: argparse.ArgumentParser,
            arguments: Sequence[str] | None) -> int:
    """Run a command by its parser and arguments; return the exit code.

    engine_of(options): the class of the engine of a node.  It has `node`, the name of the node;
    `options`, parameters that are options of the command; `settings`, the classes of all its
    parameters; `kinds` and `parts` as `_written` takes them; `problem`, words for a number of
    messages with a problem.  An engine of GivenParameters and report(words) has `topics` that it
    reads; take(number of the topic, message), which yields what the node would publish; and
    lines(failures), which yields lines of text and appends why there is nothing to report.
    """
    failures = []
    code = run_command(lambda given: _run(engine_of(given), given, failures), parser, arguments)
    return code or (FAILURE if failures else 0)


def _run(engine_class: Any, given: argparse.Namespace, failures: list[str]) -> Iterator[str]:
    """Yield lines of text about what an engine makes of bags."""
    if given.output and Path(given.output).exists():
        raise FileExistsError(f'--output {given.output}: already exists')
    given.name = given.name or engine_class.node
    parameters = bag_parameters(given, ('mechanism', *engine_class.options), *engine_class.settings)
    problems, damage = Counter(), []
    engine = engine_class(parameters, lambda words: problems.update([words]))
    with open_bags(given.bags, 'HydraulicState', report=damage.append,
                   stamps=parameters.values.get('stamps')) as bags, \
            _written(given, engine.kinds, *engine.parts) as write:
        for arrival, number, message in bags.inputs(engine.topics):
            for published in engine.take(number, message):
                write(arrival, published)
    yield from damage
    for words, count in problems.most_common(_MOST_PROBLEMS):
        yield f'{count} {engine_class.problem}: {words}'
    yield from engine.lines(failures)
    if given.output:
        yield f'wrote {given.output}'


@contextmanager
def open_bags(folders: Sequence[str | Path], *types: str, **options: Any) -> Iterator['Bags']:
    """Open the Bags of folders; types, options: see open_reader.

    Raises FileNotFoundError, BagError, also later.
    """
    with ExitStack() as stack:
        yield Bags(folders, [stack.enter_context(open_bag(folder, *types, **options))
                             for folder in folders])


class Bags:
    """Open bags, of which the last one that has a topic counts."""

    def __init__(self, folders: Sequence[str | Path], bags: Sequence[Any]) -> None:
        """Set up for open Bags of folders."""
        self._folders, self._bags = folders, bags

    def inputs(self, topics: Iterable[tuple[str, str]]) -> Iterator[tuple[int, int, Any]]:
        """Yield (arrival [ns], number of the input, message) of topics, (name, type) each.

        Raises ValueError for a topic that no bag has.
        """
        chosen = {}
        for number, (name, kind) in enumerate(topics):
            index, topic = self._named(name, kind)
            chosen.setdefault(index, {})[topic] = number
        streams = [self._numbered(self._bags[index], numbers) for index, numbers in chosen.items()]
        yield from merge(*streams, key=lambda item: item[0])

    def _numbered(self, bag: Any, numbers: Mapping[str, int]) -> Iterator[tuple[int, int, Any]]:
        for topic, arrival, message in bag.messages(numbers):
            yield arrival, numbers[topic], message

    def _named(self, name: str, kind: str) -> tuple[int, str]:
        """Return (number of a bag, topic)."""
        error = None
        for index, bag in reversed(list(enumerate(self._bags))):
            try:
                return index, bag.named(name, kind)
            except ValueError as refusal:
                error = error or refusal
        if (name, kind) == (STATE, STATE_TYPE):
            raise ValueError(f'{error}; {_HOW}')
        raise error


def bag_parser(command: str, documentation: str | None, examples: str,
               node: str) -> argparse.ArgumentParser:
    """Return an argparse parser with bags, parameters and output.

    node: that would do it live, whose name the command takes where none is given.
    """
    parser = argparse.ArgumentParser(
        prog=f'ros2 run mb_contact {command}', description=documentation, epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('bags', metavar='BAG', nargs='+', help='folder of a bag; of several the '
                        'last one that has a topic counts')
    parser.add_argument('--mechanism', metavar='NAME', help='name of a mechanism or path of its '
                        'file (default: as in the recorded run)')
    parser.add_argument('--config', nargs='+', metavar='FILE', help='parameter files of the node, '
                        f'later ones count more (default: {RECORDED} beside the bags)')
    parser.add_argument('--name', metavar='NODE', help='whose section of the files counts, and '
                        f'whose topic is written ({node})')
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VALUE',
                        dest='settings', help='parameters of the node; repeatable')
    parser.add_argument('--output', metavar='BAG', help='folder of a new bag with what the node '
                        'would publish (default: none is written)')
    parser.add_argument('--storage', default='mcap', choices=STORAGES, help='(%(default)s)')
    parser.add_argument('--compression-mode', default='none', choices=COMPRESSIONS,
                        help='of the new bag, with zstd (%(default)s)')
    return parser


def bag_parameters(given: argparse.Namespace, options: Iterable[str],
                   *classes: type[Settings] | tuple[str, type[Settings]]) -> GivenParameters:
    """Return the GivenParameters of a command: of files, then of its options, then of --set.

    options: names of options that are parameters; classes: Settings that --set may name, or pairs
    of a prefix and such.  Raises OSError, ValueError.
    """
    for bag in given.bags:
        if not Path(bag).exists():
            raise FileNotFoundError(f'{bag}: no such bag')
    files = given.config or [file for bag in given.bags for file in recorded_parameters(bag)]
    values = read_parameters(files, given.name)
    beside = read_parameters(files, _ESTIMATOR)
    if 'mechanism' not in values and 'mechanism' in beside:
        values['mechanism'] = beside['mechanism']
    values |= {name: getattr(given, name) for name in options
               if getattr(given, name) is not None}
    chosen = assigned(given.settings, '--set')
    known = [prefix + name for prefix, settings in (
        one if isinstance(one, tuple) else ('', one) for one in classes)
        for name, _, _ in settings.describe()]
    for name in chosen:
        if name not in (*known, _STAMPS):
            raise SettingError(f'--set: {name}: no such setting of {given.name}, expected one of '
                               f'{", ".join(known)}')
    values |= chosen
    if 'mechanism' not in values:
        raise ValueError('--mechanism: missing; there is none in parameters of a recorded run')
    return GivenParameters(values, ', '.join(given.config or ['parameters']))


@contextmanager
def _written(given: argparse.Namespace, kinds: Mapping[str, type],
             *parts: str) -> Iterator[Callable[[int, Any], None]]:
    """Give write(arrival [ns], message) into the new bag of a command, if it has one.

    kinds: topic below the name of the node -> class of its messages, another one of each; parts:
    names of messages of mb_interfaces that these have in them.
    """
    if not given.output:
        yield lambda arrival, message: None
        return
    names = {kind: type_name(kind) for kind in kinds.values()}
    types = (*parts, *(kind.__name__ for kind, name in names.items()
                       if name.startswith('mb_interfaces/')))
    topics = {kind: f'/{given.name}/{topic}' for topic, kind in kinds.items()}
    with new_bag(given.output, given.storage, given.compression_mode, types) as bag:
        for kind, topic in topics.items():
            bag.add_topic(topic, names[kind])
        yield lambda arrival, message: bag.write(topics[type(message)], arrival, message)
