"""Panels of a run of the three-simulation method: motion, errors, parameters."""

import numpy as np

from mb_evaluation.accuracy.errors import SETTLING_TIME
from mb_evaluation.panels.curves import REACH, Band, Curve
from mb_evaluation.panels.panel import Panel, level, region

LOOKS = {'prototype': {'name': 'prototype (truth)', 'colour': 'truth/0.35', 'width': 4.0},
         'model': {'name': 'model without correction', 'colour': 'model', 'dash': 'dash'},
         'observer': {'name': 'observer', 'colour': 'observer', 'width': 1.8}}
FIRST = 0.25            # of a run; its errors do not count for the reach of a panel [s]


def motion_panel(run, k):
    """Return the Panel of truth, model and observer of degree of freedom k of an AccuracyLog."""
    name = run.names[k]
    tracks = {stream: run.track(stream) for stream in LOOKS}
    first = next((track for track in tracks.values() if len(track)), None)
    return Panel(name, run.units.get(name, 'rad'), tuple(
        Curve(x=track.seconds(run.start), y=track.shown(first)[:, k], **LOOKS[stream])
        for stream, track in tracks.items() if len(track)))


def error_panel(errors, report, k, quantity, per_time):
    """Return the Panel of errors of the observer within the band that it claims.

    errors: Errors; k: degree of freedom; quantity: 'position', 'velocity' or 'acceleration';
    per_time: appended to the unit of the degree of freedom.
    """
    sigma = dict(zip(('position', 'velocity', 'acceleration'), errors.deviations, strict=True))
    error, reach = getattr(errors, quantity)[:, k], REACH * sigma[quantity][:, k]
    known = np.isfinite(reach).any()
    curve = Curve('observer', errors.time, error, 'observer', 1.2, reach=reach if known else None)
    band = (Band('95 % claimed', errors.time, -reach, reach),) if known else ()
    late = errors.time >= min(FIRST, 0.5 * errors.time[-1])
    most = 1.35 * np.nanmax(np.abs((error[late], reach[late])), initial=0.0)
    marks = (level(0.0, 'faint'),
             region(0.0, min(SETTLING_TIME, errors.time[-1]), 'settling/0.12', 'settling'))
    unit = report['units'][k] + per_time
    settled = report['observer'][f'{quantity}_rmse_after_2s'][k]
    return Panel(f'{report["degrees_of_freedom"][k]}: error of the {quantity}', unit,
                 (*band, curve), marks, (-most, most) if most else None,
                 note='' if settled is None else f'RMSE after 2 s: {settled:.4g} {unit}')


def parameter_panel(track, start):
    """Return the Panel of a ParameterTrack with its band; start: of the run [ns]."""
    time = (np.array(track.stamps) - start) * 1e-9
    values, reach = np.array(track.values), REACH * np.array(track.deviations)
    marks = () if track.truth is None else (
        level(track.truth, 'truth/0.35', 'prototype (truth)', width=4.0),)
    return Panel(f'parameter {track.name}', 'unit of the file',
                 (Band('95 % claimed', time, values - reach, values + reach),
                  Curve('observer', time, values, 'observer', reach=reach)), marks)
