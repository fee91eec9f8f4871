"""Panels of the innovations: themselves, their NIS, their spectrum."""

import numpy as np

from mb_estimators import white_band
from mb_evaluation.accuracy.innovation_courses import (
    WINDOW,
    channels,
    nis_course,
    shown,
    spectrum_course,
)
from mb_evaluation.panels.curves import REACH, Curve
from mb_evaluation.panels.panel import Panel, between, level


def innovation_panels(run):
    """Return the panels of an AccuracyLog: none if there are no innovations."""
    found = _innovation(run), _nis(run), _spectrum(run)
    return [panel for panel in found if panel.curves]


def _innovation(run):
    curves = tuple(Curve(channel, innovations.seconds(run.start), np.asarray(values),
                         f'channel{k}', width=3.0, dots=True)
                   for k, (channel, innovations, values) in enumerate(channels(run)))
    return Panel('normalized innovation', 'standard deviations', curves,
                 (between(-REACH, REACH, 'band/0.35', '95 % if consistent'),), (-5.0, 5.0))


def _nis(run):
    curves, marks, extremes = [], [level(1.0, 'faint')], [0.5, 2.0]
    for k, innovations in enumerate(shown(run)):
        course = nis_course(innovations, run.start)
        if course is not None:
            time, mean, interval = course
            curves.append(Curve(innovations.sensor, time, mean, f'channel{k}'))
            marks.append(between(*interval, 'band/0.35', '95 % if consistent'))
            extremes += [mean.min() / 1.1, mean.max() * 1.1]
    return Panel(f'NIS per channel, mean over {WINDOW:g} s: 1 if consistent', '', tuple(curves),
                 tuple(marks), (min(extremes), max(extremes)), log=True)


def _spectrum(run):
    curves, extremes, segments = [], [-12.0, 12.0], 1
    for k, (channel, innovations, values) in enumerate(channels(run)):
        course = spectrum_course(values, innovations.rate)
        if course is not None:
            frequencies, density, segments = course
            curves.append(Curve(channel, frequencies, density, f'channel{k}'))
            extremes += [density.min(), density.max()]
    low, high = 10.0 * np.log10(white_band(segments))
    return Panel('spectrum of the innovation: flat if nothing is left to learn',
                 'dB over white noise', tuple(curves),
                 (level(0.0, 'faint'), between(low, high, 'band/0.35', 'white noise, 95 %')),
                 (min(extremes), max(extremes)), across='frequency', across_unit='Hz')
