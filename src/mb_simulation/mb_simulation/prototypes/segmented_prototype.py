"""The prototype in MuJoCo of a machine with bodies that bend: chains of segments, seen as modes.

Bodies that bend in the prototype alone are seen as rigid ones: its state does not show them.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_simulation.prototypes.mujoco_prototype import MujocoPrototype
from mb_simulation.prototypes.obstacle import Obstacle
from mb_simulation.prototypes.oil import ripple
from mb_simulation.prototypes.prototype import OilState, State
from mb_simulation.prototypes.segments import (
    PIECES,
    damping_time,
    fastest_rate,
    nodes,
    segmented,
)
from mb_simulation.prototypes.unmodelled import (
    UnmodelledSettings,
    fastest,
    real_machine,
    require_loops,
)
from mb_simulation.prototypes.unmodelled_oil import pressures_of_supplies, sensed_volumes

_FASTEST = 2.4      # of the step times the largest rate of a chain; Runge-Kutta bears 2.8


class SegmentedPrototype(MujocoPrototype):
    """A MujocoPrototype of segments; its states have the modes of the mechanism.

    Modal coordinates are fitted to the deflections of the chain, by least squares.
    """

    def __init__(self, mechanism: Mechanism, interval: float, step: float,
                 obstacles: Sequence[Obstacle] = (),
                 unmodelled: UnmodelledSettings | None = None) -> None:
        """Start at the mechanism's start; see MujocoPrototype.  step: as short as chains ask for.

        unmodelled: UnmodelledSettings, of physics that states do not show.
        Raises ValueError for a mechanism that cannot be simulated so.
        """
        unmodelled = unmodelled or UnmodelledSettings()
        require_loops(mechanism, unmodelled)        # before the chains close them elsewhere
        self._seen_as, self._closed = mechanism, mechanism.q0
        self._fits = [_Fit(mechanism, body) for body in mechanism.flexible_bodies]
        chains = real_machine(mechanism, unmodelled)
        if mechanism.circuit is None:       # with oil, the stiff integrator chooses steps itself
            rates = [fit.fastest_rate for fit in self._fits] + [
                rate for rate in (fastest(mechanism, unmodelled),) if rate]
            step = min([step, *(_FASTEST / rate for rate in rates)])
        if mechanism.flexible_bodies:
            chains = segmented(chains)
        known = [name for name in mechanism.coordinates if name in chains.coordinates]
        self._known = mechanism.indices(known), chains.indices(known)
        self._chains = chains
        self._sensed = sensed_volumes(mechanism, chains, unmodelled.pressures_at
                                     ) if mechanism.circuit else []
        super().__init__(chains, interval, step, obstacles, unmodelled)
        if unmodelled.ripple_amplitude:
            ripple(self._oil, unmodelled.ripple_amplitude, unmodelled.ripple_rate)

    @property
    def oil(self) -> OilState | None:
        """The present state of the circuit, as it is seen."""
        state = super().oil
        return state and replace(state, p=state.p[self._sensed], supply_p=pressures_of_supplies(
            self._seen_as, self._chains, state.p, state.supply_p))

    def _find_state(self) -> None:
        """Read the state, unless that is done."""
        if self._state is None:
            chains = self._motion.coordinates()
            self._qd = chains[1]
            self._state = self._seen(*chains)

    def _seen(self, *chains: FloatArray) -> State:
        """Return the State of the mechanism as it is seen by q, qd, qdd of the chains."""
        mechanism, (own, theirs) = self._seen_as, self._known
        values = np.zeros((3, mechanism.n))
        values[:, own] = np.array(chains)[:, theirs]
        whole = [np.r_[one, np.zeros(self._chains.model['n_total'][0] - len(one))]
                 for one in chains]
        whole[0][len(chains[0]):] = self._chains.model['fixed'][0, len(chains[0]):len(whole[0])]
        for fit in self._fits:
            values[:, fit.indices] = fit.modes(self._chains, *whole)
        z, zd, zdd = values[:, mechanism.indices(mechanism.independent)]
        q = self._closed = mechanism.assemble(z, self._closed)
        qd = mechanism.velocity(q, zd)
        seen = np.array([q, qd, mechanism.acceleration(q, qd, zdd)])
        seen[:, own] = values[:, own]
        return State(z, zd, zdd, *seen)


class _Fit:
    """The modes of one flexible body by its chain; indices: of the modes in q.

    The middles of segments, but for the half ones at its ends, are on the bent line.
    """

    def __init__(self, mechanism: Mechanism, name: str) -> None:
        body = mechanism.bodies[name]
        self._nodes, self.indices = nodes(body), mechanism.indices(body.modes)
        x = np.linspace(0.0, body.length, PIECES + 1)
        self._fit = np.linalg.pinv(np.array([body.beam.deflection(at) for at in x[1:-1]]))
        beam = body.beam
        self.fastest_rate = fastest_rate(
            beam.bending_stiffness, body.mass, body.length, damping_time(beam))

    def modes(self, chains: Mechanism, q: FloatArray, qd: FloatArray,
              qdd: FloatArray) -> FloatArray:
        """Return modal coordinates, rates and accelerations (3, k) by q, qd, qdd (n_total)."""
        at = [chains.point_index(point) for point in self._nodes]
        r, v, a = (np.array([values[k:k + 2] for k in at]) for values in (q, qd, qdd))
        (u, ud, udd), (d, dd, ddd) = ((one[-1] - one[0] for one in (r, v, a)),
                                      (0.5 * (one[1:-2] + one[2:-1]) - one[0]
                                       for one in (r, v, a)))
        length = np.hypot(*u)
        stretch = u @ ud / length
        growth = (ud @ ud + u @ udd - stretch ** 2) / length
        across = _cross(u, d) / length
        rate = (_cross(ud, d) + _cross(u, dd) - stretch * across) / length
        push = (_cross(udd, d) + 2.0 * _cross(ud, dd) + _cross(u, ddd)
                - 2.0 * stretch * rate - growth * across) / length
        return np.array([self._fit @ one for one in (across, rate, push)])


def _cross(u: FloatArray, d: FloatArray) -> FloatArray:
    """Return u x d for each row of d."""
    return u[0] * d[:, 1] - u[1] * d[:, 0]
