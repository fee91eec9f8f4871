"""The arrays of a run: their names, and how many numbers each has at an instant."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mb_model.circuit.circuit import Circuit
    from mb_model.mechanism import Mechanism

STATE = ('z', 'zd', 'zdd', 'q', 'qd', 'qdd')
MOTION = ('t', *STATE, 'forces')
SUPPLIES = 'supply_p'           # of a run of a prototype alone
_PARAMETER = 'parameters.'      # before the names of parameters among arrays


def motion_sizes(mechanism: 'Mechanism') -> dict[str, int]:
    """Return name -> numbers at an instant, of MOTION without t."""
    return {name: mechanism.g if name in ('z', 'zd', 'zdd', 'forces') else mechanism.n
            for name in MOTION[1:]}


def oil_sizes(circuit: 'Circuit') -> dict[str, int]:
    """Return name -> numbers at an instant, of the arrays that a run with a circuit has, too."""
    v, u, c = len(circuit.volumes), len(circuit.valves), len(circuit.cylinders)
    return {'p': v, 'U': u, 'U_in': u, 'cylinder_force': c, 'stop_force': c}


def oil_arrays(run: Any) -> dict[str, Any]:
    """Return the arrays of the oil of a Run by name, its parameters among them; empty without."""
    if not run.has_oil:
        return {}
    names = *oil_sizes(run.mechanism.circuit), *(() if run.supply_p is None else (SUPPLIES,))
    return {name: getattr(run, name) for name in names} | {
        _PARAMETER + name: values for name, values in run.parameters.items()}


def oil_arguments(where: str | Path, mechanism: 'Mechanism', count: int,
                  arrays: dict[str, Any]) -> dict[str, Any]:
    """Return what a Run of `count` instants is made of beside its motion, from its oil_arrays.

    Raises ValueError, which names `where`, for other arrays.
    """
    if not arrays:
        return {}
    circuit = mechanism.circuit
    sizes = {} if circuit is None else oil_sizes(circuit)
    if circuit is not None and SUPPLIES in arrays:
        sizes[SUPPLIES] = len(circuit.supplies)
    for name, size in sizes.items():
        if name not in arrays or arrays[name].shape != (count, size):
            raise ValueError(f'{where}: {name}: must be there with the shape {(count, size)}')
    parameters = {name.removeprefix(_PARAMETER): values for name, values in arrays.items()
                  if name.startswith(_PARAMETER)}
    if len(arrays) != len(sizes) + len(parameters) or not sizes or any(
            values.shape != (count,) for values in parameters.values()):
        raise ValueError(f'{where}: not the arrays of a run with oil: {", ".join(arrays)}')
    return {name: arrays[name] for name in sizes} | {'parameters': parameters}
