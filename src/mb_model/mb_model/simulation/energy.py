"""Where the energy of a motion comes from and goes to."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.kernels import entry_points


@dataclass(frozen=True)
class EnergyBalance:
    """Energies [J] at the instants of a Run (k).

    input_work: what forces on the degrees of freedom, constant forces and prescribed coordinates
    have brought since the start; dissipated: what dampers and friction have taken; drift: what the
    total has changed without a cause, an error of the integration.
    """

    kinetic: FloatArray
    potential: FloatArray
    input_work: FloatArray
    dissipated: FloatArray

    @property
    def total(self) -> FloatArray:
        """Kinetic and potential energy."""
        return self.kinetic + self.potential

    @property
    def drift(self) -> FloatArray:
        """Change of the total that nothing explains."""
        return self.total - self.total[0] - self.input_work + self.dissipated


def energy_balance(run: Any) -> EnergyBalance:
    """Return the EnergyBalance of a Run.

    The work of inputs is exact, since these are held between two instants; the work of the model's
    own forces is integrated by Simpson's rule.
    """
    series = np.empty((len(run.t), 4))
    entry_points.energy_series(run.mechanism.model, run.mechanism.workspace(),
                               np.ascontiguousarray(run.q), np.ascontiguousarray(run.qd),
                               np.ascontiguousarray(run.forces), series)
    work = np.zeros(len(run.t))
    work[1:] = np.cumsum((run.forces[:-1] * np.diff(run.z, axis=0)).sum(axis=1))
    driven = integral(run.t, series[:, 2] + _driving_power(run))
    lost = integral(run.t, series[:, 3])
    return EnergyBalance(series[:, 0], series[:, 1], work + driven, lost)


def _driving_power(run: Any) -> FloatArray:
    """Return the power that prescribed coordinates bring (k) [W]."""
    names = list(run.mechanism.described.prescribed)
    if not names:
        return np.zeros(len(run.t))
    forces = [run.mechanism.driving_forces(run.z[k], run.zd[k], forces=run.forces[k],
                                           near=run.q[k], t=run.t[k]) for k in range(len(run.t))]
    rates = np.stack([run.values(name, 'qd') for name in names], axis=1)
    return (np.array(forces) * rates).sum(axis=1)


def integral(t: FloatArray, power: FloatArray) -> FloatArray:
    """Return the integral of a power (k) [W] from the start to each instant [J]."""
    if len(t) < 3:
        return np.append(0.0, 0.5 * np.diff(t) * (power[1:] + power[:-1]))
    from scipy.integrate import cumulative_simpson  # here: it takes a fifth of a second
    return cumulative_simpson(power, x=t, initial=0.0)


@dataclass(frozen=True)
class OilEnergyBalance(EnergyBalance):
    """Energies [J] of a Run with oil (k), oil among them, counted from the pressure of the air.

    oil: stored in the oil and what widens around it, 0 at the start; input_work: of supplies, too;
    throttled: what orifices, the friction of cylinders and end stops have taken of what is
    dissipated.
    """

    oil: FloatArray
    throttled: FloatArray

    @property
    def total(self) -> FloatArray:
        """Kinetic and potential energy, and the oil's."""
        return super().total + self.oil


def oil_energy_balance(run: Any) -> OilEnergyBalance:
    """Return the OilEnergyBalance of a Run with oil, by Simpson's rule.

    What parameters that change during the run bring along counts as work of inputs.
    """
    # Imported here: most mechanisms have no oil.
    from mb_model.circuit.kernels import entry_points as oil_entry_points, power
    kinetic, potential, given, dissipated = _mechanical(run)
    circuit, series = run.mechanism.circuit, np.empty((len(run.t), 4))
    oil_entry_points.power_series(circuit.record, circuit.new_fluid(),
                                  np.hstack([run.s, run.sd, run.p, run.U]), series)
    supplied, stored, throttled = (integral(run.t, series[:, column])
                                   for column in (power.SUPPLIED, power.STORED, power.LOST))
    return OilEnergyBalance(kinetic, potential, given + supplied, dissipated + throttled, stored,
                            throttled)


def _mechanical(run: Any) -> FloatArray:
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
