"""The engine that finds mountings, delays and biases of IMUs from a motion."""

from collections.abc import Generator, Sequence
from pathlib import Path

import yaml

from mb_estimators.commands.fit_request import Engine, FitOutcome, FitRequest, Written
from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.mountings import (
    MOUNTING_GROUPS,
    MountingRecording,
    MountingsFit,
    chosen_imus,
    fit_mountings,
    takes_mounting,
)
from mb_estimators.fitting.outcome import NUMBERS, QUALITY, number_rows, quality_rows
from mb_estimators.fitting.page import html_table, picture, quality_figure
from mb_model.arrays import FloatArray, IntArray
from mb_model.command_api import fit_settings, table, working
from mb_sensors import NANOSECONDS, motion_of_encoders, open_bag, read_motion, sensors_of

_CHANNELS = ('channel', 'residual', 'of its spread', *QUALITY[3:])
_ALIKE = 'alike: correlation of neighbouring residuals, 0 of white ones'


def _takes(request: FitRequest, word: str) -> bool:
    return takes_mounting(request.mechanism, word)


def _run(request: FitRequest, words: Sequence[str]) -> Generator[str, None, FitOutcome]:
    """Fit the mountings of words; see Engine."""
    settings = fit_settings(request.options.fit, FitSettings)
    recordings = []
    for bag in request.bags:
        recording = _recording(request, bag, words, settings)
        recordings.append(recording)
        length = (recording.motion.stamps[-1] - recording.motion.stamps[0]) / NANOSECONDS
        yield f'{bag}: {length:g} s'
    with working('fitting'):
        fitted = fit_mountings(request.mechanism, words, recordings, settings)
    output = Path(request.options.output)
    files = [Written('calibration', output.with_name(f'{output.stem}_calibration.yaml'),
                     yaml.safe_dump(fitted.calibration, sort_keys=False))
             ] if fitted.calibration else []
    rows = [row for one in fitted.imus for row in quality_rows(one.quality, one.held_out)]
    tables = (table(NUMBERS, [number_rows(fitted.numbers)], 'numbers of IMUs', words=(0, 4)),
              table(_CHANNELS, [rows], 'residuals of readings', (_ALIKE,)))
    return FitOutcome(fitted.overrides, fitted.mechanism, tables, fitted.notes, _comments(fitted),
                      _sections(fitted), tuple(files))


def _recording(request: FitRequest, bag: str, words: Sequence[str], settings: FitSettings
               ) -> MountingRecording:
    """Return the MountingRecording of a bag."""
    given, mechanism = request.options, request.mechanism
    if not (given.sensors or given.states):
        raise FitError('--sensors: missing, expected encoders that give the motion, or --states')
    encoders = sensors_of(mechanism, given.sensors or ())
    with open_bag(bag) as opened:
        if given.states:
            motion = read_motion(opened, mechanism, given.states)
            late = motion.stamps[0] + round(settings.settling_time * NANOSECONDS)
            motion = motion[motion.stamps >= late]
        else:
            motion = motion_of_encoders(mechanism, encoders, *opened.readings(encoders),
                                        settings.imu_knot_spacing)
        readings: dict[str, tuple[IntArray, FloatArray]] = {}
        for imu in chosen_imus(mechanism, words):
            for sensor in imu.sensors:
                try:
                    readings[sensor.name] = opened.readings([sensor])
                except ValueError:      # of a group, others may have been recorded
                    if imu.named:
                        raise
    return MountingRecording(motion, readings)


def _comments(fitted: MountingsFit) -> tuple[str, ...]:
    """Return lines for the mechanism file: what the recordings know, with deviations."""
    return tuple(f'known: {one.path} = {one.value:.6g}, 1 sigma {one.deviation:.2g}'
                 for one in fitted.numbers if one.is_known)


def _sections(fitted: MountingsFit) -> tuple[tuple[str, str], ...]:
    """Return the (heading, HTML) of the page."""
    return (('Numbers of IMUs', html_table(NUMBERS, number_rows(fitted.numbers))),
            *((f'Readings of {", ".join(sensor.name for sensor in one.imu.sensors)}',
               picture(quality_figure(one.quality, one.held_out, one.units, 'readings'))
               + html_table(_CHANNELS, quality_rows(one.quality, one.held_out))
               + f'<p>{_ALIKE}</p>') for one in fitted.imus))


MOUNTINGS = Engine(MOUNTING_GROUPS, _takes, _run, frozenset(('fit',)))
