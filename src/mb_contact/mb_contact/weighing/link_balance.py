"""The load by moments about the pins of links, and errors of the links that weighings share."""

from collections.abc import Callable, Sequence
from math import hypot, inf, nan, sqrt

import numpy as np

from mb_contact.payload.kernels.agreement import DEVIATIONS
from mb_contact.payload.mass_equations import MassEquations
from mb_contact.weighing.tool_settings import ToolSettings
from mb_model import Mechanism
from mb_model.arrays import FloatArray

_NOTHING_KNOWN = 1e5        # deviation of a load before it is weighed [kg]
_NO_MOMENT_KNOWN = 1e8      # deviation of a moment on an equation before it is known [N m]
_ROUNDING = 1e-9            # of the friction of a cylinder, on a joint that it does not move
_BEFOREHAND = 10.0          # so many equations the noise as claimed is worth


class LinkBalance:
    """Least squares for the load of one weighing, and for errors that last.

    Unknown are: the load; shares by which masses of links and friction of cylinders differ from
    the file, which a weighing leaves to the next one with their covariance; errors of the position,
    constant during a weighing, with the covariance of the estimate.  Errors of rates, accelerations
    and pressures are noise.  Equations: of the links but the last, whose cylinder is at its stop,
    while their own cylinders move.

    The estimate's covariance says how the noise is shared; how large it is, the misfit of a
    weighing's own equations says (the variance of unit weight).  They cannot show what is wrong
    with the links all the time: what is left to the next weighing has no less noise than claimed.

    Equations may contradict each other, as where a pressure sensor is off.  A moment on one of
    them, constant during a weighing, is one unknown more: where it is beyond noise and errors, the
    deviation of the load covers what the others give, and nothing is left to the next weighing;
    see payload.kernels.agreement.
    """

    def __init__(self, mechanism: Mechanism, settings: ToolSettings, dt: float) -> None:
        """Set up; dt [s]: from one estimate to the next.  Raises ContactError, MechanismError."""
        names = [settings.load, *(f'bodies.{link}.mass' for link in settings.links)]
        self._equations = MassEquations(mechanism, names)
        self._settings, self._g = settings, mechanism.g
        self._rows = [mechanism.independent.index(name) for name in settings.angles[:-1]]
        cylinders = len(mechanism.circuit.cylinders) if mechanism.circuit else 0
        self._weight = min(1.0, 0.5 * dt / settings.correlation_time)
        self._start = np.diag(np.square([
            *len(settings.links) * [settings.mass_uncertainty],
            *cylinders * [settings.friction_uncertainty]]))
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._errors, self._covariance = np.zeros(len(self._start)), self._start
        self.begin()

    def begin(self) -> None:
        """Begin a weighing."""
        size = 1 + len(self._start) + len(self._rows) + self._g
        self._normal, self._right = np.zeros((size, size)), np.zeros(size)
        self._squares = self._count = 0.0
        self._positions, self._instants = np.zeros((self._g, self._g)), 0

    def add(self, z: FloatArray, zd: FloatArray, zdd: FloatArray, q: FloatArray, p: FloatArray,
            covariance: FloatArray) -> bool:
        """Add an instant; return whether any of its equations counts.

        Arguments as of MassEquations.at, covariance (3g, 3g).
        """
        equations, g = self._equations.at(z, zd, zdd, q, p, covariance), self._g
        if equations is None or not np.isfinite(covariance).all():
            return False
        rubs = np.abs(equations.by_friction)
        unknown = (rubs > _ROUNDING * rubs.max()) & ~equations.moving
        rows = [row for row in self._rows if not unknown[row].any()]
        if not rows:
            return False
        noise = np.zeros(2 * (equations.by_state.shape[1],))
        noise[g:3 * g, g:3 * g] = covariance[g:3 * g, g:3 * g]
        noise[3 * g:, 3 * g:] = self._settings.pressure_sigma ** 2 * np.eye(len(p))
        by_state, by_mass = equations.by_state[rows], equations.by_mass[rows]
        moments = np.eye(len(self._rows))[[self._rows.index(row) for row in rows]]
        H = np.hstack([by_mass[:, :1], by_mass[:, 1:] * self._equations.values[1:],
                       equations.by_friction[rows], moments, by_state[:, :g]])
        y = by_mass[:, 0] * self._equations.values[0] - equations.residual[rows]
        weighted = self._weight * np.linalg.solve(by_state @ noise @ by_state.T,
                                                  np.column_stack([H, y]))
        self._normal += H.T @ weighted[:, :-1]
        self._right += H.T @ weighted[:, -1]
        self._squares += y @ weighted[:, -1]
        self._count += self._weight * len(rows)
        self._positions += covariance[:g, :g]
        self._instants += 1
        return True

    def load(self, empty: bool, carried: bool = True) -> tuple[float, float, bool]:
        """Return the load so far, its deviation [kg], and whether equations contradict each other.

        NaN where nothing counted.  empty: whether the tool is known to be; carried: with what
        weighings before have left.
        """
        if not self._instants:
            return nan, inf, False
        before = (self._errors, self._covariance) if carried else (
            np.zeros(len(self._start)), self._start)
        unknowns, covariance = self._solved(*before, empty, _share)
        others = self._without_contradictions(*before, empty)
        apart = max((abs(unknowns[0] - other) for other in others), default=0.0)
        return float(unknowns[0]), hypot(sqrt(covariance[0, 0]), apart), bool(others)

    def _without_contradictions(self, errors: FloatArray, covariance: FloatArray,
                                empty: bool) -> list[float]:
        """Return the load beside a moment on each equation that contradicts the others."""
        loads = []
        for k in range(len(self._rows)):
            unknowns, P = self._solved(errors, covariance, empty, _share, k)
            if abs(unknowns[-1]) > DEVIATIONS * sqrt(P[-1, -1]):
                loads.append(unknowns[0])
        return loads

    def carry(self, empty: bool) -> None:
        """End a weighing: leave what it says of the errors to the next one."""
        if self._instants and not self._without_contradictions(
                self._errors, self._covariance, empty):
            unknowns, covariance = self._solved(self._errors, self._covariance, empty,
                                                _cautious_share)
            self._errors, self._covariance = unknowns[1:], covariance[1:, 1:]
        self.begin()

    def _solved(self, errors: FloatArray, covariance: FloatArray, empty: bool,
                share: Callable[[float, float], float],
                off: int | None = None) -> tuple[FloatArray, FloatArray]:
        """Return load and errors, and their covariance.

        share: by how much equations count, by their number and their misfit; off: number of an
        equation on which an unknown moment acts, which is the last unknown then.
        """
        count = 1 + len(errors)
        known = 1.0 / (self._settings.clinging if empty else _NOTHING_KNOWN) ** 2
        prior = np.zeros(2 * (count + (off is not None),))
        prior[0, 0], prior[1:count, 1:count] = known, np.linalg.inv(covariance)
        expected = np.zeros(len(prior))
        expected[1:count] = prior[1:count, 1:count] @ errors
        if off is not None:
            prior[-1, -1] = _NO_MOMENT_KNOWN ** -2
        fixed = prior, expected, errors, [*range(count), *([] if off is None else [count + off])]
        _, misfit = self._fitted(*fixed, 1.0)
        return self._fitted(*fixed, share(self._count, misfit))[0]

    def _fitted(self, prior: FloatArray, expected: FloatArray, errors: FloatArray,
                unknown: Sequence[int],
                share: float) -> tuple[tuple[FloatArray, FloatArray], float]:
        """Return unknowns with their covariance, and the sum of squares that is left.

        unknown: indices of the unknowns; share: by which the equations count; their errors by the
        position are eliminated.
        """
        size, P = len(prior), self._positions / self._instants
        chosen = [*unknown, *range(len(self._right) - self._g, len(self._right))]
        normal, right = share * self._normal[np.ix_(chosen, chosen)], share * self._right[chosen]
        by_position = np.column_stack([normal[size:, :size], right[size:]])
        taken = P @ np.linalg.solve(np.eye(self._g) + normal[size:, size:] @ P, by_position)
        matrix = normal[:size, :size] - normal[:size, size:] @ taken[:, :-1] + prior
        side = right[:size] - normal[:size, size:] @ taken[:, -1] + expected
        covariance = np.linalg.inv(0.5 * (matrix + matrix.T))
        unknowns = covariance @ side
        left = (share * self._squares - right[size:] @ taken[:, -1]
                + errors @ expected[1:1 + len(errors)] - side @ unknowns)
        return (unknowns, covariance), left


def _share(count: float, misfit: float) -> float:
    """Return the inverse variance of unit weight."""
    return (count + _BEFOREHAND) / (misfit + _BEFOREHAND)


def _cautious_share(count: float, misfit: float) -> float:
    """Return it, 1 where the noise is smaller than claimed."""
    return 1.0 / max(1.0, misfit / count)
