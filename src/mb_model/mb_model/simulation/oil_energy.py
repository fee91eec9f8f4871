"""Where the energy of a motion with oil comes from and goes to."""

from dataclasses import dataclass

import numpy as np

from mb_model.circuit.kernels import entry_points, power
from mb_model.simulation.energy import EnergyBalance, energy_balance, integral


@dataclass(frozen=True)
class OilEnergyBalance(EnergyBalance):
    """Energies [J] of a Run with oil (k), oil among them, counted from the pressure of the air.

    oil: stored in the oil and what widens around it, 0 at the start; input_work: of supplies, too;
    throttled: what orifices, the friction of cylinders and end stops have taken of what is
    dissipated.
    """

    oil: np.ndarray
    throttled: np.ndarray

    @property
    def total(self):
        """Kinetic and potential energy, and that of the oil."""
        return super().total + self.oil


def oil_energy_balance(run):
    """Return the OilEnergyBalance of a Run with oil, by Simpson's rule.

    What parameters that change during the run bring along counts as work of inputs.
    """
    kinetic, potential, given, dissipated = _mechanical(run)
    circuit, series = run.mechanism.circuit, np.empty((len(run.t), 4))
    entry_points.power_series(circuit.record, circuit.new_fluid(),
                              np.hstack([run.s, run.sd, run.p, run.U]), series)
    supplied, stored, throttled = (integral(run.t, series[:, column])
                                   for column in (power.SUPPLIED, power.STORED, power.LOST))
    return OilEnergyBalance(kinetic, potential, given + supplied, dissipated + throttled, stored,
                            throttled)


def _mechanical(run):
    """Return kinetic and potential energy, work of inputs and dissipated (4, k) of the mechanism.

    It is another one after every change of a parameter.
    """
    values = np.array([*run.parameters.values()]).reshape(len(run.parameters), len(run.t))
    starts = [0, *(np.flatnonzero((np.diff(values) != 0.0).any(axis=0)) + 1)]
    out = np.zeros((4, len(run.t)))
    for start, last in zip(starts, [*starts[1:], len(run.t) - 1], strict=True):
        rows = slice(start, last + 1)
        balance = energy_balance(run.part(rows))
        before = out[:, start].copy()
        out[:, rows] = (balance.kinetic, balance.potential, balance.input_work + before[2],
                        balance.dissipated + before[3])
        if start > 0:
            out[2, rows] += out[:2, start].sum() - before[:2].sum()
    return out
