"""Laws of a mechanism as rows on nodes, in dependent or in independent coordinates."""

from collections.abc import Callable
from typing import Any, NamedTuple

from mb_estimators.factor_graph.factors.constraints import accelerations, positions, tie, velocities
from mb_estimators.factor_graph.factors.dynamics import dependent_dynamics, independent_dynamics
from mb_estimators.filter.layout import Layout
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.kernel_api import entry_points


class Rows(NamedTuple):
    """Rows of a factor: how many, and error(*nodes, e, *jacobians), see factor_graph.factor."""

    count: int
    error: Callable[..., bool]


class Laws:
    """Makes the Rows of laws at a node of a time t [s], and of rules between nodes.

    In independent coordinates z, zd, zdd and forces move, and q, qd, qdd are tied to them.
    Source: Blanco-Claraco et al. 2021, Secs. 6.2 to 6.9.
    """

    def __init__(self, mechanism: Mechanism, node: Layout) -> None:
        """Set up; node: of nodes.dependent_node, or independent_node."""
        self._models, self._works = mechanism.model, mechanism.workspace()
        self._n, self._m, self._g = mechanism.n, mechanism.m, mechanism.g
        self._q, self._qd, self._qdd = (node[name].start for name in (
            'coordinate', 'coordinate velocity', 'coordinate acceleration'))
        self._independent = node.count('position') > 0
        self._z, self._zd, self._zdd = (node[name].start for name in (
            'position', 'velocity', 'acceleration'))
        self._forces = node['force'].start if node.count('force') else -1

    def integration(self, rule: Callable[..., None], dt: float) -> Rows:
        """Return the rows of positions and velocities over a step of dt [s] by a rule."""
        x, size = (self._z, self._g) if self._independent else (self._q, self._n)

        def error(a: FloatArray, b: FloatArray, e: FloatArray, J_a: FloatArray, J_b: FloatArray):
            rule(a, b, x, x + size, size, dt, e, J_a, J_b, 0)
            rule(a, b, x + size, x + 2 * size, size, dt, e, J_a, J_b, size)
            return True

        return Rows(2 * size, error)

    def positions(self, t: float) -> Rows:
        """Return the rows of Eq. (24) or (30)."""
        return self._closed(t, positions, (self._q,), self._z)

    def velocities(self, t: float) -> Rows:
        """Return the rows of Eq. (25) or (31)."""
        return self._closed(t, velocities, (self._q, self._qd), self._zd)

    def accelerations(self, t: float) -> Rows:
        """Return the rows of Eq. (32), in independent coordinates with its ties."""
        return self._closed(t, accelerations, (self._q, self._qd, self._qdd), self._zdd)

    def _closed(self, t, law: Callable[..., None], starts: tuple[int, ...], z: int) -> Rows:
        """Return the rows of a law of constraints, and of the tie to what begins at z."""
        def error(a: FloatArray, e: FloatArray, J: FloatArray):
            model, work = self._at(t)
            law(model, work, a, *starts, e, J, 0)
            if self._independent:
                tie(model, a, starts[-1], z, e, J, self._m)
            return True

        return Rows(self._m + (self._g if self._independent else 0), error)

    def dynamics(self, t: float) -> Rows:
        """Return the rows of Eqs. (26), (28), or (27), (29)."""
        def of_all(a: FloatArray, e: FloatArray, J: FloatArray):
            return dependent_dynamics(*self._at(t), a, self._q, self._qd, self._qdd, self._forces,
                                      e, J, 0)

        def of_independent(a: FloatArray, e: FloatArray, J: FloatArray):
            model, work = self._at(t)
            work['q'][:self._n] = a[self._q:self._q + self._n]      # the branch
            return independent_dynamics(model, work, a, self._z, self._zd, self._zdd, self._forces,
                                        e, J, 0)

        return Rows(self._g, of_independent) if self._independent else Rows(self._n, of_all)

    def _at(self, t: float) -> tuple[Any, Any]:
        """Return model and workspace at a time."""
        entry_points.set_time(self._models, self._works, t)
        return self._models[0], self._works[0]
