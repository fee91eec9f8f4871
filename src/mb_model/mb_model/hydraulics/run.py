"""What a simulation of a mechanism with its oil gave."""

from dataclasses import dataclass, field

import numpy as np

from mb_model.simulation.run import Run


@dataclass(frozen=True, kw_only=True)
class HydraulicRun(Run):
    """A Run with the oil: p (k, v) [Pa], U (k, u), cylinder_force and stop_force (k, c) [N].

    U_in (k, u) and parameters, name -> values (k), are those set from an instant to the next.
    """

    p: np.ndarray
    U: np.ndarray
    U_in: np.ndarray
    cylinder_force: np.ndarray
    stop_force: np.ndarray
    parameters: dict = field(default_factory=dict)

    @property
    def s(self):
        """Lengths of the cylinders (k, c) [m]."""
        return self.q[:, self.mechanism.circuit.cylinder_coordinates]

    @property
    def sd(self):
        """Their rates (k, c) [m/s]."""
        return self.qd[:, self.mechanism.circuit.cylinder_coordinates]
