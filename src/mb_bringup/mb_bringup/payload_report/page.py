"""The page of a run with a payload: verdict, tables, picture and what the nodes complained of."""

from mb_bringup.payload_report.table import (
    caption_lines,
    mass_rows,
    observer_rows,
    title_of,
    verdict_text,
)

HEADINGS = ('', 'truth', 'estimate', 'largest error', '95 % interval holds')


def report_page(report, picture):
    """Return the page as Markdown; picture: file name of the picture beside it."""
    lines = [f'# {title_of(report)}', '', f'**{verdict_text(report).plain}**', '',
             *_table(HEADINGS, [*mass_rows(report), *observer_rows(report)]), '',
             *(f'* {line}' for line in caption_lines(report)), '', f'![The run]({picture})', '']
    if report['complaints']:
        lines += ['## What the nodes complained of', '',
                  *_table(('from [s]', 'to [s]', 'node', 'level', 'message'), [
                      (f'{one["from"]:.2f}', '' if one['to'] is None else f'{one["to"]:.2f}',
                       one['node'], one['level'], one['message'])
                      for one in report['complaints']]), '']
    made = {key: report[key] for key in ('prototype', 'estimator', 'cycle', 'seed', 'created')}
    return '\n'.join([*lines, ', '.join(f'{key} {value}' for key, value in made.items()), ''])


def _table(headings, rows):
    """Return the lines of a table."""
    return [f'| {" | ".join(row)} |' for row in (headings, ('---',) * len(headings), *rows)]
