"""The page of a run with contacts: verdict, tables, picture, limits, and complaints of nodes."""

from mb_evaluation.contact_report.table import (
    LIMITS,
    STANDARD,
    caption_lines,
    contact_rows,
    headings,
    limit_rows,
    title_of,
    verdict_text,
)
from mb_evaluation.reports.markdown import complaint_lines, made_with, table_lines

MADE_WITH = ('prototype', 'estimator', 'method', 'torques', 'trajectory', 'collisions',
             'seed', 'truth_digest', 'created')


def report_page(report, picture):
    """Return the page as Markdown; picture: file name of the picture beside it."""
    lines = [f'# {title_of(report)}', '', f'**{verdict_text(report).plain}**', '',
             *table_lines(headings(report), contact_rows(report)), '',
             *(f'* {line}' for line in caption_lines(report)), '', f'![The run]({picture})', '',
             '## Against the limits of ISO/TS 15066', '',
             STANDARD, '',
             *table_lines(LIMITS, limit_rows(report)), '', *complaint_lines(report)]
    return '\n'.join([*lines, made_with(report, MADE_WITH), ''])
