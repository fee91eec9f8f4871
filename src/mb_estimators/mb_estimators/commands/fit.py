"""Fit a machine's numbers, and the noises of its model and sensors, to bags."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
import sys
from typing import Any

from mb_estimators.commands.fit_engines import chosen_engines, groups
from mb_estimators.commands.fit_request import FitOutcome, FitRequest
from mb_estimators.commands.node_parameters import add_file_arguments
from mb_estimators.commands.options import add_truth_argument, command_parser, run_command
from mb_estimators.fitting.by_readings.reading_settings import ReadingSettings
from mb_estimators.fitting.fit_settings import FitSettings
from mb_estimators.fitting.page import write_page
from mb_estimators.fitting.recorded import add_torques_arguments
from mb_estimators.fitting.suggestion import MotionSettings
from mb_model import load_mechanism
from mb_model.command_api import (
    POSITIVE,
    add_fit_argument,
    extended,
    fit_settings,
    laid_out,
    require_file,
)
from mb_model.file_api import merged, overrides_text, write_whole
from mb_sensors.command_api import add_mechanism_argument, add_motion_arguments, mechanism_of

_DT = 5e-3
_EXAMPLE = """
examples, everything that a motion shows; what two bags say of a load of which one has none; noises
for an estimator, and a mass, of a bag without forces:
  ros2 run mb_estimators fit my_run/bag --sensors encoders --free masses inertias friction
  ros2 run mb_estimators fit empty/bag loaded/bag --sensors encoders \\
      --free bodies.load.* --known bodies.load.mass=0,?
  ros2 run mb_estimators fit results/latest/bag --free noises bodies.coupler.mass
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_fit, _parser(), arguments, 'no solution')


def _parser() -> ArgumentParser:
    parser = command_parser('fit', __doc__, _EXAMPLE)
    parser.add_argument('bags', nargs='+', metavar='BAG',
                        help='folders of bags with a motion without contacts; numbers are fitted '
                        'to forces of drives where there are some, else to readings')
    add_mechanism_argument(parser)
    taken = '; '.join(f'{name}: {text}' for name, text in groups().items())
    parser.add_argument('--free', nargs='+', metavar='NUMBER',
                        default=[],
                        help=f'groups ({taken}), paths of numbers in the mechanism file such as '
                        'bodies.*.mass, names of its parameters (what there is of masses, inertias '
                        'and friction, but velocities of its transitions)')
    add_motion_arguments(parser, required=False)
    add_file_arguments(parser)
    parser.set_defaults(fallback={'dt': _DT})
    parser.add_argument('--dt', type=POSITIVE,
                        help='longest step of the model between readings [s] '
                        f'(default: as in the recorded run, or else {_DT:g})')
    parser.add_argument('--drives', nargs='+', metavar='NAME',
                        help='coordinates that drives act on (default: drives in the mechanism)')
    add_torques_arguments(parser)
    add_truth_argument(parser)
    parser.add_argument('--known', action='append', default=[], metavar='NUMBER=V[,V...]',
                        help='value of a number in all bags, or in each, ? where it is fitted; a '
                        'body of known mass 0 is not there; repeatable')
    parser.add_argument('--prior', action='append', default=[], metavar='NUMBER=SHARE',
                        help='standard deviation of what the file says of a mass or single number, '
                        'a share of it; repeatable')
    add_fit_argument(parser, FitSettings)
    add_fit_argument(parser, ReadingSettings, '--readings', 'a fit to readings')
    parser.add_argument('--residual', action='store_true',
                        help='learn what positions and rates of the coordinates foresee of the '
                        'forces that the fitted numbers leave; it is written if held-out data '
                        'confirm it')
    parser.add_argument('--suggest', metavar='FILE',
                        help='write a motion, .csv, that would show most of what is left open')
    add_fit_argument(parser, MotionSettings, '--motion', 'that motion')
    parser.add_argument('--output', default='fitted.yaml', metavar='FILE',
                        help='of a mechanism that extends this one (%(default)s); a page .html is '
                        'written beside it')
    return parser


def _fit(given: Namespace) -> Iterator[str]:
    """Yield lines of text about the progress."""
    require_file('--output', given.output)
    page = Path(given.output).with_suffix('.html')
    require_file('--output', page)
    if page == Path(given.output):
        raise ValueError(f'--output {page}: is its page, expected the name of a mechanism file')
    if given.suggest:
        require_file('--suggest', given.suggest)
    fit_settings(given.fit, FitSettings)
    fit_settings(given.motion, MotionSettings, '--motion')
    fit_settings(given.readings, ReadingSettings, '--readings')
    priors = {name: _number('--prior', name, text) for name, text in _pairs('--prior', given.prior)}
    known = _known(given.known, len(given.bags))
    file = mechanism_of(given.mechanism, given.bags[0])
    request = FitRequest(file, load_mechanism(file), given.bags, known, priors, given)
    every: list[FitOutcome] = []
    for engine, words in chosen_engines(request, given.free):
        outcome = yield from engine.run(request, words)
        request = replace(request, mechanism=outcome.mechanism)
        every.append(outcome)
    yield from _results(given, request, every)


def _results(given: Namespace, request: FitRequest, every: Sequence[FitOutcome]) -> Iterator[str]:
    """Write what comes of engines; yield it as text."""
    yield from (laid_out(one) for outcome in every for one in outcome.tables)
    notes = [note for outcome in every for note in outcome.notes]
    comments = [line for outcome in every for line in outcome.comments]
    yield from notes
    overrides: dict[str, Any] = {}
    for outcome in every:
        overrides = merged(overrides, outcome.overrides)
    write_whole(given.output, overrides_text(extended(request.file), overrides, (
        f'Fitted to {", ".join(given.bags)}.', *comments, *notes)))
    page = Path(given.output).with_suffix('.html')
    write_page(page, request.mechanism.name, given.bags,
               [section for outcome in every for section in outcome.sections], notes)
    yield f'mechanism      {given.output}'
    yield f'page           {page}'
    for written in (one for outcome in every for one in outcome.files):
        write_whole(written.path, written.text)
        yield f'{written.label:<14} {written.path}'


def _pairs(option: str, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for text in texts:
        name, equals, value = text.partition('=')
        if not (name and equals and value):
            raise ValueError(f'{option} {text}: expected NUMBER=VALUE')
        yield name, value


def _number(option: str, name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f'{option} {name}={text}: expected a number') from None


def _known(texts: Sequence[str], bags: int) -> list[Mapping[str, float]]:
    """Return the known numbers of each bag."""
    known: list[dict[str, float]] = [{} for _ in range(bags)]
    for name, text in _pairs('--known', texts):
        values = text.split(',')
        if len(values) not in (1, bags):
            raise ValueError(f'--known {name}={text}: {len(values)} values, expected one, or one '
                             f'for each of {bags} bags')
        for of_bag, value in zip(known, values * bags if len(values) == 1 else values,
                                 strict=False):
            if value != '?':
                of_bag[name] = _number('--known', name, value)
    return known


if __name__ == '__main__':
    sys.exit(main())
