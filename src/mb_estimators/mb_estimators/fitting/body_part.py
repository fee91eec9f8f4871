"""The mass properties of one body among the unknowns of a fit."""

from typing import Any

import numpy as np

from mb_estimators.fitting.mass_properties import (
    linear_names,
    linear_of,
    linear_slopes,
    possible_near,
    pseudo_basis,
    raw_of,
    raw_paths,
)
from mb_estimators.fitting.possible import Divergence, room
from mb_model import Mechanism
from mb_model.arrays import FloatArray

_DIGITS = 9
_ROUNDING = 1e-9        # of the largest number of its kind


class BodyPart:
    """Unknown numbers of a body: its linear ones, of which some may be held.

    free: 'mass' (centre of gravity and inertia about it are held), 'distribution' (the mass is
    held) or 'all'.  Forces are linear in `features`, the linear numbers (4) or (10).
    """

    is_body = True

    def __init__(self, mechanism: Mechanism, body: str, free: str, deviation: float) -> None:
        """Begin at the numbers of the mechanism; deviation: prior share of the mass."""
        self.body, self.free = body, free
        self._dimension = mechanism.dimension
        self.raw = raw_numbers(mechanism, body)
        self._held = linear_of(self.raw)
        self.paths = tuple(raw_paths(body, mechanism.dimension))
        self.feature_names = tuple(linear_names(body, mechanism.dimension))
        self.feature_paths = (self.paths[0], *[''] * (len(self.raw) - 1))
        count = len(self.raw)
        self._chosen = {'all': np.arange(count), 'distribution': np.arange(1, count),
                        'mass': np.arange(1)}[free]
        self.names = tuple(self.feature_names[k] for k in self._chosen)
        self.start = self._held[self._chosen]
        self.lower = np.full(len(self.start), -np.inf)
        points = [np.asarray(at, float) for at in mechanism.bodies[body].points.values()]
        size = max((float(np.linalg.norm(a - b)) for a in points for b in points), default=0.0)
        believed = possible_near(self._held, size or 0.1)
        if free != 'mass':
            self.start = believed[self._chosen]
        self._prior = Divergence(np.tensordot(believed, pseudo_basis(self._dimension), 1),
                                 deviation)

    def features(self, x: FloatArray) -> FloatArray:
        """Return the linear numbers (p) at unknowns x."""
        if self.free == 'mass':
            return linear_of(np.r_[x, self.raw[1:]])
        linear = self._held.copy()
        linear[self._chosen] = x
        return linear

    def slopes(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of the features by the unknowns."""
        if self.free == 'mass':
            return linear_slopes(np.r_[x, self.raw[1:]])[:, :1]
        return np.eye(len(self._held))[:, self._chosen]

    def prior(self, x: FloatArray, barrier: float = 1.0,
              ) -> tuple[float, FloatArray, FloatArray]:
        """Return cost (infinite where no body is so), gradient, root of the Hessian of beliefs."""
        slopes = np.tensordot(self.slopes(x).T, pseudo_basis(self._dimension), 1)
        return self._prior.at(np.tensordot(self.features(x), pseudo_basis(self._dimension), 1),
                              slopes, barrier)

    def room(self, x: FloatArray, step: FloatArray) -> float:
        """Return the share of a step at which the body becomes impossible."""
        basis = pseudo_basis(self._dimension)
        return room(np.tensordot(self.features(x), basis, 1),
                    np.tensordot(self.slopes(x) @ step, basis, 1))

    def overrides(self, x: FloatArray) -> dict[str, Any]:
        """Return the body's numbers as overrides of a mechanism file."""
        entry = written_out(_tidy(raw_of(self.features(x))))
        return {'bodies': {self.body: {key: value for key, value in entry.items()
                                       if (key == 'mass') >= (self.free == 'mass')
                                       and (key != 'mass' or self.free != 'distribution')}}}

    def raw_values(self, x: FloatArray) -> dict[str, float]:
        """Return the unknown raw numbers, by path."""
        raw, first = _tidy(raw_of(self.features(x))), int(self.free == 'distribution')
        last = 1 if self.free == 'mass' else len(raw)
        return dict(zip(self.paths[first:last], raw[first:last].tolist(), strict=True))

    def raw_slopes(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of raw_values by the unknowns."""
        raw = raw_of(self.features(x))
        slopes = np.linalg.solve(linear_slopes(raw), self.slopes(x))
        first = 1 if self.free == 'distribution' else 0
        return slopes[first:1 if self.free == 'mass' else len(raw)]


def raw_numbers(mechanism: Mechanism, body: str) -> FloatArray:
    """Return the raw numbers (4) or (10) of a body of a mechanism."""
    one = mechanism.bodies[body]
    if mechanism.dimension == 2:
        return np.array([one.mass, *one.centre_of_gravity, one.inertia])
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = one.inertia
    return np.array([one.mass, *one.centre_of_gravity, xx, yy, zz, xy, xz, yz])


def written_out(raw: FloatArray) -> dict[str, Any]:
    """Return raw numbers as an entry of `bodies`."""
    mass, *rest = (float(f'{value:.{_DIGITS}g}') for value in raw)
    if len(rest) == 3:
        return {'mass': mass, 'centre_of_gravity': rest[:2], 'inertia': rest[2]}
    return {'mass': mass, 'centre_of_gravity': rest[:3], 'inertia': rest[3:]}


def _tidy(raw: FloatArray) -> FloatArray:
    """Return raw numbers in which what is rounding is 0."""
    d, tidy = 2 if len(raw) == 4 else 3, raw.copy()
    for part in (slice(1, 1 + d), slice(1 + d, None)):
        tidy[part][np.abs(tidy[part]) < _ROUNDING * np.abs(tidy[part]).max()] = 0.0
    return tidy
