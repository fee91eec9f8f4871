"""What a simulation of a mechanism with its oil gave."""

from dataclasses import dataclass, field, replace

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

    def energy(self):
        """Return the OilEnergyBalance of the motion."""
        # Imported here: nodes need not wait for what it imports.
        from mb_model.hydraulics.energy import oil_energy_balance
        return oil_energy_balance(self)

    def part(self, rows):
        """Return some instants, a slice, of a mechanism with the parameters at their start."""
        arrays = {name: value[rows] for name, value in vars(self).items()
                  if isinstance(value, np.ndarray)}
        parameters = {name: values[rows] for name, values in self.parameters.items()}
        values = {name: float(values[0]) for name, values in parameters.items()}
        return replace(self, **arrays, parameters=parameters,
                       mechanism=self.mechanism.replace(parameters=values))
