"""Hydraulic circuits once more, in the words of the paper, analytic: complex numbers go through.

Source: Pyrhonen et al. 2023b, Eqs. (9)-(17), (50)-(54), with air in the oil and absolute pressures.
"""

from math import pi

import numpy as np

AIR = 101325.0


def magnitude(x):
    """Return |x|, analytic where its real part is not zero."""
    return -x if np.real(x) < 0 else x


class PaperCircuit:
    """The mapping `hydraulics` of a mechanism file, every number a float, every default given."""

    def __init__(self, raw):
        self.raw = raw
        self.volumes = list(raw['volumes'])
        self.commanded = [name for name, valve in raw['valves'].items()
                          if valve['kind'] != 'throttle']

    def pressure(self, place, p):
        """Return the pressure at a volume, a supply, or None: the air."""
        if place is None:
            return AIR
        return (p[self.volumes.index(place)] if place in self.volumes
                else self.raw['supplies'][place])

    def chambers(self, s, sd):
        """Yield (cylinder, side, place, area, height, its rate)."""
        for k, cylinder in enumerate(self.raw['cylinders'].values()):
            stroke = s[k] - cylinder['retracted']
            piston = 0.25 * pi * cylinder['piston_diameter'] ** 2
            rod = piston - 0.25 * pi * cylinder['rod_diameter'] ** 2
            yield cylinder, 'piston', cylinder['piston_side'], piston, stroke, sd[k]
            yield (cylinder, 'rod', cylinder.get('rod_side'), rod, cylinder['stroke'] - stroke,
                   -sd[k])

    def orifice(self, valve, opening, drop):
        """Eqs. (12)-(15)."""
        K = opening * valve['flow'] / (valve.get('opening', 1.0) * np.sqrt(valve['pressure_drop']))
        laminar = self.raw['oil']['laminar_pressure']
        if abs(np.real(drop)) > laminar:
            return K * np.sqrt(magnitude(drop)) * np.sign(np.real(drop))
        return K * np.sqrt(laminar) * drop / laminar

    def connections(self, p, U):
        """Yield (start, end, flow): of a directional valve the two that its spool opens."""
        for name, valve in self.raw['valves'].items():
            if valve['kind'] == 'throttle':
                ways, opening = [('from', 'to')], 1.0
            else:
                u = U[self.commanded.index(name)]
                opening, ways = magnitude(u), [('from', 'to')]
                if valve['kind'] == 'directional':
                    ways = ([('P', 'A'), ('B', 'T')] if np.real(u) > 0
                            else [('P', 'B'), ('A', 'T')])
                elif np.real(u) < 0:
                    ways = []
            for start, end in ways:
                if start in valve and end in valve:
                    drop = self.pressure(valve[start], p) - self.pressure(valve[end], p)
                    yield valve[start], valve[end], self.orifice(valve, opening, drop)
        for cylinder in self.raw['cylinders'].values():
            ends = cylinder['piston_side'], cylinder.get('rod_side')
            drop = self.pressure(ends[0], p) - self.pressure(ends[1], p)
            yield *ends, cylinder['leakage'] * drop

    def rates(self, s, sd, p, U, U_in):
        """Return pd and Ud, Eqs. (9), (10), (17)."""
        pd = []
        for n, (name, volume) in enumerate(self.raw['volumes'].items()):
            parts = [(volume['volume'], volume['bulk_modulus'])]
            growth = 0.0
            for cylinder, _, place, area, height, rate in self.chambers(s, sd):
                if place == name:
                    parts.append((area * height, cylinder['bulk_modulus']))
                    growth = growth + area * rate
            V = sum(part for part, _ in parts)
            oil = self.raw['oil']
            compressibility = (1.0 / oil['bulk_modulus'] + oil['air'] * AIR / p[n] ** 2
                               + sum(part / modulus for part, modulus in parts) / V)
            flow = sum(q * ((end == name) * 1.0 - (start == name) * 1.0)
                       for start, end, q in self.connections(p, U))
            pd.append((flow - growth) / (compressibility * V))
        Ud = [(U_in[k] - U[k]) / self.raw['valves'][name]['time_constant']
              for k, name in enumerate(self.commanded)]
        return np.array(pd), np.array(Ud)

    def force(self, p, sd):
        """Return the forces of the cylinders, Eqs. (50)-(54)."""
        forces = []
        sides = {}
        for cylinder, side, place, area, _, rate in self.chambers(sd * 0.0, sd):
            sides[side] = self.pressure(place, p), area
            if side == 'rod':
                (p1, A1), (p2, A2) = sides['piston'], sides['rod']
                v, f = -rate, cylinder['friction']
                w = v / f['transition_velocity']
                sign = np.tanh(4 * w)
                brown_mcphee = (f['coulomb'] * sign + (f['static'] - f['coulomb']) * w
                                / (w ** 2 / 4 + 3 / 4) ** 2 + f['viscous'] * v)
                by_pressure = (magnitude(p1 - p2) * f['pressure_difference']
                               + (p2 - AIR) * f['rod_pressure']) * sign
                forces.append(p1 * A1 - p2 * A2 - AIR * (A1 - A2) - brown_mcphee - by_pressure)
        return np.array(forces)
