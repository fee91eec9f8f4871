"""Oil of the MuJoCo prototype, compiled: pressures, spools and forces of cylinders.

Written from the literature for the prototype alone: nothing of mb_model's hydraulics is in it.

    volumes    p' = (sum of inflows - A s') / C,    C = V (1/B + a p0/p^2) + V_h/B_h + sum V_k/B_k
               Merritt 1967 (Hydraulic control systems), continuity with an effective bulk modulus:
               oil, free air that keeps its temperature, hoses and barrels give way together
    orifices   Q = K u sqrt(d) beyond the transition drop t, K u d (3 - d/t) / (2 sqrt(t)) below it
               Ellman and Piche 1999 (A two regime orifice flow formula for numerical simulation)
    pistons    Q = G d past the seals, laminar
    spools     u' = (command - u) / lag
    supply     p = mean + amplitude sin(rate t), of one that ripples
    end stops  F = k x (1 + c x'), only pushing; Hunt and Crossley 1975 with exponent 1
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import pi, sin, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mb_model import Mechanism
from mb_model.jit import entry, kernel

ATMOSPHERE = 101325.0       # [Pa]
_LEAST = 1.0                # pressure where a trial step gives none [Pa]
TIME, SUPPLY, MEAN, AMPLITUDE, RATE = range(5)      # of Oil.ripple: s, oil node, Pa, Pa, rad/s


class Oil(NamedTuple):
    """A circuit and its state; oil nodes are (v) volumes, supplies, then the atmosphere.

    Chambers of cylinder k are 2 k, at the piston, and 2 k + 1, at the rod.
    """

    modulus: float          # of the oil [Pa]
    air: float              # its share of free air times the pressure that counts for [Pa]
    transition: float       # drop where orifices become turbulent [Pa]
    hose: np.ndarray        # volume (v) [m^3]
    hose_give: np.ndarray   # and how it widens (v) [m^3/Pa]
    ends: np.ndarray        # oil nodes that orifices lead from and to (o, 2)
    gain: np.ndarray        # wide open (o) [m^3/(s Pa^0.5)]
    valve: np.ndarray       # that opens it, -1: none (o)
    sense: np.ndarray       # of the spool that opens it (o)
    seeping: np.ndarray     # oil nodes that leakages lead from and to (l, 2)
    leakage: np.ndarray     # (l) [m^3/(s Pa)]
    lag: np.ndarray         # (u) [s]
    row: np.ndarray         # index of a cylinder's length in q (c)
    side: np.ndarray        # oil nodes of its chambers (2 c)
    area: np.ndarray        # (2 c) [m^2]
    retracted: np.ndarray   # (c) [m]
    stroke: np.ndarray      # (c) [m]
    wall: np.ndarray        # bulk modulus of the barrel (c) [Pa]
    viscous: np.ndarray     # (c) [N s/m]
    stiffness: np.ndarray   # of the end stops (c) [N/m]
    damping: np.ndarray     # (c) [s/m]
    p: np.ndarray           # of all oil nodes, absolute [Pa]
    spool: np.ndarray       # (u)
    command: np.ndarray     # (u)
    ripple: np.ndarray      # time, and the supply that ripples (5)
    inflow: np.ndarray      # of all oil nodes [m^3/s]; scratch
    capacity: np.ndarray    # (v) [m^3/Pa]; scratch


@entry
def orifice_flow(drop, transition):
    """Return flow over K u at a pressure drop [Pa^0.5]."""
    size = abs(drop)
    if size >= transition:
        return sqrt(size) if drop > 0.0 else -sqrt(size)
    return drop * (3.0 - size / transition) / (2.0 * sqrt(transition))


@kernel
def set_supply(oil):
    """Write the present pressure of the supply that ripples, if one does."""
    ripple = oil.ripple
    if ripple[AMPLITUDE] > 0.0:
        oil.p[int(ripple[SUPPLY])] = (
            ripple[MEAN] + ripple[AMPLITUDE] * sin(ripple[RATE] * ripple[TIME]))


@kernel
def oil_rates(oil, q, qd, pressure_rates, spool_rates):
    """Write the rates of the pressures of volumes (v) and of spools (u) at q, qd (n)."""
    inflow, capacity, volumes = oil.inflow, oil.capacity, len(oil.hose)
    inflow[:] = 0.0
    for o in range(len(oil.gain)):
        start, end = oil.ends[o, 0], oil.ends[o, 1]
        opening = 1.0 if oil.valve[o] < 0 else max(0.0, oil.sense[o] * oil.spool[oil.valve[o]])
        flow = oil.gain[o] * opening * orifice_flow(oil.p[start] - oil.p[end], oil.transition)
        inflow[start] -= flow
        inflow[end] += flow
    for k in range(len(oil.leakage)):
        start, end = oil.seeping[k, 0], oil.seeping[k, 1]
        flow = oil.leakage[k] * (oil.p[start] - oil.p[end])
        inflow[start] -= flow
        inflow[end] += flow
    for n in range(volumes):
        capacity[n] = oil.hose_give[n] + oil.hose[n] * _compressibility(oil, oil.p[n])
    for c in range(len(oil.row)):
        piston, rod = oil.side[2 * c], oil.side[2 * c + 1]
        out = min(max(q[oil.row[c]] - oil.retracted[c], 0.0), oil.stroke[c])
        if piston < volumes:
            inflow[piston] -= oil.area[2 * c] * qd[oil.row[c]]
            capacity[piston] += oil.area[2 * c] * out * (
                _compressibility(oil, oil.p[piston]) + 1.0 / oil.wall[c])
        if rod < volumes:
            inflow[rod] += oil.area[2 * c + 1] * qd[oil.row[c]]
            capacity[rod] += oil.area[2 * c + 1] * (oil.stroke[c] - out) * (
                _compressibility(oil, oil.p[rod]) + 1.0 / oil.wall[c])
    for n in range(volumes):
        pressure_rates[n] = inflow[n] / capacity[n]
    for k in range(len(oil.lag)):
        spool_rates[k] = (oil.command[k] - oil.spool[k]) / oil.lag[k]


@kernel
def _compressibility(oil, p):
    """Return the compressibility of oil with its air [1/Pa]."""
    p = max(p, _LEAST)
    return 1.0 / oil.modulus + oil.air / (p * p)


@entry
def cylinder_force(oil, c, rate):
    """Return the force of a cylinder of its pressures, less viscous friction [N]."""
    return ((oil.p[oil.side[2 * c]] - ATMOSPHERE) * oil.area[2 * c]
            - (oil.p[oil.side[2 * c + 1]] - ATMOSPHERE) * oil.area[2 * c + 1]
            - oil.viscous[c] * rate)


@kernel
def stop_force(oil, c, length, rate):
    """Return the force of a cylinder's end stops, > 0 extends it [N]."""
    out = length - oil.retracted[c]
    if out < 0.0:
        return max(0.0, -oil.stiffness[c] * out * (1.0 - oil.damping[c] * rate))
    beyond = max(0.0, out - oil.stroke[c])
    return min(0.0, -oil.stiffness[c] * beyond * (1.0 + oil.damping[c] * rate))


