"""A second motion of mechanism and oil, see simulation.second_motion."""

from mb_model.simulation.second_motion import SecondMotion


class SecondHydraulicMotion(SecondMotion):
    """Follows a HydraulicStepper; its steps join no two with different commands.

    Valves, friction and end stops have kinks, and vibrations of the oil may be faster than a step:
    errors then grow with the step itself, though the rule is of second order.
    """

    order = 1

    def set_parameter(self, name, value):
        """Give the twin a parameter that its Stepper is about to get."""
        self.catch_up()
        self.twin.set_parameter(name, value)

    def _is_driven_otherwise(self):
        return super()._is_driven_otherwise() or (self._stepper.U_in != self.twin.U_in).any()

    def _drive_alike(self):
        super()._drive_alike()
        self.twin.U_in[:] = self._stepper.U_in
