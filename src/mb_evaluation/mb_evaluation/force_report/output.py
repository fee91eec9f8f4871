"""A report of unknown forces as table, page and picture."""

import numpy as np

from mb_evaluation.force_report.report import objections
from mb_evaluation.panels.curves import Curve
from mb_evaluation.panels.matplotlib_backend import draw, label_across, new_figure, set_heading
from mb_evaluation.panels.panel import Panel
from mb_evaluation.reports.markdown import table_lines
from mb_evaluation.reports.report_file import write_report
from mb_model.command_api import table
from mb_model.file_api import whole_file

HEADINGS = ('unknown force on', 'RMSE of zero [N m]', 'RMSE, causal [N m]', 'largest error [N m]')


def force_table(report):
    """Return the table for the terminal."""
    return table(HEADINGS, [_rows(report)], title_of(report), [verdict_text(report)], words=(0,))


def title_of(report):
    """Return a title that says what was estimated."""
    return f'{report["recording"]}: forces by {report["estimator"]}, {report["duration"]:.1f} s'


def verdict_text(report):
    """Return the verdict in words."""
    found = objections(report)
    return f'FAILED: {"; ".join(found)}' if found else 'PASSED: nearer to the truth than zero'


def write_forces(report, truth, found, folder):
    """Write report.json, .md and .png into a folder, together; see force_report."""
    folder.mkdir(parents=True, exist_ok=True)
    with (whole_file(folder / 'report.json') as figures,
          whole_file(folder / 'report.md') as text,
          whole_file(folder / 'report.png') as picture):
        write_report(report, figures)
        text.write_text('\n'.join([
            f'# {title_of(report)}', '', verdict_text(report), '', report['given'], '',
            *table_lines(HEADINGS, _rows(report)), '', '![Forces over time](report.png)', '']),
            encoding='utf-8')
        _draw(report, truth, found, picture)


def _rows(report):
    return [(name, *(f'{report[key][k]:.3f}' for key in ('zero_rmse', 'rmse', 'largest_error')))
            for k, name in enumerate(report['degrees_of_freedom'])]


def _draw(report, truth, found, path):
    """Draw the forces on every degree of freedom."""
    names = report['degrees_of_freedom']
    figure = new_figure(15.0, 1.6 + 3.0 * len(names))
    set_heading(figure, title_of(report), verdict_text(report), not objections(report))
    places = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    start = min(truth)
    for k, (axes, name) in enumerate(zip(places, names, strict=True)):
        curves = [Curve(x=1e-9 * (np.array(sorted(forces)) - start),
                        y=np.array([forces[stamp][k] for stamp in sorted(forces)]),
                        name=what, colour=colour, width=1.7)
                  for what, forces, colour in (('truth', truth, 'truth'),
                                               ('estimate', found, 'observer'))]
        panel = Panel(f'unknown force on {name}', 'N m', tuple(curves), across='time')
        draw(axes, panel)
    label_across(places[-1], panel)
    figure.savefig(path, dpi=120, facecolor='white')
