"""Forces on the degrees of freedom during a simulation."""

from collections.abc import Callable, Mapping, Sequence
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
        place = np.searchsorted(self.times, t + 1e-9 * max(1.0, abs(t)), side='right') - 1
        if place < 0:
            return np.zeros(self.forces.shape[1])
        if not self.linear or place == len(self.times) - 1:
            return self.forces[place]
        share = (t - self.times[place]) / (self.times[place + 1] - self.times[place])
        return self.forces[place] + share * (self.forces[place + 1] - self.forces[place])

    @classmethod
    def load(cls, file: str | Path, independent: Sequence[str], linear: bool = False) -> Self:
        """Return the table of a CSV file with columns t and names of degrees of freedom.

        independent: names of all degrees of freedom (g); those without a column get no force.
        Raises OSError, ValueError.
        """
        lines = Path(file).read_text(encoding='utf-8').splitlines()
        names = [name.strip() for name in lines[0].split(',')] if lines else []
        if names[:1] != ['t'] or len(names) < 2:
            raise ValueError(f'{file}: line 1: must name the columns: t,{",".join(independent)}')
        for k, name in enumerate(names):
            if name in names[:k] or (k > 0 and name not in independent):
                raise ValueError(f'{file}: line 1: {name}: expected t, then each at most once of '
                                 f'{", ".join(independent)}')
        rows = np.array([_numbers(file, k, line, len(names))
                         for k, line in enumerate(lines[1:], 2) if line.strip()])
        if not len(rows):
            raise ValueError(f'{file}: line 2: must have numbers')
        forces = np.zeros((len(rows), len(independent)))
        forces[:, [independent.index(name) for name in names[1:]]] = rows[:, 1:]
        try:
            return cls(rows[:, 0], forces, linear)
        except ValueError as error:
            raise ValueError(f'{file}: {error}') from None


def _numbers(file, number, line, count):
    """Return the numbers of a line."""
    try:
        numbers = [float(text) for text in line.split(',')]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        raise ValueError(f'{file}: line {number}: {line!r} must be {count} numbers')
    return numbers


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
