"""A second motion of mechanism and oil, see simulation.second_motion."""

import numpy as np

from mb_model.simulation.second_motion import SecondMotion


class SecondHydraulicMotion(SecondMotion):
    """Follows a HydraulicStepper; its valves get the mean of the commands."""

    def __init__(self, stepper):
        """Begin where a HydraulicStepper is now."""
        self._commands = np.zeros_like(stepper.U_in)
        super().__init__(stepper)

    def set_parameter(self, name, value):
        """Give the twin a parameter that its Stepper is about to get."""
        self.catch_up()
        self.twin.set_parameter(name, value)

    def _join(self, finer):
        super()._join(finer)
        self._commands[:] = 0.0

    def _gather(self, dt):
        super()._gather(dt)
        self._commands += dt * self._stepper.U_in

    def _advance(self, compared=True):
        self.twin.U_in[:] = self._commands / self._waiting
        self._commands[:] = 0.0
        return super()._advance(compared)
