"""The oil of a circuit in motion, while another simulator moves the cylinders."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.circuit.kernels import entry_points
from mb_model.stepping.stepper import StepError

if TYPE_CHECKING:
    from mb_model.circuit.circuit import Circuit


def checked_commands(circuit: 'Circuit', U_in: ArrayLike) -> FloatArray:
    """Return commands (u) within what each valve can do; raises ValueError."""
    commands = np.asarray(U_in, dtype=float)
    if commands.shape != (len(circuit.valves),):
        raise ValueError(f'U_in: shape {commands.shape} must be ({len(circuit.valves)},), one for '
                         f'each of {", ".join(circuit.valves)}')
    if not np.isfinite(commands).all():
        raise ValueError(f'U_in: {commands} must be finite')
    return np.clip(commands, circuit.least_command, 1.0)


HALVINGS = 12      # of a step in which a pressure would not stay above zero


class OilState:
    """Pressures and spools of a circuit, and what its cylinders do, as views of `fluid`.

    s, sd (c): length and rate of each cylinder; p (v) [Pa], U, U_in (u); force (c): of pressures
    less friction, stop_force (c): of the end stops [N].
    """

    VIEWS = ('p', 'U', 'U_in', 's', 'sd', 'force', 'stop_force')

    circuit: 'Circuit'
    fluid: RecordArray

    def bind_oil(self) -> None:
        """Make the views."""
        fluid, circuit = self.fluid[0], self.circuit
        v, u, c = len(circuit.volumes), len(circuit.valves), len(circuit.cylinders)
        self.p, self.U, self.U_in = fluid['p'][:v], fluid['U'][:u], fluid['U_in'][:u]
        self.s, self.sd, self.force, self.stop_force = (
            fluid[name][:c] for name in ('s', 'sd', 'force', 'stop_force'))

    def reset_oil(self, p: ArrayLike | None = None, U: ArrayLike | None = None) -> None:
        """Start at p (v), U (u), default: as the circuit does; the spools stay."""
        self.p[:] = self.circuit.p0 if p is None else p
        self.U[:] = self.circuit.U0 if U is None else U
        self.U_in[:] = self.U

    def set_valves(self, U_in: ArrayLike) -> None:
        """Command the spools (u) from now on; commands beyond full opening are cut."""
        self.U_in[:] = checked_commands(self.circuit, U_in)


class FluidStepper(OilState):
    """The oil of a circuit, step by step."""

    def __init__(self, circuit: 'Circuit') -> None:
        """Start as the circuit does, its cylinders retracted."""
        self.circuit, self.fluid = circuit, circuit.new_fluid()
        self.bind_oil()

    def reset(self, p0: ArrayLike | None = None, U0: ArrayLike | None = None) -> None:
        """Start at p0 (v), U0 (u), default: as the circuit does; the spools stay."""
        self.reset_oil(p0, U0)

    def step(self, dt: float, s0: FloatArray | float, s1: FloatArray | float,
             sd0: FloatArray | float, sd1: FloatArray | float) -> None:
        """Advance by dt [s], in which lengths and rates of the cylinders (c) go from 0 to 1.

        Leaves the forces at the end.  Raises StepError, the state unchanged.
        """
        if not 0.0 < dt < np.inf:
            raise ValueError(f'dt: {dt} must be > 0')
        ends = [np.atleast_1d(np.asarray(value, dtype=float)) for value in (s0, s1, sd0, sd1)]
        before = self.p.copy(), self.U.copy()
        for halvings in range(HALVINGS + 1):
            if self._sub_steps(dt, 2 ** halvings, *ends):
                return
            self.p[:], self.U[:] = before
        raise StepError(f'no step of {dt:g} s of the oil from p = {self.p}, U = {self.U}, with '
                        f'cylinders from {s0} to {s1}')

    def total_force(self, s: ArrayLike, sd: ArrayLike) -> FloatArray:
        """Return the force on each cylinder (c) at s, sd with these pressures, end stops added."""
        self.s[:], self.sd[:] = s, sd
        entry_points.forces(self.circuit.record, self.fluid)
        return self.force + self.stop_force

    def _sub_steps(self, dt, count, s0, s1, sd0, sd1):
        """Make equal steps, the cylinders between their ends on a cubic; return whether it did."""
        self.s[:], self.sd[:] = s0, sd0
        for k in range(1, count):
            if not self._step(dt / count, *_between(k / count, dt, s0, s1, sd0, sd1)):
                return False
        return self._step(dt / count, s1, sd1)

    def _step(self, h, s, sd):
        return entry_points.step_fluid(self.circuit.record, self.fluid, h, s, sd)


def _between(x, dt, s0, s1, sd0, sd1):
    """Return length and rate at a share x of an interval dt, on the cubic between its ends."""
    s = (s0 + x * x * (3.0 - 2.0 * x) * (s1 - s0)
         + dt * x * (1.0 - x) * ((1.0 - x) * sd0 - x * sd1))
    sd = (6.0 * x * (1.0 - x) * (s1 - s0) / dt
          + (1.0 - x) * (1.0 - 3.0 * x) * sd0 + x * (3.0 * x - 2.0) * sd1)
    return s, sd
