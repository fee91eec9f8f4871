"""Forces on the degrees of freedom during a simulation."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism


# A function of (t, z, zd), forces (g), or numbers and functions by name.
Inputs = Callable[..., Any] | ArrayLike | Mapping[str, Any]


@dataclass(frozen=True)
class ForceTable:
    """Forces (k, g) [N or N m] from the instants `times` (k) [s] on; none before the first one.

    linear: straight lines between the instants instead of steps.
    """

    times: FloatArray
    forces: FloatArray
    linear: bool = False

    def __post_init__(self) -> None:
        times, forces = np.asarray(self.times, dtype=float), np.asarray(self.forces, dtype=float)
        if times.ndim != 1 or forces.ndim != 2 or len(forces) != len(times) or not len(times):
            raise ValueError(f'forces: shape {forces.shape} must be (k, g) with k = {len(times)} '
                             'times')
        if not (np.isfinite(times).all() and np.isfinite(forces).all()):
            raise ValueError('forces: times and forces must be finite')
        if (np.diff(times) <= 0.0).any():
            raise ValueError('forces: times must increase')
        object.__setattr__(self, 'times', times)
        object.__setattr__(self, 'forces', forces)

    def __call__(self, t: float, z: FloatArray, zd: FloatArray) -> FloatArray:
        """Return the forces (g) at a time."""
        # Steps begin at multiples of dt, which rounding may put just before the instant they mean.
        row = np.searchsorted(self.times, t + 1e-9 * max(1.0, abs(t)), side='right') - 1
        if row < 0:
            return np.zeros(self.forces.shape[1])
        if not self.linear or row == len(self.times) - 1:
            return self.forces[row]
        share = (t - self.times[row]) / (self.times[row + 1] - self.times[row])
        return self.forces[row] + share * (self.forces[row + 1] - self.forces[row])

    @classmethod
    def load(cls, file: str | Path, independent: Sequence[str], linear: bool = False) -> Self:
        """Return the table of a CSV file with columns t and names of degrees of freedom.

        independent: names of all degrees of freedom (g); those without a column get no force.
        Raises OSError, ValueError.
        """
        columns = columns_of(file, independent, independent)
        times = columns.pop('t')
        forces = np.zeros((len(times), len(independent)))
        for name, values in columns.items():
            forces[:, independent.index(name)] = values
        try:
            return cls(times, forces, linear)
        except ValueError as error:
            raise ValueError(f'{file}: {error}') from None


def columns_of(file: str | Path, usual: Iterable[str], known: Collection[str],
               objection: Callable[[str, float], str] = lambda name, value: '',
               ) -> dict[str, FloatArray]:
    """Return name -> numbers (k) of a CSV file with the column t and some that are known.

    usual: columns that an error names for a file without names; objection(name, value): what a
    number of a column must be, empty if it is.  Raises OSError, and ValueError naming file, line
    and what was expected.
    """
    lines = Path(file).read_text(encoding='utf-8').splitlines()
    names = [name.strip() for name in lines[0].split(',')] if lines else []
    if names[:1] != ['t'] or len(names) < 2:
        raise ValueError(f'{file}: line 1: must name the columns: t,{",".join(usual)}')
    for k, name in enumerate(names):
        if name in names[:k] or (k > 0 and name not in known):
            raise ValueError(f'{file}: line 1: {name}: expected t, then each at most once of '
                             f'{", ".join(known)}')
    rows = []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        try:
            row = [float(text) for text in line.split(',')]
        except ValueError:
            row = []
        if len(row) != len(names):
            raise ValueError(f'{file}: line {number}: {line!r} must be {len(names)} numbers')
        for name, value in zip(names, row, strict=True):
            if wanted := objection(name, value):
                raise ValueError(f'{file}: line {number}: {name}: {value:g} must be {wanted}')
        rows.append(row)
    if not rows:
        raise ValueError(f'{file}: line 2: must have numbers')
    return dict(zip(names, np.array(rows).T, strict=True))


def input_function(mechanism: 'Mechanism',
                   inputs: Inputs | None) -> Callable[..., Any] | None:
    """Return a function of (t, z, zd) that gives the forces (g), or None for no inputs.

    inputs: None, such a function (a ForceTable is one), forces (g), or a mapping from names of
    degrees of freedom to a number or a function of (t, z, zd).  Raises ValueError.
    """
    if inputs is None or callable(inputs):
        return inputs
    if not isinstance(inputs, dict):
        forces = np.asarray(inputs, dtype=float)
        if forces.shape != (mechanism.g,):
            raise ValueError(f'inputs: {inputs} must be {mechanism.g} numbers, one for each of '
                             f'{", ".join(mechanism.independent)}')
        return lambda t, z, zd: forces
    for name in inputs:
        if name not in mechanism.independent:
            raise ValueError(f'inputs: {name}: unknown degree of freedom, expected one of '
                             f'{", ".join(mechanism.independent)}')
    parts = [inputs.get(name, 0.0) for name in mechanism.independent]
    return lambda t, z, zd: [part(t, z, zd) if callable(part) else part for part in parts]
