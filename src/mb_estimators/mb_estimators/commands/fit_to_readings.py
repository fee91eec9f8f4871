"""The engine that fits noises of plant and sensors, and numbers of a machine, to readings."""

from argparse import Namespace
from collections.abc import Generator, Sequence
from pathlib import Path

from mb_estimators.commands.fit_request import Engine, FitOutcome, FitRequest, Written
from mb_estimators.commands.node_parameters import parameters_text
from mb_estimators.commands.recorded_readings import recorded_readings
from mb_estimators.filters.error_ekf_ej import ErrorEkfEj
from mb_estimators.filters.machine_noise import machine_defaults
from mb_estimators.fitting.by_readings.fit_readings import ReadingFit, fit_readings
from mb_estimators.fitting.by_readings.outcome import (
    noise_settings,
    reading_sections,
    reading_tables,
)
from mb_estimators.fitting.by_readings.reading_settings import ReadingSettings
from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.free_numbers import free_paths
from mb_estimators.fitting.locations import LOCATIONS, location_deviations, location_paths
from mb_model import Mechanism
from mb_model.command_api import fit_settings, working
from mb_model.file_api import merged, parameter_overrides

NOISES = 'noises'
GROUPS = {NOISES: 'densities of the accelerations of the model, of sensors and their biases',
          LOCATIONS: 'lengths of bodies, and points on them and on the ground'}
_SENSORS, _OF_NOISE = 'sensors.', ('.sigma', '.bias_walk')


def _takes(_: FitRequest, __: str) -> bool:
    """Return True: readings say something of every number."""
    return True


def _run(request: FitRequest, words: Sequence[str]) -> Generator[str, None, FitOutcome]:
    """Fit noises and numbers of words; see Engine."""
    given = request.options
    settings = fit_settings(given.fit, FitSettings)
    own = reading_settings(given, request.mechanism)
    mechanism, overrides = _known(request)
    noises, paths, located = split_words(mechanism, words, given.drives or mechanism.drives)
    numbers = dict.fromkeys(paths, settings.prior_deviation)
    numbers |= location_deviations(mechanism, located)
    numbers |= {path: share for path, share in request.priors.items() if path in numbers}
    bags = []
    for bag, one in zip(request.bags, recorded_readings(request), strict=True):
        bags.append(one)
        yield f'{bag}: {len(one.recording.stamps)} instants, {one.recording.t[-1]:g} s'
    with working('fitting'):
        fitted = fit_readings(mechanism, bags[0].sensors, [one.recording for one in bags],
                              bags[0].dt, noises, numbers, own, settings.held_out)
    notes = (*(note for one in bags for note in one.notes), *fitted.notes)
    return FitOutcome(
        merged(overrides, fitted.overrides), fitted.mechanism, tuple(reading_tables(fitted)),
        notes, (f'{fitted.passes} passes of a filter over the readings.',),
        reading_sections(fitted), (_parameter_file(request, fitted, bags[0].dt, notes),))


READINGS = Engine(GROUPS, _takes, _run, frozenset(('known', 'prior', 'fit', 'readings')))


def reading_settings(given: Namespace, mechanism: Mechanism) -> ReadingSettings:
    """Return the ReadingSettings of --readings, with the default noise of a fast machine."""
    settings = fit_settings(given.readings, ReadingSettings, '--readings')
    defaults = machine_defaults(ErrorEkfEj, mechanism)
    default = ReadingSettings().acceleration_psd
    if settings.acceleration_psd != default or 'acceleration_psd' not in defaults:
        return settings
    return ReadingSettings(**(vars(settings) | defaults))


def split_words(mechanism: Mechanism, words: Sequence[str],
                drives: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """Return patterns of noises of sensors, paths of numbers, and of points, that words mean.

    Raises FitError.
    """
    noises, others, located = [], [], []
    for word in words or [NOISES]:
        if word == NOISES:
            noises.append('*')
        elif word.endswith(_OF_NOISE):
            noises.append(word.removeprefix(_SENSORS))
        elif some := location_paths(mechanism, word):
            located += some
        elif word == LOCATIONS:
            raise FitError(f'--free {word}: {mechanism.name} has none that can be free '
                           f'({GROUPS[LOCATIONS]})')
        elif word != 'acceleration_psd':        # always free
            others.append(word)
    paths = free_paths(mechanism, others, drives)[0] if others else []
    return noises, paths, list(dict.fromkeys(located))


def _known(request: FitRequest) -> tuple[Mechanism, dict[str, float]]:
    """Return the mechanism with the numbers that are known, and these as overrides."""
    first, *others = request.known
    if any(known != first for known in others):
        raise FitError('--known: by readings a number is the same in all bags; expected one value')
    overrides = parameter_overrides(request.mechanism, first) if first else {}
    return request.mechanism.replace(**overrides) if overrides else request.mechanism, overrides


def _parameter_file(request: FitRequest, fitted: ReadingFit, dt: float,
                    notes: Sequence[str]) -> Written:
    """Return the file of parameters for an estimator, beside the mechanism."""
    output = Path(request.options.output)
    path = output.with_name(f'{output.stem}_estimator.yaml')
    return Written('parameters', path, parameters_text(
        str(output.absolute()), 'error_ekf_ej', [one.name for one in fitted.sensors], dt,
        noise_settings(fitted), (f'Fitted to {", ".join(request.bags)}.', *notes)))
