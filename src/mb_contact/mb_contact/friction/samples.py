"""Samples of friction, with their deviations, and those of cylinders from an estimated motion."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray, Selection
from mb_model.record.hydraulics import AIR_PRESSURE

_NEAR_END = 2e-3            # of an end stop, which may push as well [m]


@dataclass(frozen=True)
class FrictionSamples:
    """Friction against the motion of a cylinder or coordinate at k instants, from its motion.

    t [s]: increasing within a recording; velocity [m/s]; force [N]; piston_pressure, rod_pressure:
    gauge pressures [Pa], of a coordinate the load and the effort of its drive [N or N m];
    velocity_deviation [m/s], force_deviation [N]: 1 sigma; recording: its number.
    """

    t: np.ndarray
    velocity: np.ndarray
    force: np.ndarray
    piston_pressure: np.ndarray
    rod_pressure: np.ndarray
    velocity_deviation: np.ndarray
    force_deviation: np.ndarray
    recording: np.ndarray

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, chosen: Selection) -> 'FrictionSamples':
        """Return the samples chosen by a mask or a slice."""
        return FrictionSamples(*(getattr(self, f.name)[chosen] for f in fields(self)))


def joined(parts: Sequence[FrictionSamples]) -> FrictionSamples:
    """Return the samples of several recordings as one, numbered in their order."""
    values = {f.name: np.concatenate([getattr(part, f.name) for part in parts])
              for f in fields(FrictionSamples)}
    numbers = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return FrictionSamples(**values | {'recording': numbers})


def friction_samples(mechanism: Mechanism, t: FloatArray,
                     motion: tuple[FloatArray, FloatArray, FloatArray], pressures: FloatArray,
                     covariance: FloatArray) -> dict[str, FrictionSamples]:
    """Return {cylinder: FrictionSamples} of a mechanism whose masses are all known.

    t (k) [s]; motion: (z, zd, zdd), each (k, g); pressures (k, v) [Pa]; covariance (k, l, l) of z,
    zd, zdd, p and more.  The forces that bodies, weights and springs need go to the cylinders;
    there must be as many as degrees of freedom.  Source: Pyrhonen et al. 2023b, Eqs. (50), (54),
    (55).  Raises ValueError.
    """
    circuit = mechanism.circuit
    if circuit is None or len(circuit.cylinders) != mechanism.g:
        raise ValueError(f'{mechanism.file}: friction can be found only where there are as many '
                         f'cylinders as degrees of freedom ({mechanism.g})')
    chambers = _chamber_pressures(circuit, pressures)
    still = np.zeros(mechanism.g)
    count, g = len(t), mechanism.g
    lengths, speeds, forces, spreads, rates = (np.empty((count, g)) for _ in range(5))
    q = mechanism.q0
    for k, (z, zd, zdd) in enumerate(zip(*motion, strict=True)):
        here = mechanism.operational_space(z, zd, q)
        q, R = here.q, here.R[circuit.cylinder_coordinates]
        lengths[k], speeds[k] = q[circuit.cylinder_coordinates], R @ zd
        needed = np.linalg.solve(R.T, here.needed(zd, zdd))
        forces[k] = circuit.force(pressures[k], still) - needed
        by_pressure = circuit.force_derivatives(pressures[k], still)[1]
        by_state = np.hstack([-np.linalg.solve(R.T, here.mass), by_pressure])
        states = slice(2 * g, 2 * g + by_state.shape[1])
        spreads[k] = _deviations(by_state, covariance[k, states, states])
        rates[k] = _deviations(R, covariance[k, g:2 * g, g:2 * g])
    inside = (np.abs(lengths - circuit.retracted - 0.5 * circuit.stroke)
              < 0.5 * circuit.stroke - _NEAR_END)
    return {name: FrictionSamples(
        t, speeds[:, c], forces[:, c], chambers[:, 2 * c], chambers[:, 2 * c + 1], rates[:, c],
        spreads[:, c], np.zeros(count, dtype=int))[inside[:, c]]
        for c, name in enumerate(circuit.cylinders)}


def _chamber_pressures(circuit, pressures):
    """Return the gauge pressures of piston and rod side of each cylinder (k, 2 c) [Pa]."""
    record, count = circuit.record[0], len(circuit.volumes)
    around = np.tile(record['supply_pressure'], (len(pressures), 1))
    around[:, :count] = pressures
    return around[:, record['chamber'][:2 * len(circuit.cylinders)]] - AIR_PRESSURE


def _deviations(by_state, covariance):
    """Return the deviations of linear functions (c, states) of states with a covariance."""
    return np.sqrt(np.einsum('ci,ij,cj->c', by_state, covariance, by_state))
