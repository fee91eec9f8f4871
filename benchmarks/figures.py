"""Figures: what a benchmark measured, beside its target and its peer."""

from dataclasses import asdict, dataclass
import json
from pathlib import Path
import sys

from rich.console import Console
from rich.table import Table

RESULTS = Path(__file__).resolve().parent / 'results'


@dataclass
class Figure:
    """One measured number.

    target: the value to reach, met if value <= target (or >= with `at_least`), or a (low, high)
    range; None where a figure is only shown. peer: what was measured beside it in the same run.
    """

    name: str
    value: float
    unit: str
    target: float | tuple[float, float] | None = None
    at_least: bool = False
    peer: str | None = None
    peer_value: float | None = None

    def __post_init__(self) -> None:
        self.value = float(self.value)      # not numpy's, for JSON

    @property
    def met(self) -> bool | None:
        """True, False, or None without a target."""
        if self.target is None:
            return None
        if isinstance(self.target, tuple):
            return bool(self.target[0] <= self.value <= self.target[1])
        return bool(self.value >= self.target if self.at_least else self.value <= self.target)

    def target_text(self) -> str:
        """Return the target in words."""
        if self.target is None:
            return ''
        if isinstance(self.target, tuple):
            return f'{self.target[0]:g} to {self.target[1]:g}'
        return f'{">=" if self.at_least else "<="} {self.target:g}'


def write(name: str, figures: list[Figure]) -> Path:
    """Write the figures of one benchmark to results/<name>.json; return the path."""
    RESULTS.mkdir(exist_ok=True)
    rows = [{key: value for key, value in asdict(figure).items() if key != 'at_least'}
            | {'met': figure.met} for figure in figures]
    path = RESULTS / f'{name}.json'
    path.write_text(json.dumps({'figures': rows}, indent=2) + '\n')
    return path


def print_table(name: str, figures: list[Figure]) -> None:
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
