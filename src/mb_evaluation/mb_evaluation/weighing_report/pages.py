"""The picture and the pages of a run with a tool that weighs."""

from mb_evaluation.pages.complaints import complaint_parts
from mb_evaluation.pages.page import Page, Section, beside, lines, table
from mb_evaluation.panels.matplotlib_backend import draw, label_across, new_figure, set_heading
from mb_evaluation.reports.markdown import complaint_lines, made_with, table_lines
from mb_evaluation.weighing_report.panels import angle_panels, force_panels, load_panel
from mb_evaluation.weighing_report.table import (
    HEADINGS,
    caption_lines,
    rows_of,
    title_of,
    verdict_text,
)
from mb_evaluation.weighing_report.verdict import objections

MADE_WITH = 'prototype', 'estimator', 'cycle', 'seed', 'truth_digest', 'created'


def draw_report(run, report, path):
    """Write the picture of a WeighingLog; path ends in .png, .pdf or .svg."""
    shown = [load_panel(run, report), *angle_panels(run, report), *force_panels(run)]
    figure = new_figure(15.0, 2.6 * len(shown))
    set_heading(figure, title_of(report), verdict_text(report).plain, not objections(report))
    places = figure.subplots(len(shown), 1, sharex=True)
    for axes, panel in zip(places, shown, strict=True):
        draw(axes, panel, columns=4)
        if panel.reach:
            axes.set_ylim(*panel.reach)
    label_across(places[-1], shown[-1])
    places[-1].set_xlim(0.0, run.duration)
    figure.savefig(path, dpi=120, facecolor='white')


def report_page(report, picture):
    """Return the page as Markdown; picture: file name of the picture beside it."""
    return '\n'.join([
        f'# {title_of(report)}', '', f'**{verdict_text(report).plain}**', '',
        *table_lines(HEADINGS, rows_of(report)), '',
        *(f'* {line}' for line in caption_lines(report)), '', f'![The run]({picture})', '',
        *complaint_lines(report), made_with(report, MADE_WITH), ''])


def weighing_page(run, report):
    """Return the Page of a WeighingLog for the browser."""
    loads, factor = report['loads'], report['real_time_factor']
    tiles = [(f'{one["time"]:.0f} s', f'{one["net"]:.0f} ± {one["deviation"]:.0f} kg',
              f'truth {one["truth"]:.0f} kg') for one in loads['weighings'][-3:]]
    tiles += [('messages lost', str(report['messages_lost']),
               f'{report["readings"]["used"]} readings used'),
              ('real-time factor', '-' if factor is None else f'{factor:.2f}',
               f'{report["duration"]:g} s simulated')]
    return Page(
        title=title_of(report), verdict=verdict_text(report).plain, passed=not objections(report),
        tiles=tiles, report=report, duration=run.duration, made_with=made_with(report, MADE_WITH),
        parts=[Section('', [load_panel(run, report)]),
               beside(table(HEADINGS, rows_of(report)), lines(caption_lines(report))),
               Section('Angles', angle_panels(run, report)),
               Section('Force at the edge', force_panels(run)), *complaint_parts(report)])
