"""The hydraulic circuit of a mechanism file: plain data, and how it is read."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import inf, pi, sqrt
from typing import Any

from mb_model.constraints.relation import Coordinate
from mb_model.valves.kinds import VALVES
from mb_model.valves.valve import Orifice, Valve


@dataclass(frozen=True)
class Oil:
    """What flows in a circuit."""

    bulk_modulus: float            # of the oil alone [Pa]
    air: float                     # share of free air at atmospheric pressure
    laminar_pressure: float        # drop below which an orifice is laminar [Pa]


@dataclass(frozen=True)
class FluidVolume:
    """A volume of one pressure: hoses and pipes, beside the chambers of cylinders in it."""

    name: str
    volume: float                  # of hoses and pipes [m^3]
    bulk_modulus: float            # of these hoses and pipes [Pa]
    start: float | None            # pressure [Pa]; None: what holds the mechanism at rest


@dataclass(frozen=True)
class CylinderFriction:
    """Friction of the seals, see circuit.kernels.cylinder."""

    coulomb: float                 # [N]
    static: float                  # [N]
    transition_velocity: float     # [m/s]
    viscous: float                 # [N s/m]
    pressure_difference: float     # [m^2]
    rod_pressure: float            # [m^2]


@dataclass(frozen=True)
class EndStop:
    """What the piston meets at both ends of its stroke, see circuit.kernels.cylinder."""

    stiffness: float               # [N/m]
    damping: float                 # [s/m]


@dataclass(frozen=True)
class Cylinder:
    """A cylinder whose length is a coordinate; sides: names of volumes or supplies."""

    name: str
    coordinate: str
    retracted: float               # the coordinate at the first end of the stroke [m]
    stroke: float                  # [m]
    piston_side: str
    rod_side: str | None           # None: open to the air
    piston_diameter: float         # [m]
    rod_diameter: float            # [m]
    bulk_modulus: float            # of the barrel [Pa]
    leakage: float                 # past the piston [m^3/(s Pa)]
    friction: CylinderFriction
    end_stop: EndStop

    @property
    def piston_area(self) -> float:
        """Area that the pressure of the piston side acts on [m^2]."""
        return 0.25 * pi * self.piston_diameter * self.piston_diameter

    @property
    def rod_area(self) -> float:
        """Area that the pressure of the rod side acts on [m^2]."""
        return self.piston_area - 0.25 * pi * self.rod_diameter * self.rod_diameter


@dataclass(frozen=True)
class Hydraulics:
    """The section `hydraulics` of a mechanism file."""

    oil: Oil
    supplies: dict[str, float]     # name -> pressure [Pa]
    volumes: dict[str, FluidVolume]
    cylinders: dict[str, Cylinder]
    valves: dict[str, Valve]


def read_hydraulics(entries: Any, value: dict[str, Any],
                    coordinates: Mapping[str, Coordinate]) -> Hydraulics:
    """Return the Hydraulics of the entry `hydraulics`; coordinates: name -> Coordinate."""
    volumes, supplies = value['volumes'], value['supplies']
    for name in volumes:
        if name in supplies:
            entries.fail(f'hydraulics.volumes.{name}', 'is the name of a supply')
    connections = (*volumes, *supplies)
    cylinders = {name: _cylinder(entries, name, part, coordinates, connections)
                 for name, part in value['cylinders'].items()}
    valves = {name: _valve(entries, name, part, connections)
              for name, part in value['valves'].items()}
    _check_starts(entries, volumes, cylinders.values())
    _check_sharing(entries, cylinders.values())
    return Hydraulics(
        Oil(**value['oil']), supplies,
        {name: FluidVolume(name, part['volume'], part['bulk_modulus'], part.get('start'))
         for name, part in volumes.items()}, cylinders, valves)


def _cylinder(entries: Any, name: str, value: dict[str, Any], coordinates: Mapping[str, Coordinate],
              connections: Collection[str]) -> Cylinder:
    path = f'hydraulics.cylinders.{name}'
    lengths = [key for key, coordinate in coordinates.items() if coordinate.unit == 'm']
    entries.one_of(f'{path}.coordinate', value['coordinate'], lengths,
                   'coordinate that is a length')
    for side in ('piston_side', 'rod_side'):
        if side in value:
            entries.one_of(f'{path}.{side}', value[side], connections, 'volume or supply')
    if value.get('rod_side') == value['piston_side']:
        entries.fail(f'{path}.rod_side', f'{value["rod_side"]} is at the piston side already')
    if not value['rod_diameter'] < value['piston_diameter']:
        entries.fail(f'{path}.rod_diameter', f'{value["rod_diameter"]:g} must be < '
                                             f'{value["piston_diameter"]:g}, the piston\'s')
    if not 0.0 < value['piston_diameter'] * value['piston_diameter'] < inf:
        entries.fail(f'{path}.piston_diameter', f'{value["piston_diameter"]:g} has no area')
    friction = value['friction']
    friction = {'static': friction['coulomb']} | friction
    if friction['static'] < friction['coulomb']:
        entries.fail(f'{path}.friction.static', f'{friction["static"]:g} must be >= '
                                                f'{friction["coulomb"]:g}')
    return Cylinder(name, **({'rod_side': None} | value | {
        'friction': CylinderFriction(**friction), 'end_stop': EndStop(**value['end_stop'])}))


def _valve(entries: Any, name: str, value: dict[str, Any], connections: Collection[str]) -> Valve:
    path, kind = f'hydraulics.valves.{name}', VALVES[value['kind']]
    ports = {port: entries.one_of(f'{path}.{port}', value[port], connections, 'volume or supply')
             for port in kind.ports if port in value}
    orifices = tuple(Orifice(ports[start], ports[end], sign) for start, end, sign in kind.orifices
                     if start in ports and end in ports)
    for orifice in orifices:
        if orifice.start == orifice.end:
            entries.fail(path, f'two ports that it connects are both on {orifice.start}')
    nominal = value.get('opening', 1.0) * sqrt(value['pressure_drop'])
    if not nominal > 0.0 or not 0.0 < value['flow'] / nominal < inf:
        entries.fail(f'{path}.flow', f'{value["flow"]:g}: no valve has this at a pressure drop of '
                                     f'{value["pressure_drop"]:g}')
    return Valve(name, orifices, value['flow'] / nominal,
                 value.get('time_constant', 0.0), value.get('start', 0.0))


def _check_starts(entries: Any, volumes: Mapping[str, Any],
                  cylinders: Collection[Cylinder]) -> None:
    """A volume in no cylinder needs its pressure; of a cylinder's two, one follows from balance."""
    sides = [{cylinder.piston_side, cylinder.rod_side} for cylinder in cylinders]
    for name, volume in volumes.items():
        if 'start' not in volume and not any(name in pair for pair in sides):
            entries.fail(f'hydraulics.volumes.{name}.start', 'missing: no cylinder decides it')
    for cylinder, pair in zip(cylinders, sides, strict=True):
        unknown = [name for name in pair if name in volumes and 'start' not in volumes[name]]
        if len(unknown) > 1:
            entries.fail(f'hydraulics.volumes.{cylinder.rod_side}.start',
                         f'missing: {cylinder.name} can be held with any, name one')


def _check_sharing(entries: Any, cylinders: Collection[Cylinder]) -> None:
    """Two cylinders on one coordinate would need their forces added: one is what the file has."""
    seen = {}
    for cylinder in cylinders:
        if cylinder.coordinate in seen:
            entries.fail(f'hydraulics.cylinders.{cylinder.name}.coordinate',
                         f'{cylinder.coordinate} belongs to {seen[cylinder.coordinate]} already')
        seen[cylinder.coordinate] = cylinder.name
