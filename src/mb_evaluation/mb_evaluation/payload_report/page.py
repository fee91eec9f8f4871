"""The page of a run with a payload: verdict, tables, picture and complaints of nodes."""

from mb_evaluation.payload_report.table import (
    HEADINGS,
    caption_lines,
    mass_rows,
    observer_rows,
    title_of,
    verdict_text,
)
from mb_evaluation.reports.markdown import complaint_lines, made_with, table_lines

MADE_WITH = 'prototype', 'estimator', 'cycle', 'seed', 'created'


def report_page(report, picture):
    """Return the page as Markdown; picture: file name of the picture beside it."""
    lines = [f'# {title_of(report)}', '', f'**{verdict_text(report).plain}**', '',
             *table_lines(HEADINGS, [*mass_rows(report), *observer_rows(report)]), '',
             *(f'* {line}' for line in caption_lines(report)), '', f'![The run]({picture})', '',
             *complaint_lines(report)]
    return '\n'.join([*lines, made_with(report, MADE_WITH), ''])
