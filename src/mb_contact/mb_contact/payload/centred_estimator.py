"""The mass and the centre of gravity of a load, both unknown, one instant after the other."""

from collections import deque

import numpy as np

from mb_contact.payload.centred_load import CentredLoad
from mb_contact.payload.estimator import Payload
from mb_contact.payload.load_equations import LoadEquations
from mb_contact.payload.payload_settings import PayloadSettings
from mb_model import Mechanism
from mb_model.arrays import FloatArray

_ROUNDS = 3             # from the load of the instant before
_BLOCKS = 20            # of the window, whose errors count as independent
_FEWEST = 5             # of them before there is a load


class CentredEstimator:
    """Estimates a load with its centre by the last instants, beside PayloadEstimator of masses.

    Of each of twenty parts of PayloadSettings.window it keeps the squares of the LoadEquations, so
    an instant costs the same however long the window is.  A load that changes is known after a
    window; instants that are held do not count.  Raises ContactError, MechanismError.
    """

    def __init__(self, mechanism: Mechanism, body: str, settings: PayloadSettings | None = None,
                 dt: float = 0.001) -> None:
        """Set up for a body of the mechanism; dt: usual time between two estimates [s]."""
        self.mechanism, self.masses = mechanism, (f'bodies.{body}.mass',)
        self.settings, self._body = settings or PayloadSettings(), body
        self._equations = LoadEquations(mechanism, body, self.settings.unknown_forces)
        self._dt = dt
        self.reset()

    def with_settings(self, settings: PayloadSettings) -> 'CentredEstimator':
        """Return an estimator with other settings; it goes on from here with the same window."""
        other = CentredEstimator(self.mechanism, self._body, settings, self._dt)
        now = self.settings
        if (settings.window, settings.unknown_forces) == (now.window, now.unknown_forces):
            other._blocks = deque(((count, squares.copy()) for count, squares in self._blocks),
                                  maxlen=_BLOCKS)
            other._sums, other._last, other._load = self._sums.copy(), self._last, self._load
        return other

    def reset(self, dt: float | None = None) -> None:
        """Forget everything, as if it had just been made; with another dt [s], if given."""
        self._dt = self._dt if dt is None else dt
        self._length = max(1, round(self.settings.window / _BLOCKS / self._dt))
        self._blocks: deque[tuple[int, FloatArray]] = deque(maxlen=_BLOCKS)
        self._sums, self._last, self.holds_at_rest = self._equations.first, -1, False
        self._load: CentredLoad | None = None

    def update(self, stamp: int, z: FloatArray, zd: FloatArray, zdd: FloatArray,
               p: FloatArray | None = None, covariance: FloatArray | None = None,
               q: FloatArray | None = None, forces: FloatArray | None = None,
               distrust: str = '') -> Payload:
        """Add an estimate and return the Payload with its load, arguments as of PayloadEstimator.

        raw_mass is NaN: an instant alone gives none.
        """
        entered, reason = False, distrust
        if not distrust:
            entered, reason = self._add(stamp, z, zd, zdd, p, covariance, q, forces)
        if entered and len(self._blocks) >= _FEWEST:
            instants = sum(count for count, _ in self._blocks)
            solution = self._equations.solve(np.array([squares for _, squares in self._blocks]),
                                          instants, self._sums, _ROUNDS)
            self._sums, self._load = solution.sums, CentredLoad.of(solution, instants)
        load = self._load
        if entered:
            reason = (f'less than {_FEWEST / _BLOCKS:g} of the window has instants' if load is None
                      else f'only known together: {"; ".join(load.sums)}' if load.sums else '')
        mass, deviation = ((load.mass, load.deviation) if load and np.isfinite(load.deviation) else
                           (np.nan, np.inf))
        return Payload(np.array([mass]), np.array([np.nan]), np.array([deviation]), entered, reason,
                       '', load)

    def _add(self, stamp: int, z: FloatArray, zd: FloatArray, zdd: FloatArray,
             p: FloatArray | None, covariance: FloatArray | None, q: FloatArray | None,
             forces: FloatArray | None) -> tuple[bool, str]:
        """Return whether an instant counts, and why not."""
        if stamp <= self._last:
            return False, 'the stamp is not after the last one'
        self._last = stamp
        rows = self._equations.rows(z, zd, zdd, q, p, np.zeros((0, 0)) if covariance is None
                                    else covariance, forces)
        self.holds_at_rest = rows is None and bool(np.isfinite([z, zd, zdd]).all())
        if rows is None:
            return False, ('a cylinder stands still' if self.holds_at_rest else
                           'the estimated state is not usable')
        squares = np.einsum('gi,gj->gij', rows, rows)
        if not self._blocks or self._blocks[-1][0] == self._length:
            self._blocks.append((1, squares))
        else:
            count, before = self._blocks[-1]
            self._blocks[-1] = count + 1, before + squares
        return True, ''
