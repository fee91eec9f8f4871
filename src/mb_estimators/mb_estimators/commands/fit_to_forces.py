"""The engine that fits a machine's numbers to motions and recorded forces of its drives."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path

from mb_estimators.commands.fit_request import Engine, FitOutcome, FitRequest, Written
from mb_estimators.commands.node_parameters import parameters_text
from mb_estimators.fitting.equations import FitRecording
from mb_estimators.fitting.fit import Fit, fit
from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.free_numbers import GROUPS
from mb_estimators.fitting.knot_choice import foreseeing_spacing
from mb_estimators.fitting.learned.learned_residual import learn_residual
from mb_estimators.fitting.learned.outcome import residual_section, residual_table
from mb_estimators.fitting.locations import LOCATIONS
from mb_estimators.fitting.oil import by_pressures, read_oil
from mb_estimators.fitting.outcome import (
    drive_lines,
    fit_comments,
    fit_tables,
    motion_text,
    suggestion_table,
    transmission_settings,
)
from mb_estimators.fitting.page import fit_sections
from mb_estimators.fitting.recorded import TORQUES, has_topic, read_samples
from mb_estimators.fitting.suggestion import MotionSettings, suggest_motion
from mb_model.command_api import fit_settings, working
from mb_model.file_api import merged
from mb_sensors import Sensor, sensors_of

_OF_READINGS = ('noises', 'acceleration_psd', LOCATIONS)


def _takes(request: FitRequest, word: str) -> bool:
    """Return whether forces show the numbers of a word, and the bags have some; '': of no word."""
    if word.startswith('sensors.') or word in _OF_READINGS:
        return False
    if by_pressures(request.mechanism, sensors_of(
            request.mechanism, request.options.sensors or ())) and not request.options.drives:
        return True
    return request.options.torques != TORQUES or has_topic(request.bags[0])


def _run(request: FitRequest, words: Sequence[str]) -> Generator[str, None, FitOutcome]:
    """Fit the numbers of words; see Engine."""
    given, mechanism = request.options, request.mechanism
    settings = fit_settings(given.fit, FitSettings)
    within = fit_settings(given.motion, MotionSettings, '--motion')
    drives = given.drives or mechanism.drives
    if not (given.sensors or given.states):
        raise FitError('--sensors: missing, expected encoders that give the motion, or --states')
    sensors = sensors_of(mechanism, given.sensors or ())
    oil = not given.drives and by_pressures(mechanism, sensors)
    if oil:
        cylinders = mechanism.described.hydraulics.cylinders
        drives = [one.coordinate for one in cylinders.values()]
    chosen = ()
    if not (settings.knot_spacing or given.states):
        with working('choosing knots'):
            settings, chosen = _with_knots(request, words, drives, sensors, settings, oil)
    recordings = _recordings(request, drives, sensors, settings, oil)
    for bag, one in zip(request.bags, recordings, strict=True):
        yield f'{bag}: {one.samples.t[-1]:g} s'
    learned = None
    with working('fitting'):
        if given.residual:
            learned = learn_residual(mechanism, words, recordings, drives, settings,
                                     request.priors)
        fitted = learned.best if learned else fit(
            mechanism, words, recordings, drives, settings, request.priors)
    tables, files = list(fit_tables(fitted)), []
    if learned and learned.fit:
        tables.append(residual_table(learned))
    if filter_settings := transmission_settings(fitted, drives):
        output = Path(given.output)
        filter_settings |= {name: getattr(settings, name) for name in (
            'loss_velocity', 'lash_force', 'lash_time')}
        files.append(Written(
            'parameters', output.with_name(f'{output.stem}_estimator.yaml'), parameters_text(
                str(output.absolute()), 'pulse_ekf', [one.name for one in sensors],
                given.dt or given.fallback['dt'], filter_settings,
                (f'Fitted to {", ".join(request.bags)}.',))))
    if given.suggest:
        with working('searching'):
            suggestion = suggest_motion(fitted, drives, settings, within)
        files.append(Written('motion', given.suggest,
                             motion_text(suggestion, mechanism.independent)))
        tables.append(suggestion_table(fitted, suggestion))
    return FitOutcome(
        merged(learned.overrides if learned else {}, fitted.overrides), fitted.mechanism,
        tuple(tables), (*chosen, *drive_lines(fitted), *fitted.notes,
                        *(learned.notes if learned else ())),
        fit_comments(fitted),
        (*fit_sections(fitted), *([residual_section(learned)] if learned else [])), tuple(files))


def _recordings(request: FitRequest, drives: Sequence[str], sensors: Sequence[Sensor],
                settings: FitSettings, oil: bool) -> list[FitRecording]:
    """Return the FitRecordings of the bags; oil: whether pressures are the forces of drives."""
    given, mechanism = request.options, request.mechanism
    return [FitRecording(read_oil(bag, mechanism, sensors, settings) if oil else read_samples(
        bag, mechanism, drives, sensors, given.states, given.torques, settings.knot_spacing,
        given.torques_are, settings.settling_time), known)
        for bag, known in zip(request.bags, request.known, strict=True)]


def _with_knots(request: FitRequest, words: Sequence[str], drives: Sequence[str],
                sensors: Sequence[Sensor], settings: FitSettings,
                oil: bool) -> tuple[FitSettings, tuple[str, ...]]:
    """Return settings with the knot spacing that foresees forces best, and a sentence about it."""
    def read(spacing: float) -> list[FitRecording]:
        return _recordings(request, drives, sensors, replace(settings, knot_spacing=spacing), oil)

    def fitted(recordings: Sequence[FitRecording], settings: FitSettings) -> Fit:
        return fit(request.mechanism, words, recordings, drives, settings, request.priors)
    spacing, left = foreseeing_spacing(read, fitted, settings)
    tried = ', '.join(f'{one:g} s ({", ".join(f"{value:.3g}" for value in left[one])})'
                      for one in sorted(left))
    return replace(settings, knot_spacing=spacing), (
        f'knots every {spacing:g} s foresee forces best: median residuals of a part left out with '
        f'{tried}',)


FORCES = Engine(GROUPS, _takes, _run, frozenset((
    'known', 'prior', 'fit', 'motion', 'suggest', 'residual')))
