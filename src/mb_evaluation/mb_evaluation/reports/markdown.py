"""Parts of the page of a run, as lines of Markdown."""

COMPLAINED = ('from [s]', 'to [s]', 'node', 'level', 'message')


def table_lines(headings, rows):
    """Return the lines of a table, whatever its texts have in them."""
    return [f'| {" | ".join(map(_cell, row))} |'
            for row in (headings, ('---',) * len(headings), *rows)]


def _cell(text):
    """Return a text as it stands in a cell: a bar would end it, a new line the table."""
    return ' '.join(text.replace('|', '\\|').split())


def complaint_lines(report):
    """Return the complaints of nodes, with a heading; nothing without any."""
    rows = complaint_rows(report)
    return rows and ['## What the nodes complained of', '', *table_lines(COMPLAINED, rows), '']


def complaint_rows(report):
    """Return a row of texts for each complaint of a node."""
    return [(f'{one["from"]:.2f}', '' if one['to'] is None else f'{one["to"]:.2f}', one['node'],
             one['level'], one['message']) for one in report['complaints']]


def made_with(report, keys):
    """Return a line that says what a run was made with."""
    return ', '.join(f'{key} {report[key]}' for key in keys)
