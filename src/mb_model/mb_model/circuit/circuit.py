"""A hydraulic circuit: its names, its path matrices, its record for kernels, questions to ask."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import local
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.compiled_mechanism import CompiledMechanism
from mb_model.circuit.compilation import compile_circuit, start_pressures
from mb_model.circuit.kernels import entry_points
from mb_model.jit import sizes_of
from mb_model.mechanism_file.hydraulics import Hydraulics
from mb_model.record.hydraulics import FLUID


@dataclass(frozen=True)
class PressureDerivatives:
    """Exact derivatives of the rates of pressures by lengths s and rates sd (c), p (v), U (u)."""

    pd_s: FloatArray      # (v, c) [Pa/(s m)]
    pd_sd: FloatArray     # (v, c) [Pa/m]
    pd_p: FloatArray      # (v, v) [1/s]
    pd_U: FloatArray      # (v, u) [Pa/s]   # noqa: N815
    Ud_U: FloatArray      # (u, u) [1/s], diagonal


class Circuit:
    """Volumes of oil, valves and cylinders.

    Arrays: p (v) in the order of `volumes`, absolute [Pa]; U, U_in (u) in the order of `valves`,
    which are commanded; s, sd (c) in the order of `cylinders`: length of the coordinate [m], its
    rate.
    supplies: name -> pressure [Pa], in whose order they follow the volumes in kernels.
    T_pQ (v, orifices), T_Vcyl (v, 2 c), T_sz (2 c, c): path matrices, chambers ordered piston side,
    rod side of each cylinder; area (2 c) [m^2].  p0, U0: at the start.
    Source: Pyrhonen et al. 2023b, section 2.2.
    """

    def __init__(self, described: Hydraulics, coordinates: Sequence[str], p0: ArrayLike,
                 g: int = 0) -> None:
        """Make the circuit of a Hydraulics; coordinates: of the mechanism; p0 (v): at its start.

        g: degrees of freedom of a mechanism that steps together with the oil.
        """
        self.record = compile_circuit(described, coordinates)
        record = self.record[0]
        self.volumes, self.cylinders = tuple(described.volumes), tuple(described.cylinders)
        self.supplies = dict(described.supplies)
        self.valves = tuple(name for name, valve in described.valves.items() if valve.commanded)
        v, c = len(self.volumes), len(self.cylinders)
        self.cylinder_coordinates = record['coordinate'][:c].copy()
        self.retracted, self.stroke = record['retracted'][:c].copy(), record['stroke'][:c].copy()
        self.transition_velocity = record['transition_velocity'][:c].copy()
        self.area = record['area'][:2 * c].copy()
        self.T_pQ, self.T_Vcyl, self.T_sz = _path_matrices(record, v, c)
        self.p0 = np.array(p0, dtype=float)
        self.U0 = np.array([described.valves[name].start for name in self.valves])
        self.least_command = np.array([described.valves[name].least_command
                                       for name in self.valves])
        self._g = g
        self._of_thread = local()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != '_of_thread'}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _of_thread=local())

    def new_fluid(self) -> RecordArray:
        """Return a workspace for kernels, pressures and spools as at the start."""
        v, u = len(self.volumes), len(self.valves)
        fluid = FLUID.new(independent=self._g, **sizes_of(self.record))
        fluid['p'][0] = self.record['supply_pressure'][0]
        fluid['p'][0, :v] = self.p0
        fluid['U'][0, :u] = fluid['U_in'][0, :u] = self.U0
        return fluid

    def rates(self, s: ArrayLike, sd: ArrayLike, p: ArrayLike, U: ArrayLike,
              U_in: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return (pd (v) [Pa/s], Ud (u) [1/s])."""
        entry_points.rates(self.record, self._load(s=s, sd=sd, p=p, U=U, U_in=U_in))
        return self._read('pd', len(self.volumes)), self._read('Ud', len(self.valves))

    def derivatives(self, s: ArrayLike, sd: ArrayLike, p: ArrayLike,
                    U: ArrayLike) -> PressureDerivatives:
        """Return the PressureDerivatives."""
        entry_points.derivatives(self.record, self._load(s=s, sd=sd, p=p, U=U))
        v, u, c = len(self.volumes), len(self.valves), len(self.cylinders)
        return PressureDerivatives(
            self._read('pd_s', v, c), self._read('pd_sd', v, c), self._read('pd_p', v, v),
            self._read('pd_U', v, u), np.diag(self._read('Ud_U', u)))

    def flows(self, p: ArrayLike, U: ArrayLike) -> FloatArray:
        """Return the flow through each orifice, a column of T_pQ each [m^3/s]."""
        entry_points.rates(self.record, self._load(p=p, U=U))
        return self._read('Q', self.T_pQ.shape[1])

    def force(self, p: ArrayLike, sd: ArrayLike) -> FloatArray:
        """Return the force of each cylinder (c), of pressures less friction, > 0 extends it [N]."""
        return self._forces('force', p, sd)

    def friction(self, p: ArrayLike, sd: ArrayLike) -> FloatArray:
        """Return the friction of each cylinder (c) against its rate [N]."""
        return self._forces('friction', p, sd)

    def stop_force(self, s: ArrayLike, sd: ArrayLike) -> FloatArray:
        """Return the force of the end stops on each cylinder (c), > 0 extends it [N]."""
        entry_points.forces(self.record, self._load(s=s, sd=sd))
        return self._read('stop_force', len(self.cylinders))

    def force_derivatives(self, p: ArrayLike, sd: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives of `force` by sd (c) [N s/m] and by p (c, v) [m^2]."""
        entry_points.forces(self.record, self._load(p=p, sd=sd))
        c = len(self.cylinders)
        return self._read('force_sd', c), self._read('force_p', c, len(self.volumes))

    def _forces(self, name, p, sd):
        entry_points.forces(self.record, self._load(p=p, sd=sd))
        return self._read(name, len(self.cylinders))

    def _load(self, **values):
        """Write arrays into this thread's workspace; return it.  ValueError for a wrong size."""
        sizes = {'s': len(self.cylinders), 'sd': len(self.cylinders), 'p': len(self.volumes)}
        for name, value in values.items():
            size = sizes.get(name, len(self.valves))
            if np.shape(value) != (size,):
                raise ValueError(f'{name}: shape {np.shape(value)} must be ({size},)')
            self._fluid[name][0, :size] = value
        return self._fluid

    @property
    def _fluid(self):
        """The workspace of this thread."""
        try:
            return self._of_thread.fluid
        except AttributeError:
            fluid = self._of_thread.fluid = self.new_fluid()
            return fluid

    def _read(self, name, *shape):
        return self._fluid[name][(0, *map(slice, shape))].copy()


def make_circuit(mechanism: CompiledMechanism) -> Circuit:
    """Return the Circuit of a mechanism that has one; raises MechanismError."""
    described: Any = mechanism.described.hydraulics
    return Circuit(described, mechanism.coordinates, start_pressures(mechanism, described),
                   mechanism.g)


def _path_matrices(record, v, c):
    """Return (T_pQ, T_Vcyl, T_sz)."""
    T_pQ = np.zeros((v, int(record['orifices'])))
    for k in range(T_pQ.shape[1]):
        for side, sign in ((record['orifice_start'][k], -1.0), (record['orifice_end'][k], 1.0)):
            if side < v:
                T_pQ[side, k] = sign
    T_Vcyl = np.zeros((v, 2 * c))
    for chamber, side in enumerate(record['chamber'][:2 * c]):
        if side < v:
            T_Vcyl[side, chamber] = 1.0
    return T_pQ, T_Vcyl, np.kron(np.eye(c), [[1.0], [-1.0]])
