"""A pump that sags: the pressure of its supply falls by the flow that is drawn, and comes back.

The supply becomes a volume of oil, of a line or an accumulator, behind a throttle; another supply,
of the pressure in the file, feeds it.
"""

import numpy as np

from mb_model import Mechanism, MechanismError


def with_sagging_pump(mechanism: Mechanism, pressure_drop: float, flow: float,
                      volume: float) -> Mechanism:
    """Return a mechanism whose supply with the highest pressure sags; it starts at that pressure.

    pressure_drop [Pa] at a steady flow [m^3/s], as its square; volume [m^3] of oil that the supply
    keeps.  Raises MechanismError without oil.
    """
    if mechanism.circuit is None:
        raise MechanismError(f'{mechanism.file}: unmodelled.supply_pressure_drop: there is no oil')
    described = mechanism.described.hydraulics
    supplies = described.supplies
    name = max(supplies, key=supplies.__getitem__)
    source, pressure = f'{name}_source', supplies[name]
    return mechanism.replace(hydraulics={
        'supplies': {name: None, source: pressure},
        'volumes': {name: {'volume': volume, 'bulk_modulus': described.oil.bulk_modulus,
                           'start': pressure}},
        'valves': {f'{name}_throttle': {'kind': 'throttle', 'from': source, 'to': name,
                                        'flow': flow, 'pressure_drop': pressure_drop}}})


def pressures_of_supplies(mechanism: Mechanism, machine: Mechanism, p: np.ndarray,
                          supply_p: np.ndarray) -> np.ndarray:
    """Return the pressures of a mechanism's supplies in its machine's p and supply_p [Pa]."""
    known = dict(zip(machine.described.hydraulics.supplies, supply_p, strict=True)) | dict(
        zip(machine.circuit.volumes, p, strict=True))
    return np.array([known[name] for name in mechanism.described.hydraulics.supplies])
