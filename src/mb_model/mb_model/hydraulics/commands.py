"""Commands to the spools of a circuit."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray

if TYPE_CHECKING:
    from mb_model.circuit.circuit import Circuit


def checked_commands(circuit: 'Circuit', U_in: ArrayLike) -> FloatArray:
    """Return commands (u) within what each valve can do; raises ValueError."""
    commands = np.asarray(U_in, dtype=float)
    if commands.shape != (len(circuit.valves),):
        raise ValueError(f'U_in: shape {commands.shape} must be ({len(circuit.valves)},), one for '
                         f'each of {", ".join(circuit.valves)}')
    if not np.isfinite(commands).all():
        raise ValueError(f'U_in: {commands} must be finite')
    return np.clip(commands, circuit.least_command, 1.0)
