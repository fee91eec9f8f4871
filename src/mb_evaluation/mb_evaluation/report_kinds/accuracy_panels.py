"""Panels of a run of the three-simulation method: motion, errors, parameters, innovations."""

from typing import Any, Protocol

import numpy as np

from mb_estimators import mean_interval, spectrum, white_band
from mb_evaluation.accuracy.errors import QUANTITIES, SETTLING_TIME, Errors
from mb_evaluation.accuracy.innovations import Innovations
from mb_evaluation.panels.panel import (
    CHANNELS,
    REACH,
    TRUE,
    Band,
    Curve,
    Panel,
    between,
    level,
    region,
)
from mb_evaluation.reports.report import Figures
from mb_evaluation.run_log.accuracy_log import AccuracyLog, ParameterTrack

LOOKS: dict[str, dict[str, Any]] = {
    'prototype': TRUE,
    'model': {'name': 'model without correction', 'colour': 'model', 'dash': 'dash'},
    'observer': {'name': 'observer', 'colour': 'observer', 'width': 1.8}}
FIRST = 0.25            # of a run; its errors do not count for the reach of a panel [s]
WINDOW = 1.0    # over which the NIS is averaged [s]
FEWEST = 16     # innovations that have a spectrum


def motion_panel(run: AccuracyLog, k: int) -> Panel:
    """Return the Panel of truth, model and observer of degree of freedom k of an AccuracyLog."""
    name = run.names[k]
    tracks = {stream: run.track(stream) for stream in LOOKS}
    first = next((track for track in tracks.values() if len(track)), None)
    return Panel(name, run.units.get(name, 'rad'), tuple(
        Curve(x=track.seconds(run.start), y=track.shown(first)[:, k], **LOOKS[stream])
        for stream, track in tracks.items() if len(track)))


def error_panel(errors: Errors, figures: Figures, k: int, quantity: str) -> Panel:
    """Return the Panel of errors of the observer within the band that it claims.

    k: degree of freedom; quantity: one of QUANTITIES.
    """
    sigma = dict(zip(QUANTITIES, errors.deviations, strict=True))
    error, reach = getattr(errors, quantity)[:, k], REACH * sigma[quantity][:, k]
    known = np.isfinite(reach).any()
    curve = Curve('observer', errors.time, error, 'observer', 1.2, reach=reach if known else None)
    band = (Band('95 % claimed', errors.time, -reach, reach),) if known else ()
    late = errors.time >= min(FIRST, 0.5 * errors.time[-1])
    most = 1.35 * np.nanmax(np.abs((error[late], reach[late])), initial=0.0)
    marks = (level(0.0, 'faint'),
             region(0.0, min(SETTLING_TIME, errors.time[-1]), 'settling/0.12', 'settling'))
    unit = figures['units'][k] + QUANTITIES[quantity]
    settled = figures['observer'][f'{quantity}_rmse_after_2s'][k]
    return Panel(f'{figures["degrees_of_freedom"][k]}: error of the {quantity}', unit,
                 (*band, curve), marks, (-most, most) if most else None,
                 note='' if settled is None else f'RMSE after 2 s: {settled:.4g} {unit}')


def parameter_panel(track: ParameterTrack, start: int) -> Panel:
    """Return the Panel of a ParameterTrack with its band; start: of the run [ns]."""
    time = (np.array(track.stamps) - start) * 1e-9
    values, reach = np.array(track.values), REACH * np.array(track.deviations)
    marks = () if track.truth is None else (
        level(track.truth, 'truth/0.35', 'prototype (truth)', width=4.0),)
    return Panel(f'parameter {track.name}', 'unit of the file',
                 (Band('95 % claimed', time, values - reach, values + reach),
                  Curve('observer', time, values, 'observer', reach=reach)), marks)


class Innovating(Protocol):
    """What has the Innovations of sensors, by name, and a start [ns]: an AccuracyLog."""

    innovations: dict[str, Innovations]
    start: int


def innovation_panels(run: Innovating) -> list[Panel]:
    """Return the panels of the innovations of a run: none if there are no innovations."""
    panels = _innovation(run), _nis(run), _spectrum(run)
    return [panel for panel in panels if panel.curves]


def _innovation(run: Innovating):
    curves = tuple(Curve(channel, innovations.seconds(run.start), np.asarray(values),
                         f'channel{k}', width=3.0, dots=True)
                   for k, (channel, innovations, values) in enumerate(_channels(run)))
    return Panel('normalized innovation', 'standard deviations', curves,
                 (between(-REACH, REACH, 'band/0.35', '95 % if consistent'),), (-5.0, 5.0))


def _nis(run: Innovating):
    curves, marks, extremes = [], [level(1.0, 'faint')], [0.5, 2.0]
    for k, innovations in enumerate(_shown(run)):
        course = nis_course(innovations, run.start)
        if course is not None:
            time, mean, interval = course
            curves.append(Curve(innovations.sensor, time, mean, f'channel{k}'))
            marks.append(between(*interval, 'band/0.35', '95 % if consistent'))
            extremes += [mean.min() / 1.1, mean.max() * 1.1]
    return Panel(f'NIS per channel, mean over {WINDOW:g} s: 1 if consistent', '', tuple(curves),
                 tuple(marks), (min(extremes), max(extremes)), log=True)


def _spectrum(run: Innovating):
    curves, extremes, segments = [], [-12.0, 12.0], 1
    for k, (channel, innovations, values) in enumerate(_channels(run)):
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


def _shown(run: Innovating):
    """Return the Innovations of a run, as many as can be shown."""
    return [one for one in run.innovations.values() if one.stamps][:CHANNELS]


def _channels(run: Innovating):
    """Return (channel, Innovations, whitened values (k)) of as many as can be shown."""
    return [(channel, innovations, values)
            for innovations in run.innovations.values() if innovations.stamps
            for channel, values in zip(innovations.channels, np.transpose(innovations.whitened),
                                       strict=True)][:CHANNELS]


def nis_course(innovations: Innovations, start: int) -> tuple[
        np.ndarray, np.ndarray, tuple[float, float]] | None:
    """Return (time (k) [s], mean NIS per channel over WINDOW (k), its 95 % interval), or None.

    start: of the run [ns].
    """
    count = round(WINDOW * innovations.rate) if len(innovations.stamps) > 1 else 1
    if len(innovations.stamps) < count:
        return None
    size = len(innovations.channels)
    mean = np.convolve(innovations.nis, np.full(count, 1.0 / count / size), 'valid')
    low, high = mean_interval(size, count)
    return innovations.seconds(start)[count - 1:], mean, (low / size, high / size)


def spectrum_course(values: np.ndarray, rate: float) -> tuple[
        np.ndarray, np.ndarray, int] | None:
    """Return (frequencies (k) [Hz], density over white noise's (k) [dB], segments), or None.

    values: whitened innovations of a channel; rate: of them [Hz].
    """
    if len(values) < FEWEST:
        return None
    frequencies, density, segments = spectrum(values, rate)
    return frequencies, 10.0 * np.log10(np.maximum(density * rate / 2.0, 1e-6)), segments
