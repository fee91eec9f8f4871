"""The table of figures on the terminal."""

import sys

from rich.console import Console
from rich.table import Table


def print_table(name, figures):
    """Print the figures of one benchmark; what misses its target is marked."""
    table = Table(title=name, title_justify='left')
    for heading in ('figure', 'value', 'unit', 'target', '', 'peer', 'its value'):
        table.add_column(heading, justify='right' if 'value' in heading else 'left',
                         no_wrap=heading not in ('figure', 'peer'))     # numbers stay whole
    for figure in figures:
        mark = {True: 'met', False: '[bold red]MISSED[/]', None: ''}[figure.met]
        peer_value = '' if figure.peer_value is None else f'{figure.peer_value:.4g}'
        table.add_row(figure.name, f'{figure.value:.4g}', figure.unit, figure.target_text(), mark,
                      figure.peer or '', peer_value)
    width = None if sys.stdout.isatty() else 140
    Console(width=width).print(table)
