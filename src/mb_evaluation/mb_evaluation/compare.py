"""Compare filters on the readings of one bag: a table, a page and a picture."""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
import os
from pathlib import Path
import sys
from typing import Any

from mb_estimators import EstimatorSettings, filter_class
from mb_estimators.command_api import add_node_arguments, given_parameters
from mb_evaluation.accuracy.estimated import Estimated, estimate
from mb_evaluation.accuracy.recorded_states import ESTIMATE, MODEL, TRUTH, recorded_tracks
from mb_evaluation.accuracy.track import Track
from mb_evaluation.recordings.contents import origin_in
from mb_model import load_mechanism
from mb_model.command_api import POSITIVE_COUNT, run_command, working
from mb_sensors import sensors_of

_EXAMPLE = """
example, with the parameters of the recorded run:
  ros2 run mb_evaluation compare results/latest/bag --estimators error_ekf error_ekf_fe ukf
"""
WIDTH = 142                 # of the table where there is no terminal


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_compare, _parser(), arguments)


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_evaluation compare', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('bag', metavar='BAG', help='folder of a bag with readings')
    add_node_arguments(parser, several=True)
    parser.add_argument('--truth', default=TRUTH, metavar='TOPIC',
                        help='of true MechanismStates (%(default)s); without it in the bag, all '
                        'others are compared with the recorded estimate, or else with the first '
                        'filter')
    parser.add_argument('--output', metavar='FOLDER', help='of comparison.json, .md and .png '
                        '(default: comparison, beside the bag)')
    parser.add_argument('--processes', type=POSITIVE_COUNT, metavar='N',
                        help='default: one for each core')
    return parser


def _compare(given: argparse.Namespace):
    """Yield lines of text about the progress."""
    names = list(dict.fromkeys(given.estimators))
    for name in names:
        filter_class(name)          # raises before the work begins
    chosen = {name: given_parameters(given, estimator=name) for name in names}
    settings = chosen[names[0]].settings_of(EstimatorSettings)
    mechanism = load_mechanism(settings.mechanism)
    sensors = sensors_of(mechanism, settings.sensors)
    damage = []
    recorded = recorded_tracks(given.bag, mechanism, {
        'truth': given.truth, 'model': MODEL, 'recorded': ESTIMATE.format(node=given.name)},
        damage.append)
    compared = [Estimated(name, track) for name, track in recorded.items() if name != 'truth']
    for one in _estimated(given, chosen):
        yield f'{one.name}: {len(one.track)} estimates in {one.wall_time:.2f} s'
        compared.append(one)
    yield from dict.fromkeys([*damage, *(line for one in compared for line in one.damage)])
    reference = _reference(given, recorded, compared)
    # Imported now, as it takes a second.
    from mb_evaluation.report_kinds.comparison_report import REPORT, comparison_figures
    from mb_evaluation.reports.presentation import present, terminal
    from mb_evaluation.reports.report import Report
    figures = comparison_figures({
        'bag': str(given.bag), 'mechanism': mechanism.name, 'has_truth': 'truth' in recorded,
        'origin': origin_in(given.bag, mechanism, chosen[names[0]].values.get('stamps')),
        'sensors': [sensor.name for sensor in sensors]}, mechanism, reference, compared)
    folder = Path(given.output or Path(given.bag).resolve().parent / 'comparison')
    present(Report(REPORT, figures, (reference, compared)),
            terminal(WIDTH), folder, 'comparison')
    yield f'results in {folder}'


def _estimated(given: argparse.Namespace, chosen: Mapping[str, Any]):
    """Yield the Estimated of every filter, in parallel processes."""
    count = min(given.processes or len(os.sched_getaffinity(0)), len(chosen))
    run = partial(estimate, given.bag)
    if count <= 1:
        yield from _awaited(map(run, chosen.values(), chosen), chosen)
        return
    with ProcessPoolExecutor(count) as pool:        # which has forked before anything is awaited
        yield from _awaited(pool.map(run, chosen.values(), chosen), chosen)


def _awaited(estimated: Iterator[Estimated], names: Iterable[str]):
    """Yield the Estimated of filters, by name, in turn; say meanwhile which one is awaited."""
    for name in names:
        with working(f'estimating by {name}'):
            one = next(estimated)
        yield one


def _reference(given: argparse.Namespace, recorded: Mapping[str, Track],
               compared: Sequence[Estimated]):
    """Return (name, Track) that others are compared with, None if there is a filter alone.

    Raises ValueError if there are no estimates.
    """
    if 'truth' in recorded:
        return given.truth, recorded['truth']
    if 'recorded' in recorded:
        return ESTIMATE.format(node=given.name), recorded['recorded']
    filters = [one for one in compared if one.counts and len(one.track)]
    if filters:
        alone = sum(len(one.track) > 0 for one in compared) == 1
        return None if alone else (filters[0].name, filters[0].track)
    problems = [f'{one.name}: {one.problem or "no estimates"}' for one in compared]
    raise ValueError(f'{given.bag}: nothing to compare; {"; ".join(problems)}')


if __name__ == '__main__':
    sys.exit(main())
