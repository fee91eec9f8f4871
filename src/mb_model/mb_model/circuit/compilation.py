"""From a described circuit to the record that kernels work on."""

from mb_model.record.hydraulics import AIR_PRESSURE, CIRCUIT
from mb_model.valves.valve import Orifice


def compile_circuit(described, coordinates):
    """Return the CIRCUIT (array of one) of a Hydraulics; coordinates: names of q."""
    volumes = described.volumes
    places = (*volumes, *described.supplies, None)      # None: the air around
    commanded = [valve for valve in described.valves.values() if valve.commanded]
    orifices = _orifices(described)
    circuit = CIRCUIT.new(volumes=len(volumes), places=len(places), orifices=len(orifices),
                          valves=len(commanded), cylinders=len(described.cylinders))
    record = circuit[0]
    record['volumes'], record['places'] = len(volumes), len(places)
    record['bulk_modulus'] = described.oil.bulk_modulus
    record['air'] = described.oil.air * AIR_PRESSURE
    record['laminar_pressure'] = described.oil.laminar_pressure
    record['supply_pressure'][len(volumes):len(places)] = [*described.supplies.values(),
                                                           AIR_PRESSURE]
    for n, volume in enumerate(volumes.values()):
        record['volume'][n] = volume.volume
        record['compliance'][n] = volume.volume / volume.bulk_modulus
    _write_orifices(record, orifices, commanded, places)
    record['cylinders'] = len(described.cylinders)
    for k, cylinder in enumerate(described.cylinders.values()):
        _write_cylinder(record, k, cylinder, places)
        record['coordinate'][k] = coordinates.index(cylinder.coordinate)
    return circuit


def _orifices(described):
    """Return [(Orifice, valve or None, coefficient)]; no valve: leakage, proportional to a drop."""
    through = [(orifice, valve, valve.coefficient) for valve in described.valves.values()
               for orifice in valve.orifices]
    past = [(Orifice(cylinder.piston_side, cylinder.rod_side, 0), None, cylinder.leakage)
            for cylinder in described.cylinders.values() if cylinder.leakage > 0.0]
    return through + past


def _write_orifices(record, orifices, commanded, places):
    record['valves'] = len(commanded)
    record['time_constant'][:len(commanded)] = [valve.time_constant for valve in commanded]
    record['orifices'] = len(orifices)
    for k, (orifice, valve, coefficient) in enumerate(orifices):
        record['orifice_start'][k] = places.index(orifice.start)
        record['orifice_end'][k] = places.index(orifice.end)
        record['orifice_laminar'][k] = valve is None
        record['orifice_coefficient'][k] = coefficient
        record['orifice_valve'][k] = commanded.index(valve) if valve in commanded else -1
        record['orifice_sign'][k] = orifice.sign


def _write_cylinder(record, k, cylinder, places):
    friction = cylinder.friction
    record['area'][2 * k:2 * k + 2] = cylinder.piston_area, cylinder.rod_area
    record['chamber'][2 * k:2 * k + 2] = (places.index(cylinder.piston_side),
                                          places.index(cylinder.rod_side))
    for field, value in (
            ('retracted', cylinder.retracted), ('stroke', cylinder.stroke),
            ('barrel_modulus', cylinder.bulk_modulus), ('coulomb', friction.coulomb),
            ('static', friction.static), ('transition_velocity', friction.transition_velocity),
            ('viscous', friction.viscous), ('difference_friction', friction.pressure_difference),
            ('rod_friction', friction.rod_pressure),
            ('stop_stiffness', cylinder.end_stop.stiffness),
            ('stop_damping', cylinder.end_stop.damping)):
        record[field][k] = value
