"""The mass and the centre of gravity of a load, both unknown, by all instants of a recording."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_contact.payload.load_equations import LoadEquations, Solution
from mb_model import Mechanism
from mb_model.arrays import FloatArray

_ROUNDS = 8
_SMALL = 1e-3             # coefficient of a combination that is left out
_BLOCKS = 20              # parts of a recording whose errors count as independent


@dataclass(frozen=True)
class CentredLoad:
    """A load: mass [kg], centre (d) of gravity in its body's frame [m], and their deviations.

    A deviation is infinite where the recording does not determine the number; sums: combinations of
    mass [kg] and first moments [kg m] that it determines well where it does not determine all, in
    words; instants: their number.
    """

    mass: float
    deviation: float
    centre: FloatArray
    centre_deviation: FloatArray
    sums: tuple[str, ...]
    instants: int

    @classmethod
    def of(cls, solution: Solution, instants: int) -> 'CentredLoad':
        """Return the load of a Solution by a number of instants."""
        mass, centre = solution.sums[0], solution.sums[1:] / solution.sums[0]
        by_sums = np.column_stack([-centre, np.eye(len(centre))]) / mass     # of the centre
        covariance = solution.covariance
        deviation = np.sqrt(np.diag(covariance))
        centre_deviation = np.sqrt(np.diag(by_sums @ covariance @ by_sums.T))
        determined = np.abs(solution.unknown).max(axis=1, initial=0.0) < _SMALL
        deviation[~determined] = centre_deviation[~determined[1:]] = np.inf
        if not determined[0]:
            centre_deviation[:] = np.inf
        names = ['mass', *(f'mass * {axis}' for axis in 'xyz'[:len(centre)])]
        sums = tuple(_words_of(solution.open, names)) if solution.open.size else ()
        return cls(float(mass), float(deviation[0]), centre, centre_deviation, sums, instants)


class LoadWithCentre:
    """Collects instants of a recording, and gives the CentredLoad of one body, see LoadEquations.
    """

    def __init__(self, mechanism: Mechanism, body: str,
                 unknown_forces: Sequence[str] = ()) -> None:
        """Set up for a body of the mechanism; raises ContactError, MechanismError.

        unknown_forces: degrees of freedom whose equation is left out, see PayloadSettings.
        """
        self._equations = LoadEquations(mechanism, body, unknown_forces)
        self._rows: list[FloatArray] = []

    def add(self, z: FloatArray, zd: FloatArray, zdd: FloatArray, q: FloatArray | None,
            p: FloatArray | None, covariance: FloatArray, forces: FloatArray | None) -> None:
        """Add an instant, as PayloadEstimator.update.

        It does not count where it is not finite, or a cylinder is at rest.  forces (g): known
        ones on z [N or N m], beside what the oil does at p (v) [Pa].  Raises ContactError.
        """
        rows = self._equations.rows(z, zd, zdd, q, p, covariance, forces)
        if rows is not None:
            self._rows.append(rows)

    def load(self) -> CentredLoad | None:
        """Return the load, None without instants."""
        if not self._rows:
            return None
        rows = np.array(self._rows)
        squares = np.array([np.einsum('kgi,kgj->gij', block, block) for block in np.array_split(
            rows, min(_BLOCKS, len(rows)))])
        return CentredLoad.of(self._equations.solve(
            squares, len(rows), self._equations.first, _ROUNDS), len(rows))


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
