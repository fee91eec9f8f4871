"""The record of a circuit, and the pressures that it starts with."""

import numpy as np

from mb_model.mechanism_file.description import MechanismError
from mb_model.record.hydraulics import AIR_PRESSURE, CIRCUIT
from mb_model.valves.valve import Orifice


def compile_circuit(described, coordinates):
    """Return the CIRCUIT (array of one) of a Hydraulics; coordinates: names of q."""
    volumes = described.volumes
    sources = (*volumes, *described.supplies, None)      # of pressures; None: the air around
    commanded = [valve for valve in described.valves.values() if valve.commanded]
    orifices = _orifices(described)
    circuit = CIRCUIT.new(volumes=len(volumes), pressures=len(sources), orifices=len(orifices),
                          valves=len(commanded), cylinders=len(described.cylinders))
    record = circuit[0]
    record['volumes'], record['pressures'] = len(volumes), len(sources)
    record['bulk_modulus'] = described.oil.bulk_modulus
    record['air'] = described.oil.air * AIR_PRESSURE
    record['laminar_pressure'] = described.oil.laminar_pressure
    record['supply_pressure'][len(volumes):len(sources)] = [*described.supplies.values(),
                                                           AIR_PRESSURE]
    for n, volume in enumerate(volumes.values()):
        record['volume'][n] = volume.volume
        record['compliance'][n] = volume.volume / volume.bulk_modulus
    _write_orifices(record, orifices, commanded, sources)
    record['cylinders'] = len(described.cylinders)
    for k, cylinder in enumerate(described.cylinders.values()):
        _write_cylinder(record, k, cylinder, sources)
        record['coordinate'][k] = coordinates.index(cylinder.coordinate)
    return circuit


def _orifices(described):
    """Return [(Orifice, valve or None, coefficient)]; no valve: leakage, proportional to a drop."""
    through = [(orifice, valve, valve.coefficient) for valve in described.valves.values()
               for orifice in valve.orifices]
    past = [(Orifice(cylinder.piston_side, cylinder.rod_side, 0), None, cylinder.leakage)
            for cylinder in described.cylinders.values() if cylinder.leakage > 0.0]
    return through + past


def _write_orifices(record, orifices, commanded, sources):
    record['valves'] = len(commanded)
    record['time_constant'][:len(commanded)] = [valve.time_constant for valve in commanded]
    record['orifices'] = len(orifices)
    for k, (orifice, valve, coefficient) in enumerate(orifices):
        record['orifice_start'][k] = sources.index(orifice.start)
        record['orifice_end'][k] = sources.index(orifice.end)
        record['orifice_laminar'][k] = valve is None
        record['orifice_coefficient'][k] = coefficient
        record['orifice_valve'][k] = commanded.index(valve) if valve in commanded else -1
        record['orifice_sign'][k] = orifice.sign


def _write_cylinder(record, k, cylinder, sources):
    friction = cylinder.friction
    record['area'][2 * k:2 * k + 2] = cylinder.piston_area, cylinder.rod_area
    record['chamber'][2 * k:2 * k + 2] = (sources.index(cylinder.piston_side),
                                          sources.index(cylinder.rod_side))
    for field, value in (
            ('retracted', cylinder.retracted), ('stroke', cylinder.stroke),
            ('barrel_modulus', cylinder.bulk_modulus), ('coulomb', friction.coulomb),
            ('static', friction.static), ('transition_velocity', friction.transition_velocity),
            ('viscous', friction.viscous), ('difference_friction', friction.pressure_difference),
            ('rod_friction', friction.rod_pressure),
            ('stop_stiffness', cylinder.end_stop.stiffness),
            ('stop_damping', cylinder.end_stop.damping)):
        record[field][k] = value


def start_pressures(mechanism, described):
    """Return p0 (v) [Pa]: as the file gives them, the others so that nothing moves.

    Raises MechanismError where they would not be above zero.
    """
    volumes = list(described.volumes.values())
    p0 = np.array([AIR_PRESSURE if volume.start is None else volume.start for volume in volumes])
    free = [n for n, volume in enumerate(volumes) if volume.start is None]
    if not free:
        return p0
    pressures = dict(zip(described.volumes, p0, strict=True))
    pressures |= described.supplies | {None: AIR_PRESSURE}
    held, by_free = [], np.zeros((len(described.cylinders), len(free)))
    for k, cylinder in enumerate(described.cylinders.values()):
        areas = cylinder.piston_area, -cylinder.rod_area
        sides = cylinder.piston_side, cylinder.rod_side
        held.append(sum(area * (pressures[side] - AIR_PRESSURE)
                        for side, area in zip(sides, areas, strict=True)))
        for side, area in zip(sides, areas, strict=True):
            for column, n in enumerate(free):
                if volumes[n].name == side:
                    by_free[k, column] += area
    missing = _holding_forces(mechanism, described) - held
    p0[free] += np.linalg.lstsq(by_free, missing, rcond=None)[0]
    for n in free:
        if not p0[n] > 0.0:
            raise MechanismError(
                f'{mechanism.file}: hydraulics.volumes.{volumes[n].name}.start: holding the '
                f'mechanism still at its start takes {p0[n]:.3g} Pa there, which must be > 0; '
                'give more to the other side')
    return p0


def _holding_forces(mechanism, described):
    """Return the forces on the cylinders' coordinates that hold the start (c) [N]."""
    rows = [mechanism.coordinates.index(cylinder.coordinate)
            for cylinder in described.cylinders.values()]
    R = mechanism.R(mechanism.q0)[rows]
    zero = np.zeros(mechanism.g)
    needed = mechanism.inverse_dynamics(mechanism.z0, zero, zero)
    return np.linalg.lstsq(R.T, needed, rcond=None)[0]
