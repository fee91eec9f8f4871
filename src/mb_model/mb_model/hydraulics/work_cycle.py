"""What the operator of a machine does: commands to valves and drives, loads that change."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.simulation.inputs import columns_of

if TYPE_CHECKING:
    from mb_model.circuit.circuit import Circuit
    from mb_model.mechanism import Mechanism

_LARGEST = 20_000_000      # bytes of a file


class WorkCycle:
    """Commands to valves, drives and values of parameters, each held from its instant to the next.

    times (k) [s]; valves (k, u): commands in the order of the circuit; parameters: name -> values
    (k); drives: name -> forces (k) [N or N m].  Before the first instant the valves rest as at the
    start, nothing is set, and drives give nothing.
    """

    def __init__(self, circuit: 'Circuit', times: ArrayLike, valves: ArrayLike,
                 parameters: Mapping[str, ArrayLike] | None = None,
                 drives: Mapping[str, ArrayLike] | None = None) -> None:
        """Raises ValueError for sizes and values that cannot be."""
        self._U0 = circuit.U0
        self.times = np.asarray(times, dtype=float)
        self.valves = np.asarray(valves, dtype=float)
        self.parameters, self.drives = (
            {name: np.asarray(values, dtype=float) for name, values in (given or {}).items()}
            for given in (parameters, drives))
        arrays = (self.times, self.valves, *self.parameters.values(), *self.drives.values())
        shape = self.times.size, len(circuit.valves)
        if self.times.ndim != 1 or not len(self.times) or self.valves.shape != shape:
            raise ValueError(f'valves: shape {self.valves.shape} must be {shape}')
        if any(len(array) != len(self.times) or not np.isfinite(array).all() for array in arrays):
            raise ValueError('all columns must be as long as t, and finite')
        if (np.diff(self.times) <= 0.0).any():
            raise ValueError('t must increase')

    @property
    def duration(self) -> float:
        """The last instant [s]."""
        return float(self.times[-1])

    def valves_at(self, t: float) -> FloatArray:
        """Return the commands (u) at a time [s]."""
        row = self._row(t)
        return self._U0 if row < 0 else self.valves[row]

    def parameters_at(self, t: float) -> dict[str, float]:
        """Return the values of parameters at a time [s], by name; none before the first instant."""
        row = self._row(t)
        return {} if row < 0 else {name: float(values[row])
                                   for name, values in self.parameters.items()}

    def _row(self, t):
        # Steps begin at multiples of dt, which rounding may put just before the instant they mean.
        return int(np.searchsorted(self.times, t + 1e-9 * max(1.0, abs(t)), side='right')) - 1

    @classmethod
    def load(cls, file: str | Path, mechanism: 'Mechanism') -> Self:
        """Return the cycle of a CSV file with columns t, valves, parameters and drives by name.

        A valve without a column stays where it is at the start; a name of a valve means the valve.
        Raises OSError, and ValueError naming file, line and what was expected.
        """
        circuit = mechanism.circuit
        if circuit is None:
            raise ValueError(f'{file}: {mechanism.file} has no hydraulics')
        if Path(file).stat().st_size > _LARGEST:
            raise ValueError(f'{file}: larger than {_LARGEST} bytes')

        def objection(name: str, value: float) -> str:
            if name not in circuit.valves:
                return ''
            least = circuit.least_command[circuit.valves.index(name)]
            return '' if least <= value <= 1.0 else f'>= {least:g} and <= 1'

        known = (*circuit.valves, *mechanism.parameters, *mechanism.drives)
        column = columns_of(file, circuit.valves, known, objection)
        resting = dict(zip(circuit.valves, circuit.U0, strict=True))
        commands = np.stack([column.get(name, np.full(len(column['t']), resting[name]))
                             for name in circuit.valves], axis=1)
        try:
            return cls(circuit, column['t'], commands, *(
                {name: values for name, values in column.items()
                 if name in names_of and name not in circuit.valves}
                for names_of in (mechanism.parameters, mechanism.drives)))
        except ValueError as error:
            raise ValueError(f'{file}: {error}') from None
