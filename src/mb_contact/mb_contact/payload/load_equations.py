"""What motion and forces say of one body: equations that are linear in all its mass properties."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.payload.mass_equations import MassEquations
from mb_estimators import linear_of, linear_slopes, raw_paths
from mb_model import Mechanism, MechanismError, Regressor
from mb_model.arrays import FloatArray

_UNKNOWN = 1e-8         # eigenvalue of a correlation matrix: what it belongs to is not determined
_LEAST = 1e-3           # the mass is at least this share of what it was, in a round
_EXACT = 1e-9           # forces are not known better than to this share of their largest
_FELT = 0.3             # of the force that a load makes: what is known less well is open


class Solution(NamedTuple):
    """Mass and first moments (1 + d) [kg, kg m] by least squares, and their covariance.

    unknown (1 + d, u): directions about which the forces say nothing; open (1 + d, o): these, and
    those with deviations that are no less than what the load does along them.
    """

    sums: FloatArray
    covariance: FloatArray
    unknown: FloatArray
    open: FloatArray


class LoadEquations:
    """Forces on the degrees of freedom (g) as slopes (g, p) times a body's linear properties.

    p: mass, first moments, inertia about the body's origin, 4 in the plane, 10 in space.  The
    inertia about the centre of gravity is known, as it is in the file, or follows the mass there.
    Source: Atkeson, An and Hollerbach 1986, Eqs. (10)-(14).
    """

    def __init__(self, mechanism: Mechanism, body: str, unknown_forces: Sequence[str] = ()) -> None:
        """Set up for a body of the mechanism; raises ContactError, MechanismError.

        unknown_forces: degrees of freedom whose equation is left out, see PayloadSettings.
        """
        if body not in mechanism.bodies:
            raise ContactError(f'{mechanism.file}: {body}: no body, expected one of '
                               f'{", ".join(mechanism.bodies)}')
        if unread := set(unknown_forces) - set(mechanism.independent):
            raise ContactError(f'unknown_forces: {", ".join(sorted(unread))}: expected some of '
                               f'{", ".join(mechanism.independent)}')
        d = self.dimension = mechanism.dimension
        paths = list(raw_paths(body, d))
        self._raw, heavier = _raw_numbers(mechanism, body, paths[0])
        mass, centre, self._own = self._raw[0], self._raw[1:1 + d], self._raw[1 + d:]
        self._own_by_mass = heavier[1 + d:] - self._own
        self.first = mass * np.r_[1.0, centre] if mass > 0.0 else np.eye(1 + d)[0]
        # Of one kilogram at its origin: slopes by its raw numbers are those by the linear ones.
        self._unit = linear_of(np.r_[1.0, 0.0 * centre, self._own])
        self._regressor = Regressor(mechanism.replace(bodies={body: {
            'mass': 1.0, 'centre_of_gravity': [0.0] * d,
            'inertia': self._own.tolist() if d == 3 else float(self._own[0])}}), paths)
        self._counts = np.array([name not in unknown_forces for name in mechanism.independent])
        self._oil = None
        if mechanism.circuit is not None:
            self._oil = MassEquations(mechanism, paths[:1])

    def rows(self, z: FloatArray, zd: FloatArray, zdd: FloatArray, q: FloatArray | None,
             p: FloatArray | None, covariance: FloatArray,
             forces: FloatArray | None) -> FloatArray | None:
        """Return slopes and right sides (g, p + 1) of an instant, arguments as of add.

        None where it does not count.  Raises ContactError.
        """
        if self._oil is not None and p is None:
            raise ContactError('pressures: missing, expected one of each volume')
        known = np.zeros(len(z)) if forces is None else np.asarray(forces)
        if not np.isfinite([z, zd, zdd, known]).all():
            return None
        try:
            needed = self._regressor.along(z[None], zd[None], zdd[None])
        except MechanismError:          # no position fits
            return None
        slopes = needed.by_parameter[0]
        # Beside the body, whose own force is slopes times its linear properties:
        others = needed.force[0] - slopes @ self._unit
        if self._oil is not None:
            equations = self._oil.at(z, zd, zdd, q, p, covariance)
            if equations is None or not equations.moving.all():
                return None
            known = known + others + slopes @ linear_of(self._raw) - equations.residual
        return np.column_stack([slopes, known - others])

    def solve(self, squares: FloatArray, instants: int, sums: FloatArray,
              rounds: int) -> Solution:
        """Return the Solution of blocks of instants by Newton's iteration.

        squares (b, g, p + 1, p + 1): sums of the squares of rows, over each block; sums (1 + d): to
        begin with.  Rows of each degree of freedom are weighed by what is left of them.  Deviations
        are by the scatter of the blocks (sandwich estimator).
        """
        whole, first, sums = squares.sum(axis=0), sums[0], sums.copy()
        least = _EXACT ** 2 * max(1e-18, float(whole[:, -1, -1].max()) / instants)
        for _ in range(rounds):
            linear, by = self._linear(sums)
            ends = np.r_[linear, -1.0]
            left = whole @ ends @ ends / instants
            weight = self._counts / np.maximum(left, least)
            pushes = -np.tensordot(squares[:, :, :-1] @ ends, weight, (1, 0)) @ by
            normal = by.T @ np.tensordot(weight, whole[:, :-1, :-1], 1) @ by
            size = np.sqrt(np.diag(normal))
            size = np.maximum(size, 1e-6 * size.max() if size.max() > 0.0 else 1.0)
            rates, along = np.linalg.eigh(normal / np.outer(size, size))
            sure = rates > _UNKNOWN
            part = along[:, sure] / size[:, None]
            inverse = part / rates[sure] @ part.T
            sums = sums + inverse @ pushes.sum(axis=0)
            sums[0] = max(sums[0], _LEAST * first)
        covariance = inverse @ (pushes.T @ pushes) @ inverse
        spread = np.einsum('ik,ij,jk->k', along, covariance * np.outer(size, size), along)
        known = sure & (np.maximum(spread, 1.0 / np.maximum(rates, _UNKNOWN))
                        < _FELT ** 2 * np.sum((size * sums) ** 2))
        return Solution(sums, covariance, *(_longest_one(along[:, ~one] / size[:, None])
                                            for one in (sure, known)))

    def _linear(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return linear properties (p) at mass and first moments, and derivatives by these."""
        mass, d = sums[0], self.dimension
        centre = sums[1:] / mass
        raw = np.r_[mass, centre, self._own + (mass - self._raw[0]) * self._own_by_mass]
        by_sums = np.zeros((len(raw), 1 + d))
        by_sums[0, 0], by_sums[1 + d:, 0] = 1.0, self._own_by_mass
        by_sums[1:1 + d] = np.column_stack([-centre, np.eye(d)]) / mass
        return linear_of(raw), linear_slopes(raw) @ by_sums


def _raw_numbers(mechanism: Mechanism, body: str, path: str) -> tuple[FloatArray, FloatArray]:
    """Return raw numbers (p) of a body, and where its mass, of a path, is one kilogram more."""
    of_mass, row = Regressor(mechanism, [path]), list(mechanism.bodies).index(body)
    now = of_mass.mass_properties[row]
    of_mass.values = of_mass.values + 1.0
    return now, of_mass.mass_properties[row]


def _longest_one(directions: FloatArray) -> FloatArray:
    """Return directions (p, u) with the largest number of each 1 or -1."""
    return directions / np.abs(directions).max(axis=0, initial=1e-300)
