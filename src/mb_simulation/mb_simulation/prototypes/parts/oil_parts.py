"""The Oil of a mechanism, from its file."""

from math import pi

import numpy as np

from mb_simulation.prototypes.parts.oil import ATMOSPHERE, PLACE, Oil


def make_oil(mechanism):
    """Return the Oil of a mechanism at its start; without volumes if it has none."""
    described = mechanism.described.hydraulics
    if described is None:
        return _oil((1.0, 0.0, 1.0), {}, {}, (), (), (), lambda name: 0)
    volumes, start = described.volumes, mechanism.circuit
    oil = _oil((described.oil.bulk_modulus, described.oil.air * ATMOSPHERE,
                described.oil.laminar_pressure), volumes, described.supplies,
               tuple(described.cylinders.values()), tuple(described.valves.values()),
               [valve for valve in described.valves.values() if valve.commanded],
               mechanism.coordinates.index)
    oil.p[:len(volumes)], oil.spool[:], oil.command[:] = start.p0, start.U0, start.U0
    return oil


def ripple(oil, amplitude, rate):
    """Have the supply with the highest pressure ripple; amplitude [Pa], rate [Hz]."""
    first = len(oil.hose)
    place = first + int(np.argmax(oil.p[first:-1]))
    oil.ripple[PLACE:] = place, oil.p[place], amplitude, 2.0 * pi * rate


def _oil(properties, volumes, supplies, cylinders, valves, commanded, row_of):
    places = (*volumes, *supplies, None)      # None: the atmosphere
    ways = [(places.index(one.start), places.index(one.end), valve, one.sign)
            for valve in valves for one in valve.orifices]
    sides = [(places.index(one.piston_side), places.index(one.rod_side)) for one in cylinders]
    leaking = [k for k, one in enumerate(cylinders) if one.leakage > 0.0]

    def each(values, kind=float):
        return np.array(list(values), kind)

    return Oil(
        *properties,
        each(one.volume for one in volumes.values()),
        each(one.volume / one.bulk_modulus for one in volumes.values()),
        each((way[:2] for way in ways), int).reshape(-1, 2),
        each(valve.coefficient for _, _, valve, _ in ways),
        each((commanded.index(valve) if valve.commanded else -1 for _, _, valve, _ in ways), int),
        each(sign for *_, sign in ways),
        each((sides[k] for k in leaking), int).reshape(-1, 2),
        each(cylinders[k].leakage for k in leaking),
        each(valve.time_constant for valve in commanded),
        each((row_of(one.coordinate) for one in cylinders), int),
        each(sides, int).reshape(-1),
        each(map(_areas, cylinders)).reshape(-1),
        *(each(getattr(one, key) for one in cylinders)
          for key in ('retracted', 'stroke', 'bulk_modulus')),
        each(one.friction.viscous for one in cylinders),
        each(one.end_stop.stiffness for one in cylinders),
        each(one.end_stop.damping for one in cylinders),
        np.array([*(0.0 for _ in volumes), *supplies.values(), ATMOSPHERE]),
        np.zeros(len(commanded)), np.zeros(len(commanded)), np.zeros(5), np.zeros(len(places)),
        np.zeros(len(volumes)))


def _areas(cylinder):
    """Return the areas on which the pressures of a cylinder's chambers act [m^2]."""
    bore, rod = cylinder.piston_diameter, cylinder.rod_diameter
    return pi / 4.0 * bore ** 2, pi / 4.0 * (bore ** 2 - rod ** 2)
