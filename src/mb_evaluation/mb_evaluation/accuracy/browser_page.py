"""The page of a run for the browser: motion, errors within their bands, innovations, parameters."""

import numpy as np

from mb_evaluation.accuracy.browser_innovations import innovation_panels
from mb_evaluation.accuracy.errors import SETTLING_TIME
from mb_evaluation.accuracy.table import (
    HEADINGS,
    QUANTITIES,
    accuracy_rows,
    caption_lines,
    title_of,
    verdict_text,
)
from mb_evaluation.accuracy.verdict import objections
from mb_evaluation.pages.complaints import complaint_parts
from mb_evaluation.pages.page import Page, Section, beside, lines, table
from mb_evaluation.panels.curves import Band, Curve
from mb_evaluation.panels.panel import Panel, level, region
from mb_evaluation.reports.markdown import made_with

REACH = 1.96    # deviations of a 95 % interval
LOOKS = {'prototype': {'name': 'prototype (truth)', 'colour': '--truth/0.35', 'width': 4.0},
         'model': {'name': 'model without correction', 'colour': '--model', 'dash': 'dash'},
         'observer': {'name': 'observer', 'colour': '--observer', 'width': 1.8}}


def accuracy_page(run, report):
    """Return the Page of an AccuracyLog."""
    errors = run.errors().get('observer')
    motion = [panel for k, name in enumerate(run.names)
              for panel in (_motion(run, k, name), *_errors(errors, run, k, name))]
    parameters = [_parameter(track, run.start) for track in run.parameters.values()]
    sections = [Section('Motion, and error of the observer', motion),
                Section('What the readings still had to say', innovation_panels(run)),
                Section('Parameters of the model', parameters)]
    return Page(
        title=title_of(report), verdict=verdict_text(report).plain, passed=not objections(report),
        tiles=_tiles(report), report=report, duration=run.duration,
        made_with=made_with(report, ('prototype', 'estimator', 'seed', 'created')),
        parts=[beside(table(HEADINGS, accuracy_rows(report)),
                      lines(caption_lines(report, 1000))),
               *(section for section in sections if section.panels),
               *complaint_parts(report)])


def _tiles(report):
    """Return what one asks first."""
    tiles = []
    model, observer = report['model'], report['observer']
    for k, name in enumerate(report['degrees_of_freedom']):
        ours, theirs = (who and (who['position_rmse_after_2s'][k] or who['position_rmse'][k])
                        for who in (observer, model))
        ratio = f'model {theirs:.3g}, {theirs / ours:.0f} times' if ours and theirs else ''
        tiles.append((f'{name}: RMSE after 2 s [{report["units"][k]}]', _number(ours), ratio))
    consistency = report['consistency']
    nees = consistency['nees']
    return [*tiles,
            ('NIS per channel', _number(consistency['nis']['mean_per_channel']), '1 if consistent'),
            ('NEES per state', _number(nees and nees['mean_per_state']), '1 if consistent'),
            ('messages lost', str(report['messages_lost']),
             f'{report["readings"]["used"]} readings used'),
            ('real-time factor', _number(report['real_time_factor']),
             f'{report["duration"]:g} s simulated')]


def _motion(run, k, name):
    """Truth, model and observer of one degree of freedom."""
    tracks = {stream: run.track(stream) for stream in LOOKS}
    return Panel(name, run.units.get(name, 'rad'), tuple(
        Curve(x=track.seconds(run.start), y=track.z[:, k], **LOOKS[stream])
        for stream, track in tracks.items() if len(track)))


def _errors(errors, run, k, name):
    """Yield errors of position, velocity, acceleration, within the bands that are claimed."""
    if errors is None:
        return
    marks = (level(0.0, '--faint'),
             region(0.0, min(SETTLING_TIME, errors.time[-1]), '--settling/0.12', 'settling'))
    late = errors.time >= min(0.25, 0.5 * errors.time[-1])
    for (quantity, _, per_time), sigma in zip(QUANTITIES, errors.deviations, strict=True):
        error, reach = getattr(errors, quantity)[:, k], REACH * sigma[:, k]
        known = np.isfinite(reach).any()
        curve = Curve('observer', errors.time, error, '--observer', 1.2,
                      reach=reach if known else None)
        band = (Band('95 % claimed', errors.time, -reach, reach),) if known else ()
        most = 1.35 * np.nanmax(np.abs((error[late], reach[late])), initial=0.0)
        yield Panel(f'{name}: error of the {quantity}', run.units.get(name, 'rad') + per_time,
                    (*band, curve), marks, (-most, most) if most else None)


def _parameter(track, start):
    """Estimates of a parameter with their band, and the truth."""
    time = (np.array(track.stamps) - start) * 1e-9
    values, reach = np.array(track.values), REACH * np.array(track.deviations)
    marks = () if track.truth is None else (
        level(track.truth, '--truth/0.35', 'prototype (truth)', width=4.0),)
    return Panel(f'parameter {track.name}', 'unit of the file',
                 (Band('95 % claimed', time, values - reach, values + reach),
                  Curve('observer', time, values, '--observer', reach=reach)), marks)


def _number(value):
    return '-' if value is None else f'{value:.3g}'
