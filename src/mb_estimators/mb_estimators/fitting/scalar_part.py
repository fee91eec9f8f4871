"""Single numbers of the mechanism file among the unknowns of a fit: friction, stiffness, names."""

from collections.abc import Sequence

import numpy as np

from mb_estimators.filters.parameters import stays_positive
from mb_estimators.fitting.mass_properties import linear_of, possible_near, pseudo_basis
from mb_estimators.fitting.path_part import PathPart
from mb_estimators.fitting.possible import Divergence, room
from mb_model import Mechanism, Regressor
from mb_model.arrays import FloatArray

_STRICT = '.transition_velocity'        # above zero, not zero
_LEAST = 1e-3                           # of its value in the file
_STEP = 1e-4                            # of a number, for derivatives of mass properties by it


class ScalarPart(PathPart):
    """Unknown numbers by path or name; of static friction its excess over the Coulomb friction.

    Features are the numbers.  Masses, sizes, stiffness and friction are not negative, and bodies
    whose mass properties depend on the numbers are possible ones.
    """

    def __init__(self, mechanism: Mechanism, paths: Sequence[str], deviation: float) -> None:
        """Begin at the numbers of the mechanism; deviation: prior share of masses of bodies."""
        super().__init__(mechanism, paths)
        self._model = Regressor(mechanism, paths)
        records = mechanism.parameter_records(self.paths)
        self.believed = records['value'].copy()
        self.start = np.linalg.solve(self.map, self.believed)
        self.lower = np.where(
            [stays_positive(mechanism.model[0], record) for record in records], 0.0, -np.inf)
        excess = self.map.sum(axis=1) > 1.0
        self.lower[excess] = 0.0
        self.start[excess] = np.maximum(self.start[excess], 0.0)
        strict = [path.endswith(_STRICT) for path in self.paths]
        self.lower[strict] = _LEAST * self.believed[strict]
        self._bodies = self._affected(deviation)

    def prior(self, x: FloatArray, barrier: float = 1.0,
              ) -> tuple[float, FloatArray, FloatArray]:
        """Return cost, gradient, root of the Hessian of beliefs about bodies that depend on them.
        """
        cost, gradient, roots = 0.0, np.zeros(len(x)), [np.zeros((0, len(x)))]
        if not self._bodies:
            return cost, gradient, roots[0]
        basis = pseudo_basis(self._mechanism.dimension)
        linear, slopes = self._mass_properties(x)
        for body, divergence in self._bodies.items():
            J = np.tensordot(linear[body], basis, 1)
            more = divergence.at(J, np.tensordot(slopes[body].T, basis, 1), barrier)
            cost, gradient = cost + more[0], gradient + more[1]
            roots.append(more[2])
        return cost, gradient, np.concatenate(roots)

    def room(self, x: FloatArray, step: FloatArray) -> float:
        """Return the share of a step at which a body becomes impossible."""
        if not self._bodies:
            return np.inf
        basis = pseudo_basis(self._mechanism.dimension)
        linear, slopes = self._mass_properties(x)
        return min(room(np.tensordot(linear[body], basis, 1),
                        np.tensordot(slopes[body] @ step, basis, 1)) for body in self._bodies)

    def _affected(self, deviation: float) -> dict[str, Divergence]:
        """Return what is believed of each body with a mass that depends on a number."""
        basis, beliefs = pseudo_basis(self._mechanism.dimension), {}
        if not self.paths:
            return beliefs
        linear, slopes = self._mass_properties(self.start)
        for body, by in slopes.items():
            if np.abs(by).max(initial=0.0) > 0.0 and linear[body][0] > 0.0:
                near = possible_near(linear[body], 0.1)
                beliefs[body] = Divergence(np.tensordot(near, basis, 1), deviation)
        return beliefs

    def _mass_properties(self, x: FloatArray) -> tuple[dict[str, FloatArray],
                                                       dict[str, FloatArray]]:
        """Return the linear numbers of each body at unknowns x, and their derivatives by these."""
        middle = self._at(self.features(x))
        columns = []
        for k, value in enumerate(self.features(x)):
            step = _STEP * (abs(value) + abs(self.believed[k]) or 1.0)
            to, fro = (self._at(self.features(x) + side * step * np.eye(len(x))[k])
                       for side in (1.0, -1.0))
            columns.append((to - fro) / (2.0 * step))
        by = np.stack(columns, axis=2) @ self.map
        names = list(self._mechanism.bodies)
        return dict(zip(names, middle, strict=True)), dict(zip(names, by, strict=True))

    def _at(self, values: FloatArray) -> FloatArray:
        """Return the linear numbers of all bodies at values of the numbers."""
        self._model.values = values
        return np.array([linear_of(raw) for raw in self._model.mass_properties])
