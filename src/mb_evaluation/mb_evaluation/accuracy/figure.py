"""The picture of a run: truth, model, observer with its band, the innovation and its spectrum."""

from mb_evaluation.accuracy.innovation_panels import innovation_panels
from mb_evaluation.accuracy.panels import error_panel, motion_panel, parameter_panel
from mb_evaluation.accuracy.table import title_of
from mb_evaluation.accuracy.verdict import verdict_lines
from mb_evaluation.panels.colours import LIGHT
from mb_evaluation.panels.matplotlib_backend import draw, label_across, new_figure, set_heading
from mb_evaluation.panels.panel import TIME
from mb_evaluation.reports.numbers import number_text

MOST = 4            # parameters that are shown


def draw_report(run, report, path):
    """Write the picture of an AccuracyLog; path ends in .png, .pdf or .svg."""
    shown, beside = _panels(run, report), innovation_panels(run)
    figure = new_figure(14.0, 4.6 + 2.5 * max(2, len(shown)))
    set_heading(figure, title_of(report))
    left, right = figure.subfigures(1, 2, width_ratios=(1.45, 1.0))
    places = left.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
    for axes, panel in zip(places, shown, strict=True):
        draw(axes, panel)
    label_across(places[-1], shown[-1])
    places[-1].set_xlim(0.0, run.duration)
    *places, figures = right.subplots(len(beside) + 1, 1, squeeze=False,
                                      height_ratios=(*(1.0,) * len(beside), 1.7))[:, 0]
    for axes, panel in zip(places, beside, strict=True):
        draw(axes, panel, 'inside', columns=2)
        label_across(axes, panel)
        if panel.across == TIME:
            axes.set_xlim(0.0, run.duration)
    _draw_figures(figures, report)
    figure.savefig(path, dpi=130, facecolor='white')


def _panels(run, report):
    """Return the Panels of motion, errors of position and acceleration, and parameters."""
    errors = run.errors().get('observer')
    found = []
    for k, _ in enumerate(run.names):
        found.append(motion_panel(run, k))
        if errors:
            found += [error_panel(errors, report, k, 'position', ''),
                      error_panel(errors, report, k, 'acceleration', '/s²')]
    return found + [parameter_panel(track, run.start)
                    for track in list(run.parameters.values())[:MOST]]


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
            rows.append((f'{name} {label} [{unit}{per_time}]', number_text(model and model[key][k]),
                         number_text(observer and observer[key][k])))
    consistency = report['consistency']
    nees = consistency['nees']
    rows.append(('NIS per channel (1 if consistent)', '',
                 number_text(consistency['nis']['mean_per_channel'])))
    rows.append(('NEES per state after 2 s (1 if consistent)', '',
                 number_text(nees and nees['mean_per_state'])))
    rows.append(('real-time factor', '', number_text(report['real_time_factor'])))
    rows.append(('messages lost', '', str(report['messages_lost'])))
    verdicts = verdict_lines(report, 66)
    step = 1.0 / max(len(rows) + len(verdicts), 9)
    for i, row in enumerate(rows):
        for x, text, side, name in zip((0.0, 0.72, 1.0), row, ('left', 'right', 'right'),
                                       ('truth', 'model', 'observer'), strict=True):
            axes.text(x, 1.0 - (i + 0.5) * step, text, ha=side, va='center', color=LIGHT[name],
                      transform=axes.transAxes, fontweight='bold' if i == 0 else 'normal')
    for i, line in enumerate(verdicts, len(rows)):
        axes.text(0.0, 1.0 - (i + 0.5) * step, line, va='center', color=LIGHT['observer'],
                  transform=axes.transAxes, fontsize='small')
