"""Transition velocities of friction before a fit: the best of a scan, and which are not shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import nnls

from mb_estimators.fitting.equations import Equations, Recordings
from mb_estimators.fitting.friction_law import KINDS, coordinate_numbers, coordinate_terms
from mb_estimators.fitting.samples import UnexplainedForces, is_transition
from mb_estimators.fitting.unknowns import Unknowns
from mb_model import Mechanism, MechanismError
from mb_model.arrays import BoolArray, FloatArray
from mb_model.file_api import parameter_overrides

_TRANSITIONS = 24           # that are tried
_ROUNDS = 2                 # of all: each depends on the others, and on what forces are weighed by
_WINDOWS = 1500             # the slowest ones, and as many of the others
_LIKELY = 9.0               # above the least cost: within three deviations
_STEP = 1e-3                # of a number, for what of a law depends on it linearly


@dataclass(frozen=True)
class Begin:
    """Values of unknowns by name from which a fit begins; open: path -> why it is not shown."""

    values: dict[str, float]
    open: dict[str, str]


def scanned(unknowns: Unknowns, recordings: Recordings) -> Begin:
    """Return where a fit of unknowns begins: costs have several valleys by transition velocities.

    Each is scanned with all other numbers solved for; its law's are not negative.
    """
    laws = [_Law(unknowns, path) for path in unknowns.scalars.paths
            if _force_of(unknowns.mechanism, path) is not None]
    x, left_open = unknowns.start.copy(), {}
    for _ in range(_ROUNDS if laws else 0):
        left_open = {}
        system = _System(unknowns, recordings, x)
        for law in laws:
            why = system.scan(law)
            if why:
                left_open[law.path] = why
        x = system.begin(laws)
    return Begin(dict(zip(unknowns.names, x.tolist(), strict=True)), left_open)


def _force_of(mechanism: Mechanism, path: str) -> Any:
    """Return the force on a coordinate whose transition velocity is at a path, else None."""
    first, _, rest = path.partition('.')
    name, _, _ = rest.rpartition('.')
    if first != 'forces' or not is_transition(path):
        return None
    force = mechanism.described.forces[name]
    return force if force.kind in KINDS and force.coordinate else None


class _Law:
    """A friction whose transition velocity is an unknown, and how it depends on the others.

    numbers (c): of its law at first; by_unknown (c, p); own (p): which unknowns these are; at: the
    index of its transition velocity.
    """

    def __init__(self, unknowns: Unknowns, path: str) -> None:
        mechanism = unknowns.mechanism
        force = _force_of(mechanism, path)
        self.path, self.name, self.kind = path, force.name, force.kind
        self._coordinate = mechanism.indices([force.coordinate])[0]
        self.numbers, self.first = coordinate_numbers(force)
        scalars, by_feature = unknowns.scalars, np.zeros((len(self.numbers), len(unknowns)))
        offset = sum(len(part.names) for part in unknowns.bodies)
        self.at = offset + scalars.paths.index(path)
        for k, other in enumerate(scalars.paths):
            if other != path and (other.startswith(f'forces.{self.name}.')
                                  or other in mechanism.parameters):
                by_feature[:, offset + k] = self._changes(mechanism, other, scalars.believed[k])
        own = slice(offset, offset + len(scalars.paths))
        self.by_unknown = by_feature
        self.by_unknown[:, own] = by_feature[:, own] @ scalars.slopes(unknowns.start[own])
        self.own = np.any(self.by_unknown != 0.0, axis=0)

    def values(self, forces: UnexplainedForces, turned: FloatArray,
               transition: float) -> FloatArray:
        """Return what a unit of each number needs (k, g, c), in rows to which forces are turned."""
        R = forces.needed.R[:, self._coordinate]
        load = self._load(forces, R)
        terms = forces.around(lambda zd: coordinate_terms(
            self.kind, np.einsum('kg,kg->k', R, zd), load, transition))
        return np.einsum('kij,kj->ki', turned, R)[:, :, np.newaxis] * terms[:, np.newaxis, :]

    def speed(self, forces: UnexplainedForces, turned: FloatArray) -> FloatArray:
        """Return |v| (k)."""
        return np.abs(np.einsum('kg,kg->k', forces.needed.R[:, self._coordinate],
                                forces.motion.zd))

    @staticmethod
    def _load(forces: UnexplainedForces, R: FloatArray) -> FloatArray:
        """Return about what the coordinate carries (k): the needed force along its rates."""
        return np.einsum('kg,kg->k', R, forces.needed.force) / np.sum(R ** 2, axis=1)

    def _changes(self, mechanism: Mechanism, path: str, value: float) -> FloatArray:
        """Return the derivatives of the numbers (c) by what is at a path."""
        step = _STEP * (abs(value) or 1.0)
        try:
            moved = mechanism.replace(**parameter_overrides(mechanism, {path: value + step}))
        except MechanismError:      # Coulomb's above static friction
            step = -step
            moved = mechanism.replace(**parameter_overrides(mechanism, {path: value + step}))
        return (coordinate_numbers(moved.described.forces[self.name])[0] - self.numbers) / step


class _System:
    """Scaled linear equations at unknowns, which follow the transition velocities as these change.
    """

    def __init__(self, unknowns: Unknowns, recordings: Recordings, x: FloatArray) -> None:
        self._unknowns, self._recordings, self._x = unknowns, recordings, x.copy()
        equations = recordings.at(x)
        slopes = equations.slopes @ unknowns.slopes(x)
        left = equations.residual - slopes @ _solved(equations.scaled(slopes),
                                                     equations.scaled(equations.residual))
        whole = np.sqrt(np.mean((left / equations.deviations) ** 2, axis=0))
        self._equations = equations.weighed(np.array([np.ones(len(whole)),
                                                      np.maximum(whole, 1e-12)]))
        self._slopes, self._residual = slopes, equations.residual.copy()

    def scan(self, law: _Law) -> str:
        """Give a law the best transition velocity; return why it is as in the file, '' if not."""
        speed = self._recordings.means(law.speed)
        chosen = _slow_and_others(speed)
        part = self._equations[chosen]
        now = self._x[law.at]
        others = ~law.own
        others[law.at] = False
        base = part.scaled(self._slopes[chosen][:, :, others])
        size = np.linalg.norm(base, axis=0)
        basis, _ = np.linalg.qr(base[:, size > 0.0] / size[size > 0.0])
        at_now = self._terms(law, now)
        tried = np.unique(np.r_[law.first, now, np.geomspace(
            *np.maximum(np.quantile(speed, (0.001, 0.99)), 1e-12), _TRANSITIONS)])
        costs, inflations = [], []
        for transition in tried:
            change = self._terms(law, transition) - at_now
            columns, right = self._changed(law, change, chosen)
            columns, right = (part.scaled(one) for one in (columns, right))
            left = _unexplained(columns - basis @ (basis.T @ columns), right - basis @ (
                basis.T @ right))
            costs.append(float(left @ left))
            inflations.append(_inflation(left, part))
        best = int(np.argmin(costs))
        likely = np.array(costs) <= costs[best] * (1.0 + _LIKELY * inflations[best] / len(right))
        first = int(np.searchsorted(tried, law.first))
        why = _why_open(likely, best) if likely[first] else ''
        to = law.first if why else tried[best]
        self._move(law, self._terms(law, to) - at_now)
        self._x[law.at] = to
        return why

    def begin(self, laws: Sequence[_Law]) -> FloatArray:
        """Return the unknowns, numbers of the laws as they fit best."""
        x, own = self._x.copy(), np.any([law.own for law in laws], axis=0)
        free = np.ones(len(x), bool)
        free[[law.at for law in laws]] = False
        scaled = self._equations.scaled
        change = _solved(scaled(self._slopes[:, :, free]), scaled(self._residual))
        whole = np.zeros(len(x))
        whole[free] = change
        x[own] += whole[own]
        return np.maximum(x, self._unknowns.lower)

    def _terms(self, law: _Law, transition: float) -> FloatArray:
        return self._recordings.means(
            lambda forces, turned: law.values(forces, turned, transition))

    def _changed(self, law: _Law, change: FloatArray,
                 chosen: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Return columns of the law's unknowns, and what they have to explain, with other terms."""
        change, by = change[chosen], law.by_unknown[:, law.own]
        columns = self._slopes[chosen][:, :, law.own] + change @ by
        right = self._residual[chosen] - change @ self._numbers(law)
        return columns, right + columns @ self._x[law.own]

    def _move(self, law: _Law, change: FloatArray) -> None:
        self._residual = self._residual - change @ self._numbers(law)
        self._slopes[:, :, law.own] += change @ law.by_unknown[:, law.own]

    def _numbers(self, law: _Law) -> FloatArray:
        return law.numbers + law.by_unknown @ (self._x - self._unknowns.start)


