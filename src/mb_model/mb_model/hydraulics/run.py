"""What a simulation of a mechanism with its oil gave."""

from dataclasses import dataclass, field, replace

import numpy as np

from mb_model.simulation.run import Run

_PARAMETER = 'parameters.'      # before the names of parameters among arrays


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

    has_oil = True

    @property
    def s(self):
        """Lengths of the cylinders (k, c) [m]."""
        return self.q[:, self.mechanism.circuit.cylinder_coordinates]

    @property
    def sd(self):
        """Their rates (k, c) [m/s]."""
        return self.qd[:, self.mechanism.circuit.cylinder_coordinates]

    def more_arrays(self):
        """Return the arrays that a Run does not have, by name."""
        return {name: getattr(self, name) for name in _sizes(self.mechanism.circuit)} | {
            _PARAMETER + name: values for name, values in self.parameters.items()}

    @classmethod
    def from_arrays(cls, where, arguments, more):
        """Return the run with the arguments of a Run and more_arrays; ValueError names `where`."""
        circuit, count = arguments['mechanism'].circuit, len(arguments['t'])
        sizes = {} if circuit is None else _sizes(circuit)
        for name, size in sizes.items():
            if name not in more or more[name].shape != (count, size):
                raise ValueError(f'{where}: {name}: must be there with the shape {(count, size)}')
        parameters = {name.removeprefix(_PARAMETER): values for name, values in more.items()
                      if name.startswith(_PARAMETER)}
        if len(more) != len(sizes) + len(parameters) or any(
                values.shape != (count,) for values in parameters.values()):
            raise ValueError(f'{where}: not the arrays of a run with oil: {", ".join(more)}')
        return cls(**arguments, **{name: more[name] for name in sizes}, parameters=parameters)

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


def _sizes(circuit):
    """Return how many numbers each array has at an instant."""
    v, u, c = len(circuit.volumes), len(circuit.valves), len(circuit.cylinders)
    return {'p': v, 'U': u, 'U_in': u, 'cylinder_force': c, 'stop_force': c}
