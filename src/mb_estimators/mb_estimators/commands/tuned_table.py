"""The results of tuning, as a table in the terminal."""

from rich.console import Console
from rich.table import Table


def print_tuned(found, criterion):
    """Print a Tuned beside the values before."""
    likely = criterion == 'likelihood'
    sign = -1.0 if likely else 1.0
    table = Table()
    table.add_column('')
    table.add_column('before', justify='right')
    table.add_column('tuned', justify='right')
    table.add_row('log-likelihood per reading' if likely else criterion,
                  f'{sign * found.loss_before:.5g}', f'{sign * found.loss:.5g}', end_section=True)
    for name, value in found.values.items():
        table.add_row(name, _text(found.before[name]), _text(value))
    Console().print(table)
    end = 'converged' if found.converged else 'not converged'
    Console().print(f'{found.trials} trials, {end}', highlight=False)


def in_words(values):
    """Return settings in one line."""
    return ', '.join(f'{name} = {_text(value)}' for name, value in values.items())


def _text(value):
    return f'{value:.4g}' if isinstance(value, float) else str(value)
