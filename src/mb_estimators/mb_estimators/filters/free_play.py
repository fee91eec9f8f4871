"""Free play that readings do not measure: what it adds to the covariance of an estimate.

A filter linearises the force of a `backlash` where it believes the flanks to be, stiff against one
of them, and becomes certain of that side.  The other one fits the same readings: two hypotheses.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from mb_estimators.filter import DivergenceError, Estimate
from mb_estimators.filters.channels import reading_variances
from mb_estimators.kernels.along import observe_along
from mb_estimators.records.filter import motion_record
from mb_model import Mechanism
from mb_model.arrays import FloatArray, RecordArray
from mb_sensors import Sensor

_INTERVAL = 1.8         # deviations that reach to the other flank; of an interval of 95 %: 1.96
_ROOM = 10.0            # sizes: how far a degree of freedom may be before any reading
_DISTINCT = 1e-3        # variance against the play: readings separate its sides


class FreePlay:
    """The backlashes (b) of a Mechanism, of which channels of sensors (c) read positions.

    With B = dx/dz (b, g) of their coordinates x, and J what one reading of each channel that
    depends on positions alone says about z:

        K = J + I / room^2,   D = K^-1 B^T S^+,   S = B K^-1 B^T

    D moves the play and as little as possible of what is read; S is how well readings know x.  From
    where x is estimated, a deviation s reaches to the other flank within an interval of 95 %.  The
    readings leave of it what does not separate the two sides, in each principal direction of S
    against diag(s^2) with variance l the share exp(-2 / l): the ratio of their likelihoods.
    """

    def __init__(self, mechanism: Mechanism, sensors: Sequence[Sensor],
                 channels: RecordArray) -> None:
        """Set up for Sensors; channels (c): their measurement records."""
        self._mechanism, self._channels, self._plays = mechanism, channels, mechanism.plays
        self._variances = reading_variances(sensors)

    @cached_property
    def _flanks(self):
        """Indices in q, middles and halves of the plays (b)."""
        least, largest = (np.array([getattr(one, name) for one in self._plays])
                          for name in ('least', 'largest'))
        return ([self._mechanism.coordinates.index(one.coordinate) for one in self._plays],
                0.5 * (least + largest), 0.5 * (largest - least))

    @cached_property
    def _before(self):
        """What is known about z before any reading (g, g)."""
        model, g = self._mechanism.model, self._mechanism.g
        return np.diag((_ROOM * model['scale'][0, model['independent'][0, :g]]) ** -2)

    @cached_property
    def _of_positions(self):
        """Which channels read positions (c), and what they are observed with."""
        chosen = (self._channels['reads_velocities'] == 0) & (
            self._channels['reads_accelerations'] == 0)
        count, mechanism = int(chosen.sum()), self._mechanism
        return (chosen, mechanism.workspace(), motion_record(mechanism.model, count),
                np.zeros(count), np.zeros((1, mechanism.g)),
                np.empty((1, count, 3 * mechanism.g)))

    def widened(self, estimate: Estimate) -> Estimate:
        """Return an Estimate whose covariances cover the play that readings do not know.

        Raises DivergenceError at a singular position.
        """
        if not self._plays:
            return estimate
        oil = estimate.hydraulics
        return estimate._replace(
            covariance=self.covering(estimate.covariance, estimate.q),
            hydraulics=oil and oil._replace(covariance=self.covering(oil.covariance, estimate.q)))

    def covering(self, covariance: FloatArray, q: FloatArray) -> FloatArray:
        """Return a covariance (l, l), first of z, that covers the play at q (n); see widened."""
        if self._plays and np.isfinite(q).all():
            covariance, g = covariance.copy(), self._mechanism.g
            covariance[:g, :g] += self._variance(q)
        return covariance

    def _variance(self, q: FloatArray):
        """Return the covariance of z (g, g) by play that is not known, at q (n)."""
        rows, middle, half = self._flanks
        by_z, read = self._jacobians(q)
        known = self._before + read
        toward = np.linalg.solve(known, by_z[rows].T)
        covariance = by_z[rows] @ toward
        moving = toward @ np.linalg.pinv(covariance, hermitian=True)
        off = np.abs(q[rows] - middle)
        # Readings of a sum leave each play what the others have: as much as all together.
        reach = np.sqrt(len(off)) * (off + np.maximum(off, half)) / _INTERVAL
        variances, axes = np.linalg.eigh(covariance / np.outer(reach, reach))
        moving = moving * reach @ axes
        return moving * np.exp(-2.0 / np.maximum(variances, _DISTINCT)) @ moving.T

    def _jacobians(self, q: FloatArray):
        """Return R (n, g) at q (n), and what readings of positions say about z (g, g)."""
        chosen, works, record, readings, still, by_state = self._of_positions
        n, g = self._mechanism.n, self._mechanism.g
        if observe_along(self._mechanism.model, works, self._channels[chosen], record, readings,
                         q[np.newaxis], still, still, by_state) >= 0:
            raise DivergenceError('the mechanism is in a singular position')
        read = by_state[0, :, :g]
        return works['R'][0, :n, :g], read.T / self._variances[chosen] @ read

