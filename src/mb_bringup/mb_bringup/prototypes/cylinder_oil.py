"""Oil beside a simulator of bodies: each tells the other about the cylinders, step by step.

The oil steps first, with cylinders that move as the accelerations of the moment say; the bodies
then move under pressures between those before and after, with friction that follows their rates;
last the oil makes its step again, with the cylinders where the bodies took them.  This is of
second order, and the oil's part of it is stable however stiff the oil is.
"""

import numpy as np

from mb_bringup.prototypes.prototype import OilState
from mb_model.hydraulics import FluidStepper
from mb_model.hydraulics.record import CIRCUIT, FLUID


class NoOil:
    """Stands for the oil of a mechanism without any."""

    circuit, fluid = np.zeros(0, CIRCUIT), np.zeros(0, FLUID)
    pressures, begin, end = np.zeros((3, 0))


class CylinderOil:
    """The circuit of a mechanism in motion; lengths s and rates sd of its cylinders (c).

    circuit, fluid: records for kernels; pressures (v): those that push now [Pa]; begin, end (v):
    those at the beginning of a step, and at its end as predict() guesses them.
    """

    def __init__(self, circuit):
        """Start with the circuit's pressures and spools."""
        self._stepper = FluidStepper(circuit)
        self.fluid = self._stepper.fluid
        self.cylinders = circuit.cylinder_coordinates
        self.set_valves = self._stepper.set_valves
        self.pressures, self.begin, self.end = (self._stepper.p.copy() for _ in range(3))
        self.use(circuit)

    def use(self, circuit):
        """Go on with another circuit of the same parts."""
        self._stepper.circuit, self.circuit = circuit, circuit.record

    def predict(self, h, motion):
        """Make a step of h [s] as a guess; motion: s, sd, sdd (c) at its beginning."""
        s, sd, sdd = motion
        stepper = self._stepper
        self._begin = stepper.U.copy(), s, sd
        self.begin[:] = stepper.p[:] = self.pressures
        stepper.step(h, s, s + h * (sd + 0.5 * h * sdd), sd, sd + h * sdd)
        self.end[:] = stepper.p

    def correct(self, h, motion):
        """Make the step in earnest; motion: s, sd (c) that came of it."""
        stepper = self._stepper
        stepper.p[:], (stepper.U[:], s, sd) = self.begin, self._begin
        stepper.step(h, s, motion[0], sd, motion[1])
        self.pressures[:] = stepper.p

    def state(self, motion):
        """Return the OilState after the last step; motion: s, sd (c) now."""
        stepper = self._stepper
        stepper.p[:] = self.pressures
        stepper.total_force(*motion)
        return OilState(self.pressures.copy(), stepper.U.copy(), stepper.force.copy())
