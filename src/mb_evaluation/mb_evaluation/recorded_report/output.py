"""A report of what a recording judges as table, page and picture."""

from mb_evaluation.panels.curves import REACH, Band, Curve
from mb_evaluation.panels.matplotlib_backend import draw, label_across, new_figure, set_heading
from mb_evaluation.panels.panel import Panel
from mb_evaluation.recorded_report.report import objections
from mb_evaluation.reports.markdown import table_lines
from mb_evaluation.reports.report_file import write_report
from mb_model.command_api import table
from mb_model.file_api import whole_file

HEADINGS = ('quantity', 'unit', 'RMSE of a constant', 'RMSE, causal', 'largest error',
            '95 % interval holds [%]')
CONSTANT = 'The constant is zero for a force, and for a sensor the mean of all its readings.'


def recorded_table(report):
    """Return the table for the terminal."""
    return table(HEADINGS, [_rows(report)], title_of(report), [CONSTANT, verdict_text(report)],
                 words=(0, 1))


def title_of(report):
    """Return a title that says what was estimated."""
    return f'{report["recording"]}: by {report["estimator"]}, {report["duration"]:.1f} s'


def verdict_text(report):
    """Return the verdict in words."""
    found = objections(report)
    return f'FAILED: {"; ".join(found)}' if found else 'PASSED: nearer to the truth than a constant'


def write_recorded(report, judged, folder):
    """Write report.json, .md and .png into a folder, together; see recorded_report."""
    folder.mkdir(parents=True, exist_ok=True)
    with (whole_file(folder / 'report.json') as figures,
          whole_file(folder / 'report.md') as text,
          whole_file(folder / 'report.png') as picture):
        write_report(report, figures)
        text.write_text('\n'.join([
            f'# {title_of(report)}', '', verdict_text(report), '', report['given'], '',
            *table_lines(HEADINGS, _rows(report)), '', CONSTANT, '',
            '![Truth and estimate over time](report.png)', '']), encoding='utf-8')
        _draw(report, judged, picture)


def _rows(report):
    return [(one['name'], one['unit'],
             *(f'{one[key]:.3g}' for key in ('constant_rmse', 'rmse', 'largest_error')),
             '-' if one['held'] is None else f'{100.0 * one["held"]:.1f}')
            for one in report['judged']]


def _draw(report, judged, path):
    """Draw every quantity over time."""
    figure = new_figure(15.0, 1.6 + 3.0 * len(judged))
    set_heading(figure, title_of(report), verdict_text(report), not objections(report))
    places = figure.subplots(len(judged), 1, sharex=True, squeeze=False)[:, 0]
    for axes, one in zip(places, judged, strict=True):
        t = 1e-9 * (one.stamps - judged[0].stamps[0])
        reach = REACH * one.deviation
        panel = Panel(one.name, one.unit, (
            Band('95 % interval', t, one.found - reach, one.found + reach),
            Curve('truth', t, one.truth, 'truth', 1.7),
            Curve('estimate', t, one.found, 'observer', 1.7)), across='time')
        draw(axes, panel)
    label_across(places[-1], panel)
    figure.savefig(path, dpi=120, facecolor='white')
