"""Recordings of real machines: where they are, and their columns."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parents[2] / 'shared' / 'real_data'


@dataclass(frozen=True)
class Recorded:
    """A recording: its name, and name of a column -> values (k)."""

    name: str
    columns: dict[str, np.ndarray]

    def __getitem__(self, column):
        return self.columns[column]

    def both(self, column):
        """Return a quantity of both joints (k, 2)."""
        return np.column_stack([self.columns[f'{column}{joint}'] for joint in (1, 2)])


def recordings(folder, *parts):
    """Return the Recorded of all CSV files of a folder below another, by name; [] without any."""
    return [read(path) for path in sorted(Path(folder or FOLDER).joinpath(*parts).glob('*.csv'))]


def read(path):
    """Return the Recorded of a CSV file whose first line names its columns."""
    names = [name.strip() for name in path.open().readline().split(',')]
    values = np.loadtxt(path, delimiter=',', skiprows=1, ndmin=2)
    return Recorded(f'{path.parent.name}/{path.stem}', dict(zip(names, values.T, strict=True)))
