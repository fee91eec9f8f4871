"""The mass and the centre of gravity of a load, both unknown, by all instants of a recording."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.payload.mass_equations import MassEquations
from mb_model import Mechanism, Regressor
from mb_model.arrays import FloatArray

_ROUNDS = 8
_UNKNOWN = 1e-8           # eigenvalue of a correlation matrix: what it belongs to is not determined
_SMALL = 1e-3             # coefficient of a combination that is left out
_BLOCKS = 20              # parts of a recording whose errors count as independent
_LEAST = 1e-3             # the mass is at least this share of what it was, in a round
_EXACT = 1e-9             # forces are not known better than to this share of their largest


@dataclass(frozen=True)
class CentredLoad:
    """A load: mass [kg], centre (d) of gravity in its body's frame [m], and their deviations.

    A deviation is infinite where the recording does not determine the number; sums: combinations of
    mass [kg] and first moments [kg m] that it determines then, in words; instants: their number.
    """

    mass: float
    deviation: float
    centre: FloatArray
    centre_deviation: FloatArray
    sums: tuple[str, ...]
    instants: int


class LoadWithCentre:
    """Collects instants of a recording, and gives the CentredLoad of one body.

    Forces are linear in mass m, first moments m c and inertia about the body's origin; the inertia
    about the centre of gravity is known, as it is in the file.  So Newton's iteration in m and m c
    is least squares, weighted by what is left of the force of each degree of freedom.
    Source: Atkeson, An and Hollerbach 1986, Eqs. (10)-(14).
    """

    def __init__(self, mechanism: Mechanism, body: str,
                 unknown_forces: Sequence[str] = ()) -> None:
        """Set up for a body of the mechanism; raises ContactError, MechanismError.

        unknown_forces: degrees of freedom whose equation is left out, see PayloadSettings.
        """
        if body not in mechanism.bodies:
            raise ContactError(f'{mechanism.file}: {body}: no body, expected one of '
                               f'{", ".join(mechanism.bodies)}')
        self._axes = 'xyz'[:mechanism.dimension]
        paths = [f'bodies.{body}.mass',
                 *(f'bodies.{body}.centre_of_gravity.{axis}' for axis in self._axes)]
        self._regressor = Regressor(mechanism, paths)
        self._counts = np.array([name not in unknown_forces for name in mechanism.independent])
        self._oil = None
        if mechanism.circuit is not None:
            self._oil = MassEquations(mechanism, [paths[0]])
        self._rows: list[tuple[FloatArray, ...]] = []

    def add(self, z: FloatArray, zd: FloatArray, zdd: FloatArray, q: FloatArray,
            p: FloatArray | None, covariance: FloatArray, forces: FloatArray | None) -> None:
        """Add an instant, as PayloadEstimator.update.

        It does not count where it is not finite, or a cylinder is at rest.  forces (g): known
        ones on z [N or N m], beside what the oil does at p (v) [Pa].  Raises ContactError.
        """
        known = np.zeros(len(z)) if forces is None else np.asarray(forces)
        if not np.isfinite([z, zd, zdd, known]).all():
            return
        if self._oil is not None:
            if p is None:
                raise ContactError('pressures: missing, expected one of each volume')
            equations = self._oil.at(z, zd, zdd, q, p, covariance)
            if equations is None or not equations.moving.all():
                return
            needed = self._regressor.along(z[None], zd[None], zdd[None]).force[0]
            known = known + needed - equations.residual
        self._rows.append((z, zd, zdd, known))

    def load(self) -> CentredLoad | None:
        """Return the load, None without instants."""
        if not self._rows:
            return None
        z, zd, zdd, known = (np.array(column) for column in zip(*self._rows, strict=True))
        at_first = values = self._regressor.values
        least = _EXACT * max(1e-9, float(np.abs(known).max()))
        weight = self._counts.astype(float)
        for _ in range(_ROUNDS):
            needed = self._regressor.along(z, zd, zdd)
            by_centre = needed.by_parameter[:, :, 1:] / values[0]
            slope = np.concatenate([needed.by_parameter[:, :, :1]
                                    - (by_centre @ values[1:])[:, :, None], by_centre], axis=2)
            left = known - needed.force
            inverse, unknown = _inverse_of(np.einsum('kgi,g,kgj->ij', slope, weight, slope))
            change = inverse @ np.einsum('kgi,g,kg->i', slope, weight, left)
            sums = np.append(values[0], values[0] * values[1:]) + change
            sums[0] = max(sums[0], _LEAST * values[0])
            self._regressor.values = values = np.append(sums[0], sums[1:] / sums[0])
            left = left - slope @ change
            weight = self._counts / np.maximum(np.mean(left * left, axis=0), least * least)
        self._regressor.values = at_first
        pushes = np.einsum('kgi,g,kg->ki', slope, weight, left)
        blocks = np.array([block.sum(axis=0) for block in np.array_split(
            pushes, min(_BLOCKS, len(pushes)))])
        covariance = inverse @ (blocks.T @ blocks) @ inverse
        return self._result(values, covariance, unknown, len(z))

    def _result(self, values: FloatArray, covariance: FloatArray, unknown: FloatArray,
                instants: int) -> CentredLoad:
        mass, centre = values[0], values[1:]
        by_sums = np.column_stack([-centre, np.eye(len(centre))]) / mass     # of the centre
        deviation = np.sqrt(np.diag(covariance))
        centre_deviation = np.sqrt(np.diag(by_sums @ covariance @ by_sums.T))
        determined = np.abs(unknown).max(axis=1, initial=0.0) < _SMALL
        deviation[~determined] = centre_deviation[~determined[1:]] = np.inf
        if not determined[0]:
            centre_deviation[:] = np.inf
        names = ['mass', *(f'mass * {axis}' for axis in self._axes)]
        sums = tuple(text for text in _words_of(unknown, names)) if not determined.all() else ()
        return CentredLoad(float(mass), float(deviation[0]), centre, centre_deviation, sums,
                           instants)


def _inverse_of(normal: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the inverse of a normal matrix (p, p) where it has one, and directions (p, u).

    These are what it says nothing about, of length 1 in sizes of the unknowns.
    """
    size = np.sqrt(np.diag(normal))
    size = np.maximum(size, 1e-6 * size.max() if size.max() > 0.0 else 1.0)
    rates, along = np.linalg.eigh(normal / np.outer(size, size))
    sure = rates > _UNKNOWN
    part = along[:, sure] / size[:, None]
    directions = along[:, ~sure] / size[:, None]
    return part / rates[sure] @ part.T, directions / np.abs(directions).max(axis=0, initial=1e-300)


