"""The picture of a run: truth, model, observer with its band, the innovation and its spectrum."""

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
import numpy as np

from mb_evaluation.accuracy.errors import SETTLING_TIME
from mb_evaluation.accuracy.innovation_panels import draw_innovations
from mb_evaluation.accuracy.parameters import draw_parameter
from mb_evaluation.accuracy.table import title_of
from mb_evaluation.accuracy.verdict import verdict_lines
from mb_evaluation.panels.looks import (
    BAND,
    CHANNEL_COLOURS,
    MANY,
    MODEL,
    OBSERVER,
    TRUTH,
    clean,
    legend_above,
)

LOOKS = {
    'prototype': {'label': 'prototype (truth)', 'color': TRUTH, 'linewidth': 3.2, 'alpha': 0.35},
    'model': {'label': 'model without correction', 'color': MODEL, 'linewidth': 1.6,
              'linestyle': '--'},
    'observer': {'label': 'observer', 'color': OBSERVER, 'linewidth': 1.4},
}


def draw_report(run, report, path):
    """Write the picture of an AccuracyLog; path ends in .png, .pdf or .svg."""
    g, parameters = len(run.names), list(run.parameters.values())[:MANY]
    rows = max(2, 2 * g + len(parameters))
    figure = Figure(figsize=(14.0, 4.6 + 2.5 * rows), layout='constrained')
    FigureCanvasAgg(figure)
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
    left, right = figure.subfigures(1, 2, width_ratios=(1.45, 1.0))
    figure.suptitle(title_of(report), fontsize=15, fontweight='bold', x=0.012, ha='left')
    panels = left.subplots(2 * g + 1 + len(parameters), 1, sharex=True, squeeze=False)[:, 0]
    errors = run.errors()
    for k, name in enumerate(run.names):
        _draw_motion(panels[2 * k], run, k, name)
        _draw_error(panels[2 * k + 1], errors, k, name, report)
    _draw_accelerations(panels[2 * g], run, errors, report)
    for axes, track in zip(panels[2 * g + 1:], parameters, strict=True):
        draw_parameter(axes, track, run.start)
        legend_above(axes)
    panels[-1].set_xlabel('simulated time [s]')
    panels[-1].set_xlim(0.0, run.duration)
    innovation, nis, density, figures = right.subplots(4, 1, height_ratios=(1.0, 0.9, 1.0, 1.7))
    draw_innovations(innovation, nis, density, run)
    _draw_figures(figures, report)
    for axes in (*panels, innovation, nis, density):
        clean(axes)
    figure.savefig(path, dpi=130, facecolor='white')


def _draw_motion(axes, run, k, name):
    """Truth, model and observer of one degree of freedom."""
    for stream, look in LOOKS.items():
        track = run.track(stream)
        if len(track):
            axes.plot(track.seconds(run.start), track.z[:, k], **look)
    axes.set_ylabel(f'{name} [{run.units.get(name, "rad")}]')
    legend_above(axes)
    axes.set_title(f'{name}', loc='left')


def _draw_error(axes, errors, k, name, report):
    """Error of the observer within the band that it claims; the settled part fills the panel."""
    axes.set_title(f'{name}: error of the observer', loc='left')
    unit = report['units'][k]
    axes.set_ylabel(f'error [{unit}]')
    if 'observer' not in errors:
        axes.text(0.5, 0.5, 'no estimate was heard', transform=axes.transAxes, ha='center')
        return
    observer = errors['observer']
    sigma = observer.deviations[0][:, k]
    if np.isfinite(sigma).any():
        axes.fill_between(observer.time, -1.96 * sigma, 1.96 * sigma, color=BAND, alpha=0.5,
                          linewidth=0, label=r'$\pm 1.96\,\sigma$ claimed')
    axes.plot(observer.time, observer.position[:, k], color=OBSERVER, linewidth=0.9)
    axes.axhline(0.0, color=TRUTH, linewidth=0.6)
    axes.axvspan(0.0, min(SETTLING_TIME, observer.time[-1]), color='0.93', zorder=-2)
    late = observer.time >= min(0.25, 0.5 * observer.time[-1])
    reach = 1.35 * np.nanmax(np.abs((observer.position[late, k], 1.96 * sigma[late])), initial=0.0)
    if np.isfinite(reach) and reach > 0.0:
        axes.set_ylim(-reach, reach)
    settled = report['observer']['position_rmse_after_2s'][k]
    if settled is not None:
        axes.text(0.995, 0.94, f'RMSE after 2 s: {settled:.4f} {unit}', transform=axes.transAxes,
                  ha='right', va='top', fontweight='bold', color=OBSERVER)
    legend_above(axes)


def _draw_accelerations(axes, run, errors, report):
    """Error of the estimated accelerations, the hardest of the three."""
    axes.set_title('accelerations: error of the observer', loc='left')
    axes.set_ylabel(f'error [{", ".join(dict.fromkeys(report["units"]))}/s²]')
    if 'observer' not in errors:
        return
    observer = errors['observer']
    for k, name in enumerate(run.names):
        sigma = observer.deviations[2][:, k]
        if np.isfinite(sigma).any():
            axes.fill_between(observer.time, -1.96 * sigma, 1.96 * sigma,
                              color=CHANNEL_COLOURS[k % MANY], alpha=0.12, linewidth=0)
        axes.plot(observer.time, observer.acceleration[:, k], linewidth=0.8, label=name,
                  color=CHANNEL_COLOURS[k % MANY])
    axes.axhline(0.0, color=TRUTH, linewidth=0.6)
    if len(run.names) > 1:
        legend_above(axes)


def _draw_figures(axes, report):
    """The figures of the run, as a small table of text."""
    axes.axis('off')
    model, observer = report['model'], report['observer']
    rows = [('RMSE', 'model', 'observer')]
    for k, (name, unit) in enumerate(zip(report['degrees_of_freedom'], report['units'],
                                         strict=True)):
        for label, key, per_time in (('position', 'position_rmse', ''),
                                     ('after 2 s', 'position_rmse_after_2s', ''),
                                     ('velocity', 'velocity_rmse', '/s'),
                                     ('acceleration', 'acceleration_rmse', '/s²')):
            rows.append((f'{name} {label} [{unit}{per_time}]', _number(model and model[key][k]),
                         _number(observer and observer[key][k])))
    consistency = report['consistency']
    nees = consistency['nees']
    rows.append(('NIS per channel (1 if consistent)', '',
                 _number(consistency['nis']['mean_per_channel'])))
    rows.append(('NEES per state after 2 s (1 if consistent)', '',
                 _number(nees and nees['mean_per_state'])))
    rows.append(('real-time factor', '', _number(report['real_time_factor'])))
    rows.append(('messages lost', '', str(report['messages_lost'])))
    verdicts = verdict_lines(report, 66)
    step = 1.0 / max(len(rows) + len(verdicts), 9)
    for i, row in enumerate(rows):
        for x, text, side, colour in zip((0.0, 0.72, 1.0), row, ('left', 'right', 'right'),
                                         (TRUTH, MODEL, OBSERVER), strict=True):
            axes.text(x, 1.0 - (i + 0.5) * step, text, ha=side, va='center', color=colour,
                      transform=axes.transAxes, fontweight='bold' if i == 0 else 'normal')
    for i, line in enumerate(verdicts, len(rows)):
        axes.text(0.0, 1.0 - (i + 0.5) * step, line, va='center', color=OBSERVER,
                  transform=axes.transAxes, fontsize='small')


def _number(value):
    """Return a number with four digits."""
    return '-' if value is None else f'{value:.4g}'
