"""A report as a page of Markdown: verdict, tables, picture and complaints of nodes."""

from mb_evaluation.reports.report import Report, Table


def markdown_page(report: Report, picture: str) -> str:
    """Return the page; picture: name of the file beside it, empty for none."""
    kind, figures = report.kind, report.figures
    first, *others = kind.tables(figures)
    lines = [f'# {report.title}', '']
    lines += [f'**{report.verdict}**', ''] if report.verdict else []
    lines += [line for text in kind.introduction(figures) for line in (text, '')]
    lines += [*_table_lines(first), '']
    lines += [f'* {line}' for line in (*kind.captions(figures), *kind.remarks(figures))]
    lines += ['', f'![The run]({picture})', ''] if picture else ['']
    for table in (*others, report.complaints):
        if table.rows:
            lines += [f'## {table.heading}', '']
            lines += [line for text in table.notes for line in (text, '')]
            lines += [*_table_lines(table), '']
    return '\n'.join([*lines, report.made_with, '']) if kind.made_with else '\n'.join(lines)


def _table_lines(table: Table) -> list[str]:
    """Return the lines of a Table, whatever its texts have in them."""
    return [f'| {" | ".join(map(_cell, row))} |'
            for row in (table.headings, ('---',) * len(table.headings), *table.rows)]


def _cell(text: str) -> str:
    """Return a text as it stands in a cell: a bar would end it, a new line the table."""
    return ' '.join(text.replace('|', '\\|').split())
