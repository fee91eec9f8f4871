"""The table of a finished run with a tool that weighs, on the terminal."""

from rich.text import Text

from mb_evaluation.reports.numbers import number_text, share_text
from mb_evaluation.reports.progress import ended_line
from mb_evaluation.weighing_report.verdict import misses, objections
from mb_model.command_api import table

HEADINGS = ('', 'RMSE', 'largest error', '95 % interval holds', 'goal of the RMSE')


def weighing_table(report):
    """Return the table of angles, loads and forces, with the weighings below it."""
    return table(HEADINGS, [rows_of(report)], title_of(report), caption_lines(report))


def title_of(report):
    """Return one line that describes the run."""
    return f'{report["mechanism"]}: weighed without encoders, by {report["estimator"]}'


def rows_of(report):
    """Return a row of texts for each judged figure."""
    bounds, loads, edge = report['bounds'], report['loads'], report['edge']
    rows = [(f'{name} [deg]', number_text(one['rmse'], '.3g'), number_text(one['largest'], '.3g'),
             share_text(one['coverage_95']), f'{bounds["angle_goal"]:g}')
            for name, one in report['angles'].items()]
    return [*rows, ('load [% of full scale]', number_text(loads.get('rmse'), '.3g'),
                    number_text(loads.get('largest'), '.3g'), share_text(loads.get('coverage_95')),
                    f'{bounds["load_goal"]:g}'),
            ('force at the edge [% of its peak]', number_text(edge.get('rmse'), '.3g'),
             number_text(edge.get('largest'), '.3g'), '-', f'{bounds["force_goal"]:g}')]


def caption_lines(report):
    """Return lines on the weighings, drifts, missed goals, speed and losses."""
    bounds = report['bounds']
    lines = [f'judged from {bounds["learning"]:g} s on, full scale {bounds["full_scale"]:g} kg']
    lines += [f'{one["time"]:.1f} s: weighed {one["net"]:.0f} ± {one["deviation"]:.0f} kg, truth '
              f'{one["truth"]:.0f} kg' for one in report['loads']['weighings']]
    drifts = {name: one['drift'] for name, one in report['angles'].items()
              if one['drift'] is not None}
    if drifts:
        lines.append('drift at rest [deg/min]: ' + ', '.join(
            f'{name} {drift:.2g}' for name, drift in drifts.items()))
    if report['edge']:
        lines.append(f'peak of the force at the edge {1e-3 * report["edge"]["peak"]:.1f} kN')
    lines += [f'goal missed: {miss}' for miss in misses(report)]
    return [*lines, ended_line(report)]


def verdict_text(report):
    """Return the verdict as coloured text."""
    found = objections(report)
    if found:
        return Text('FAILED: ' + '; '.join(found), style='bold red')
    bounds, missed = report['bounds'], len(misses(report))
    return Text(f'PASSED: angles within {bounds["angle_bound"]:g} deg, loads within '
                f'{bounds["load_bound"]:g} %, force within {bounds["force_bound"]:g} % (RMSE), '
                f'nothing lost; goals missed: {missed or "none"}', style='bold green')