def _words_of(unknown: FloatArray, names: list[str]) -> list[str]:
    """Return in words which combinations of several unknowns (p) are determined.

    unknown (p, u): directions that are not.  The combinations are what is across them, each with
    one unknown that no other one has.
    """
    across = np.linalg.svd(unknown.T)[2][unknown.shape[1]:]
    row = 0
    for column in range(across.shape[1]):
        if row == len(across):
            break
        pivot = row + int(np.argmax(np.abs(across[row:, column])))
        if abs(across[pivot, column]) < _SMALL:
            continue
        across[[row, pivot]] = across[[pivot, row]]
        across[row] /= across[row, column]
        others = np.arange(len(across)) != row
        across[others] -= np.outer(across[others, column], across[row])
        row += 1
    return [' '.join(_term(value, name, first=k == 0) for k, (value, name) in enumerate(terms))
            for terms in ([(value, name) for value, name in zip(line, names, strict=True)
                           if abs(value) > _SMALL] for line in across) if len(terms) > 1]


def _term(value: float, name: str, first: bool) -> str:
    sign = ('-' if value < 0.0 else '') if first else ('- ' if value < 0.0 else '+ ')
    return sign + (name if abs(abs(value) - 1.0) < 1e-6 else f'{abs(value):.4g} {name}')