def _solved(slopes: FloatArray, right: FloatArray) -> FloatArray:
    """Return the least squares (p) of scaled slopes (k, p)."""
    size = np.linalg.norm(slopes, axis=0)
    size[size == 0.0] = 1.0
    return np.asarray(np.linalg.lstsq(slopes / size, right, rcond=1e-10)[0] / size, np.float64)


def _unexplained(columns: FloatArray, right: FloatArray) -> FloatArray:
    """Return what columns (k, c) times numbers that are not negative leave of right (k)."""
    if not columns.shape[1]:
        return right
    size = np.linalg.norm(columns, axis=0) + 1e-300
    return right - columns / size @ nnls(columns / size, right)[0]


def _inflation(left: FloatArray, equations: Equations) -> float:
    """Return how much larger the variance of sums of residuals is than of independent ones."""
    rows = left.reshape(len(equations), -1)
    sums = [np.bincount(equations.block, row) for row in rows.T]
    return max(float(np.sum(np.square(sums)) / max(float(np.sum(rows ** 2)), 1e-300)), 1.0)


def _slow_and_others(speed: FloatArray) -> BoolArray:
    """Return which windows (w) are used: the slowest, and some of the others."""
    chosen = np.zeros(len(speed), bool)
    chosen[np.argsort(speed)[:_WINDOWS]] = True
    chosen[::1 + len(speed) // _WINDOWS] = True
    return chosen


def _why_open(likely: BoolArray, best: int) -> str:
    """Return why a recording does not show a transition velocity, '' if it does."""
    if likely[:best].all():
        return 'no motion is so slow that it would show'
    return 'no motion is so fast that it would show' if likely[best:].all() else ''
