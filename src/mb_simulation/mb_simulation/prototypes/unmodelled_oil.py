"""Hoses that throttle, two pressures where the file has one, and a pump that sags.

A volume of the file that a cylinder has a chamber in is cut in two: the hose at the valves, with
most of the volume, and the rest with the chamber; a throttle leads from one to the other.  So
valves fill a hose that gives way, and it the chamber; sensors read one end or the other.

The supply becomes a volume of oil, of a line or an accumulator, behind a throttle; another supply,
of the pressure in the file, feeds it.
"""

import numpy as np

from mb_model import Mechanism, MechanismError

CYLINDER, VALVE = 'cylinder', 'valve'
SHARE = 0.95                # of a volume that is in the hose


def with_hoses(mechanism: Mechanism, pressure_drop: float, flow: float) -> Mechanism:
    """Return a mechanism whose chambers are behind throttles; it starts at the same pressures.

    pressure_drop [Pa] of each throttle at a flow [m^3/s].  Raises MechanismError without chambers.
    """
    chambers = _chambers(mechanism)
    if not chambers:
        raise MechanismError(f'{mechanism.file}: unmodelled.hose_pressure_drop: there is no '
                             'cylinder with a volume')
    given, start = mechanism.raw['hydraulics'], mechanism.circuit
    p0 = dict(zip(start.volumes, start.p0.tolist(), strict=True))
    volumes, valves = {}, {}
    for name in chambers:
        size = given['volumes'][name]['volume']
        volumes[name] = {'volume': f'({size}) * {1.0 - SHARE!r}', 'start': p0[name]}
        volumes[hose_of(name)] = {**given['volumes'][name], 'volume': f'({size}) * {SHARE!r}',
                                  'start': p0[name]}
        valves[f'{name}_throttle'] = {'kind': 'throttle', 'from': hose_of(name), 'to': name,
                                      'flow': flow, 'pressure_drop': pressure_drop}
    for valve, entry in given['valves'].items():
        moved = {port: hose_of(volume) for port, volume in entry.items()
                 if isinstance(volume, str) and volume in chambers}
        if moved:
            valves[valve] = moved
    return mechanism.replace(hydraulics={'volumes': volumes, 'valves': valves})


def hose_of(volume: str) -> str:
    """Return the name of the hose of a volume."""
    return f'{volume}_hose'


def sensed_volumes(mechanism: Mechanism, machine: Mechanism, at: str) -> list[int]:
    """Return where the pressures (v) of a mechanism are among its machine's; at: which end."""
    volumes = list(machine.circuit.volumes)
    return [volumes.index(hose_of(name) if at == VALVE and hose_of(name) in volumes else name)
            for name in mechanism.circuit.volumes]


def _chambers(mechanism: Mechanism) -> list[str]:
    described = mechanism.described.hydraulics
    sides = [side for one in (described.cylinders.values() if described else ())
             for side in (one.piston_side, one.rod_side)]
    return [name for name in (described.volumes if described else ()) if name in sides]


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
