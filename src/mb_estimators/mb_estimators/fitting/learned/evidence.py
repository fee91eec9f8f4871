"""Residuals of a fit beside positions and rates of the coordinates, in parts of the time."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filters.parameters import KNOWN_FORCES
from mb_estimators.fitting.fit import Fit
from mb_estimators.fitting.learned.curve import KINDS, bells, even_centres
from mb_estimators.fitting.samples import UnexplainedForces
from mb_model.arrays import BoolArray, FloatArray, IntArray

_OF_FORCES = 'forces.', KNOWN_FORCES    # beginnings of names
_SPELL = 1.0        # [s], longer than what makes neighbouring residuals alike
_PARTS = 5          # of the time, one spell after another


@dataclass(frozen=True)
class Evidence:
    """What is left at w windows on g coordinates, and what the rigid model could take of it.

    names: of the coordinates; values: of each kind of curve (w, g); residual (w, g) [N or N m],
    rigid (w, g, p): its derivatives by the unknowns, deviations (w, g); belief (p, p): triangle
    whose square is the information on the unknowns; own (g, p): numbers of forces that
    act on one coordinate alone, such as friction; part (w): part of the time, of `parts`.
    """

    names: tuple[str, ...]
    values: dict[str, FloatArray]
    residual: FloatArray
    rigid: FloatArray
    deviations: FloatArray
    belief: FloatArray
    own: BoolArray
    part: IntArray
    parts: int = _PARTS

    @property
    def size(self) -> FloatArray:
        """Root mean squares of the residual (g) [N or N m]."""
        return np.sqrt(np.mean(self.residual ** 2, axis=0))

    def features(self, row: int, number: int) -> FloatArray:
        """Return bells over the values of each kind of curve, one kind after the other (w, 2 b)."""
        return np.concatenate([bells(u, *even_centres(u, number)) for u in (
            self.values[kind][:, row] for kind in KINDS)], axis=1)

    def products(self, row: int, features: FloatArray) -> FloatArray:
        """Return sums of squares of (rigid, features, residual) of a row in each part (s, c, c).

        In units of the residual's deviations.  features: (w, b).
        """
        columns = np.concatenate([self.rigid[:, row], features, self.residual[:, row, np.newaxis]],
                                 axis=1) / self.deviations[:, row, np.newaxis]
        return np.stack([columns[self.part == part].T @ columns[self.part == part]
                         for part in range(self.parts)])


def evidence_of(fit: Fit) -> Evidence:
    """Return the Evidence of a fit to forces."""
    solution, equations = fit.solution, fit.solution.equations
    positions, rates = coordinate_motion(fit)
    unknowns = fit.problem.unknowns
    movable = solution.x > unknowns.lower
    slopes = (equations.slopes @ unknowns.slopes(solution.x)) * movable
    acts = np.abs(slopes).max(axis=0) > 0.0
    own = acts & (acts.sum(axis=0) == 1) & np.array([name.startswith(_OF_FORCES)
                                                     for name in unknowns.names])
    part = np.floor(equations.t / _SPELL).astype(int) % _PARTS
    return Evidence(fit.quality.names, dict(zip(KINDS, (positions, rates), strict=True)),
                    equations.residual, slopes,
                    equations.deviations,
                    fit.problem.belief(solution.x), own, part)


def coordinate_motion(fit: Fit) -> tuple[FloatArray, FloatArray]:
    """Return positions and rates (w, g) of the coordinates that the rows of a fit are of."""
    mechanism, names = fit.problem.unknowns.mechanism, fit.quality.names
    indices = mechanism.indices(names)

    def motion_of(forces: UnexplainedForces, _: FloatArray) -> FloatArray:
        z = forces.motion.z
        rates = np.einsum('kdg,kg->kd', forces.needed.R[:, indices], forces.motion.zd)
        if set(names) <= set(mechanism.independent):
            return np.concatenate([z[:, [mechanism.independent.index(name) for name in names]],
                                   rates], axis=1)
        q, positions = mechanism.q0, []
        for at in z:
            q = mechanism.assemble(at, q)
            positions.append(q[indices])
        return np.concatenate([np.array(positions), rates], axis=1)
    both = fit.problem.recordings.means(motion_of)
    return both[:, :len(indices)], both[:, len(indices):]
