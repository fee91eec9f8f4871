"""The engine that fits numbers of the oil of a hydraulic machine to readings and commands."""

from collections.abc import Generator, Sequence

from mb_estimators.commands.fit_request import Engine, FitOutcome, FitRequest
from mb_estimators.commands.fit_to_readings import NOISES, reading_settings
from mb_estimators.commands.recorded_readings import recorded_readings
from mb_estimators.fitting.by_readings.fit_readings import fit_readings
from mb_estimators.fitting.by_readings.outcome import reading_sections, reading_tables
from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.oil_numbers import (
    OIL as GROUP,
    OIL_GROUPS,
    is_oil,
    oil_paths,
    shortest_spool,
)
from mb_model.command_api import fit_settings, working

_PART = 8.0             # of the shortest time constant of a spool, that a step may be


def _takes(request: FitRequest, word: str) -> bool:
    """Return whether a word means numbers of the oil, or noises beside such."""
    mechanism = request.mechanism
    return word == GROUP or bool(oil_paths(mechanism, word)) or (word == NOISES and any(
        oil_paths(mechanism, other) for other in request.options.free))


def _run(request: FitRequest, words: Sequence[str]) -> Generator[str, None, FitOutcome]:
    """Fit the numbers of words; see Engine."""
    given, mechanism = request.options, request.mechanism
    settings = fit_settings(given.fit, FitSettings)
    own = reading_settings(given, mechanism)
    paths = [path for word in words for path in oil_paths(mechanism, word)]
    if not paths:
        raise FitError(f'--free {GROUP}: {mechanism.name} has no hydraulics')
    numbers = dict.fromkeys(paths, settings.prior_deviation)
    if missing := sorted(path for path in request.priors if is_oil(path) and path not in numbers):
        raise FitError(f'--prior {", ".join(missing)}: not free, expected some of '
                       f'{", ".join(numbers)}')
    numbers |= {path: share for path, share in request.priors.items() if path in numbers}
    bags = []
    for bag, one in zip(request.bags, recorded_readings(request, of_oil=True), strict=True):
        bags.append(one)
        yield f'{bag}: {len(one.recording.stamps)} instants, {one.recording.t[-1]:g} s'
    if not any(sensor.kind == 'pressure' for sensor in bags[0].sensors):
        raise FitError(f'--free {GROUP}: no sensor of a pressure among '
                       f'{", ".join(sensor.name for sensor in bags[0].sensors)}')
    with working('fitting'):
        fitted = fit_readings(
            mechanism, bags[0].sensors, [one.recording for one in bags],
            min(bags[0].dt, shortest_spool(mechanism) / _PART),
            ('*',) if NOISES in words else (), numbers, own, settings.held_out)
    notes = (*(note for one in bags for note in one.notes), *fitted.notes)
    return FitOutcome(
        fitted.overrides, fitted.mechanism, tuple(reading_tables(fitted)), notes,
        tuple(f'known: {one.text} = {one.value:.6g}, 1 sigma {one.deviation:.2g}'
              for one in fitted.together), reading_sections(fitted))


OIL = Engine(OIL_GROUPS, _takes, _run, frozenset(('prior', 'fit', 'readings')))
