"""What a run is saved as: its arrays, by name and size, and the text beside its numbers."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from mb_model.mechanism import Mechanism
from mb_model.simulation.error_estimate import ErrorEstimate

if TYPE_CHECKING:
    from mb_model.circuit.circuit import Circuit

STATE = ('z', 'zd', 'zdd', 'q', 'qd', 'qdd')
MOTION = ('t', *STATE, 'forces')
SUPPLIES = 'supply_p'           # of a run of a prototype alone
_PARAMETER = 'parameters.'      # before the names of parameters among arrays


def motion_sizes(mechanism: Mechanism) -> dict[str, int]:
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


def oil_arguments(where: str | Path, mechanism: Mechanism, count: int,
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


_KEYS = ('mechanism', 'file', 'formulation', 'integrator', 'settings', 'dt')


def run_text(mechanism: Mechanism, formulation: str, integrator: str, settings: Mapping[str, Any],
             dt: float, error: ErrorEstimate | None = None) -> str:
    """Return mechanism, formulation with its settings, integrator, dt [s] and error as a text.

    error: the ErrorEstimate, if there is one.
    """
    return yaml.safe_dump({
        'formulation': formulation, 'integrator': integrator, 'settings': dict(settings),
        'dt': float(dt), **({} if error is None else {'error': error.as_mapping()}),
        'file': mechanism.file, 'mechanism': yaml.safe_load(mechanism.text)}, sort_keys=False)


def read_run_text(text: str, where: str | Path) -> tuple[dict[str, Any], float]:
    """Return (how, dt) of a text; how: mechanism, formulation, integrator, settings, error by name.

    where: what to call it in errors.  Raises ValueError.
    """
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError:
        values = None
    if not isinstance(values, dict) or any(key not in values for key in _KEYS):
        raise ValueError(f'{where}: must have {", ".join(_KEYS)}')
    how = {name: values[name] for name in ('formulation', 'integrator', 'settings')}
    if 'error' in values:
        how['error'] = ErrorEstimate.from_mapping(values['error'])
    return {'mechanism': Mechanism(values['mechanism'], str(values['file'])), **how}, values['dt']
