"""The crane with its oil once more: one coordinate, from the triangle of its pins.

The arm's angle, and with it every place, is an analytic function of the cylinder's length s; the
equation of motion m(s) sdd + m'(s) sd^2 / 2 + V'(s) = F follows by complex steps.
"""

import cmath

from hydraulic_truth import PaperCircuit
import numpy as np
from scipy.integrate import solve_ivp

from mb_model import load_mechanism

TINY = 1e-30
G = 9.81
SPOOL = 0.015      # time constant [s]
ATOL = np.array([1e-11, 1e-11, 1e-2, 1e-2, 1e-11])      # m, m/s, Pa


def numbers_in(value):
    """Return a mapping of a file with the numbers that YAML takes for texts, such as 1e9."""
    if isinstance(value, dict):
        return {key: numbers_in(item) for key, item in value.items()}
    try:
        return float(value)
    except ValueError:
        return value


class CraneTruth:
    """The crane of mechanisms/crane.yaml with another load [kg]."""

    def __init__(self, load):
        self.load = load
        whole = numbers_in(load_mechanism('crane').raw['hydraulics'])
        defaults = {'bulk_modulus': 2e10, 'leakage': 0.0}
        cylinder = defaults | whole['cylinders']['lift']
        self.circuit = PaperCircuit(whole | {'cylinders': {'lift': cylinder}})

    @staticmethod
    def lift(s):
        """Return the arm's angle, by the law of cosines at its pin A."""
        pin, foot = 0.5 - 0.1j, 0.12 - 0.95j      # D in the arm's frame, C from A
        squared = abs(pin) ** 2 + abs(foot) ** 2 - s * s
        opening = np.arccos(squared / (2 * abs(pin) * abs(foot)))
        return cmath.phase(foot) + opening - cmath.phase(pin)

    def places(self, s):
        """Return (x, y) of the arm's, the load's and the piston's centres, and two angles."""
        lift = self.lift(s)
        along, across = np.array([np.cos(lift), np.sin(lift)]), np.array([-np.sin(lift),
                                                                         np.cos(lift)])
        pin = 0.5 * along - 0.1 * across
        line = (np.array([0.12, -0.95]) - pin) / s
        tilt = np.arctan(line[1] / line[0])
        return [0.9 * along, 2.0 * along, pin + 0.29 * line], [lift, lift, tilt]

    def mass(self, s):
        """Return m(s)."""
        masses = [40.0, self.load, 6.0]
        inertias = [13.3, 0.4 * self.load * 0.12 ** 2, 6.0 * 0.58 ** 2 / 12]
        places, angles = self.places(s + 1j * TINY)
        return sum(m * ((place.imag / TINY) ** 2).sum() + J * (angle.imag / TINY) ** 2
                   for m, J, place, angle in zip(masses, inertias, places, angles, strict=True))

    def weight(self, s):
        """Return V'(s)."""
        places, _ = self.places(s + 1j * TINY)
        return G * sum(m * place[1].imag / TINY for m, place in zip(
            [40.0, self.load, 6.0], places, strict=True))

    def acceleration(self, s, sd, force):
        """Return sdd under a force on s."""
        slope = (self.mass(s + 1e-5) - self.mass(s - 1e-5)) / 2e-5
        return (force - 0.5 * slope * sd * sd - self.weight(s)) / self.mass(s)

    def rates(self, x, U_in):
        """Return the rates of x = (s, sd, p1, p2, U)."""
        s, sd, p, U = x[0], x[1], x[2:4], x[4:]
        force = self.circuit.force(p, np.array([sd]))[0]
        pd, Ud = self.circuit.rates([s], [sd], p, U, [U_in])
        return np.array([sd, self.acceleration(s, sd, force), *pd, *Ud])

    def simulate(self, x, commands, duration):
        """Return x after each of several commands that hold for a duration, by an implicit method.

        Where the spool passes zero the rates have a kink: a new integration begins there.
        """
        ends = []
        for command in commands:
            x = self._held(np.array(x), command, duration)
            ends.append(x)
        return np.array(ends)

    def _held(self, x, command, duration):
        crossing = 0.0
        if x[4] * command < 0.0:
            crossing = SPOOL * np.log((x[4] - command) / -command)
        for span in (crossing, duration - crossing):
            if span > 0.0:
                x = solve_ivp(lambda _, x: self.rates(x, command), (0.0, span), x, method='Radau',
                              rtol=1e-7, atol=ATOL).y[:, -1]
        return x
