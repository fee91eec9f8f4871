"""The path of hydraulic_kinematic_ekf along a recording, with what numbers of the oil change."""

from typing import Any

import numpy as np

from mb_estimators.filters.channels import biased_channels
from mb_estimators.fitting.by_readings.path import Tracer
from mb_estimators.fitting.oil_numbers import OilNumbers
from mb_estimators.kernels.hydraulic_kinematics import rates_of_circuits
from mb_estimators.records.oil import PASCAL
from mb_model.arrays import FloatArray

_CHANGE = 1e-5          # of the logarithm of a number, for derivatives


class OilTracer(Tracer):
    """hydraulic_kinematic_ekf, which notes its steps, beside errors of numbers that stay.

    Densities are of the jerk of each degree of freedom [m^2/s^5], of what rates of pressures are
    wrong by [Pa^2/s], of what rates of spools are [1/s], then of walks of biases.
    """

    def __init__(self, filter_: Any, count: int, numbers: OilNumbers) -> None:
        """Set up for a filter at its start, and so many instants."""
        self._layout, walks = filter_.layout, len(biased_channels(filter_.sensors))
        still = np.eye(len(numbers.names))
        super().__init__(filter_, count, filter_.mechanism.g + 2 + walks, len(still))
        circuits = [numbers.circuit(row) for row in _CHANGE * np.r_[0.0 * still[:1], still]]
        self._circuits = np.concatenate([circuit.record for circuit in circuits])
        self._fluids, circuit = circuits[0].new_fluid(), circuits[0]
        self._rates = np.empty((len(circuits), len(circuit.volumes) + len(circuit.valves)))
        self._driven = np.array([np.diag(row) for row in self._rows()])
        self._cylinders = filter_.state['hydraulic'][0]['cylinder_of'][:self._g]
        self._commands = filter_.state['fluid'][0]['U_in']

    @property
    def reference_change(self) -> FloatArray | None:
        """See filter.Smoothable; numbers stay."""
        change, whole = self._of.reference_change, np.eye(self.path.transitions.shape[1])
        if change is None:
            return None
        whole[:len(change), :len(change)] = change
        return whole

    def predict(self, dt: float, inputs: Any = None) -> None:
        """Move the filter on by dt [s], and note how."""
        before = self._record['x'].copy()
        self._of.predict(dt, inputs)
        change, F = self._of.reference_change, self._transition
        F, path, size = F if change is None else change @ F, self.path, len(self._layout)
        half = 0.5 * (np.eye(size) + F)
        whole = np.eye(path.transitions.shape[1])
        whole[:size, :size] = F
        whole[:size, size:] = dt * half @ self._by_numbers(0.5 * (before + self._record['x']))
        path.transitions[self.instant] = whole @ path.transitions[self.instant]
        units = path.units[self.instant, :, :size, :size]
        units[:] = F @ units @ F.T + dt * half @ self._driven @ half.T

    def _rows(self) -> FloatArray:
        """Return what a unit of each density adds to the states per second (d, l)."""
        layout = self._layout
        jerk, bias = (np.eye(len(layout))[layout[name]] for name in ('acceleration', 'bias'))
        pressure, spool = np.zeros((2, len(layout)))
        pressure[layout['pressure']], spool[layout['spool']] = PASCAL ** -2, 1.0
        return np.array([*jerk, pressure, spool, *bias])

    def _by_numbers(self, x: FloatArray) -> FloatArray:
        """Return the derivatives (l, p) of the rates of states x by the numbers s."""
        layout, fluid, there = self._layout, self._fluids[0], self._cylinders >= 0
        driven = self._cylinders[there]
        fluid['s'][driven] = x[layout['position']][there]
        fluid['sd'][driven] = x[layout['velocity']][there]
        pressures, spools = PASCAL * x[layout['pressure']], x[layout['spool']]
        fluid['p'][:len(pressures)], fluid['U'][:len(spools)] = pressures, spools
        fluid['U_in'] = self._commands
        rates_of_circuits(self._circuits, self._fluids, self._rates)
        changes = (self._rates[1:] - self._rates[0]) / _CHANGE
        derivatives, count = np.zeros((len(layout), len(changes))), len(pressures)
        derivatives[layout['pressure']] = changes[:, :count].T / PASCAL
        derivatives[layout['spool']] = changes[:, count:].T
        return derivatives