def make_oil(mechanism: Mechanism) -> Oil:
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


def ripple(oil: Oil, amplitude: float, rate: float) -> None:
    """Have the supply with the highest pressure ripple; amplitude [Pa], rate [Hz]."""
    first = len(oil.hose)
    index = first + int(np.argmax(oil.p[first:-1]))
    oil.ripple[SUPPLY:] = index, oil.p[index], amplitude, 2.0 * pi * rate


def _oil(properties: Sequence[float], volumes: Mapping[str, Any], supplies: Mapping[str, float],
         cylinders: Sequence[Any], valves: Sequence[Any], commanded: Sequence[Any],
         row_of: Callable[[str], int]) -> Oil:
    reservoirs = (*volumes, *supplies, None)      # None: the atmosphere
    orifices = [(reservoirs.index(one.start), reservoirs.index(one.end), valve, one.sign)
            for valve in valves for one in valve.orifices]
    sides = [(reservoirs.index(one.piston_side), reservoirs.index(one.rod_side))
             for one in cylinders]
    leaking = [k for k, one in enumerate(cylinders) if one.leakage > 0.0]

    def each(values: Iterable[Any], kind: type = float) -> NDArray[Any]:
        return np.array(list(values), kind)

    return Oil(
        *properties,
        each(one.volume for one in volumes.values()),
        each(one.volume / one.bulk_modulus for one in volumes.values()),
        each((orifice[:2] for orifice in orifices), int).reshape(-1, 2),
        each(valve.coefficient for _, _, valve, _ in orifices),
        each((commanded.index(valve) if valve.commanded else -1
              for _, _, valve, _ in orifices), int),
        each(sign for *_, sign in orifices),
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
        np.zeros(len(commanded)), np.zeros(len(commanded)), np.zeros(5), np.zeros(len(reservoirs)),
        np.zeros(len(volumes)))


def _areas(cylinder: Any) -> tuple[float, float]:
    """Return the areas on which the pressures of a cylinder's chambers act [m^2]."""
    bore, rod = cylinder.piston_diameter, cylinder.rod_diameter
    return pi / 4.0 * bore ** 2, pi / 4.0 * (bore ** 2 - rod ** 2)
