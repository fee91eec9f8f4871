"""An estimate that cannot be right, as its own innovations and covariance say."""

from math import pi

import numpy as np

from mb_sensors.sampling import NANOSECONDS

_INCREDIBLE = 5.0               # deviations: an innovation beyond them has a chance of 6e-7
_MEMORY = 1.0 * NANOSECONDS     # [ns] of the share of incredible readings, which fades
_LOST, _FOUND = 0.2, 0.02       # shares; a fifth of noise four times as large as declared is
_NOTHING = 1e-6                 # of a share
_MOST = 0.1                     # of a share that one reading makes
_ROOM = 2.0 * pi                # sizes: a deviation beyond them is a turn, or leaves the mechanism


class LostWatch:
    """Says why an estimate cannot be right: it is lost.

    A fifth of the readings of half of the sensors, in the last second, was farther than five
    deviations from the prediction, though used: which of the two sides is wrong cannot be told any
    more, if not one sensor among several is.  Or a fifth of those of more than half of the sensors
    was that or left out.  Or: the covariance is not finite, or so large that a degree of freedom
    may be anywhere.  An error that shows in none of these is not found; see
    observability.undetermined.
    """

    def __init__(self, mechanism, sensors):
        """Set up for the Sensors in the order of the filter's channels.

        mechanism: None if it is not known, and with it neither how large it is.
        """
        self._limits, self._coordinates = np.inf, ()
        if mechanism is not None:
            model = mechanism.model
            sizes = model['scale'][0, model['independent'][0, :mechanism.g]]
            self._limits, self._coordinates = (_ROOM * sizes) ** 2, mechanism.independent
        self._sensors = [sensor.name for sensor in sensors]
        self._owners = np.repeat(np.arange(len(sensors)), [len(s.channels) for s in sensors])
        self._silence = np.array([max(_MEMORY, 10.0 * NANOSECONDS / s.rate) for s in sensors])
        self.forget()

    def forget(self):
        """Begin anew."""
        # Shares of incredible readings that were used, and of all, of each sensor
        self._shares = np.zeros((2, len(self._sensors)))
        self._seen = np.full(len(self._sensors), -1, np.int64)      # stamps of the last ones
        self._is_clean = True           # all shares are zero
        self.by_readings = ''           # why it is lost, by these

    def remember(self):
        """Return all that the next judgement depends on, for recall."""
        return self._shares.copy(), self._seen.copy(), self.by_readings

    def recall(self, memory):
        """Go back to where `remember` was called."""
        shares, seen, self.by_readings = memory
        self._shares, self._seen, self._is_clean = shares.copy(), seen.copy(), not shares.any()

    def saw(self, stamp, innovation):
        """Note the Innovation of a stamp [ns]; write by_readings."""
        channels, residual, covariance, _, rejected = innovation
        incredible = ~(residual * residual <= _INCREDIBLE ** 2 * covariance.diagonal())
        if self._is_clean and not len(rejected) and not incredible.any():
            self._seen[self._owners[channels]] = stamp
            return
        bad = np.zeros(self._shares.shape, bool)
        bad[:, self._owners[channels[incredible]]] = True
        if len(rejected):
            bad[1, self._owners[rejected]] = True
        there = bad[1].copy()
        there[self._owners[channels]] = True
        elapsed = np.where(self._seen < 0, np.inf, (stamp - self._seen) / _MEMORY)
        part = np.where(there, np.minimum(elapsed, _MOST), 0.0)
        self._shares += part * (bad - self._shares)
        self._shares[self._shares < _NOTHING] = 0.0
        self._seen[there] = stamp
        self._is_clean = not self._shares.any()
        self._judge(stamp)

    def _judge(self, stamp):
        """Write by_readings, when there have been incredible readings."""
        present = (self._seen >= 0) & (stamp - self._seen <= self._silence)
        used, far = present & (self._shares > (_FOUND if self.by_readings else _LOST))
        self.by_readings = ''
        if 2 * used.sum() >= max(1, present.sum()) or 2 * far.sum() > present.sum():
            names = ', '.join(name for name, one in zip(self._sensors, far, strict=True) if one)
            self.by_readings = f'many readings of {names} are beyond {_INCREDIBLE:g} deviations'

    def problem(self, estimate):
        """Return why an Estimate of now is lost, in words; empty if nothing says that it is."""
        if self.by_readings:
            return self.by_readings
        z, variances = estimate.z, estimate.covariance.diagonal()
        # Also what is not a number
        far = ~((variances[:len(z)] <= self._limits) & np.isfinite(z))
        if far.any():
            names = ', '.join(name for name, one in zip(self._coordinates, far, strict=False)
                              if one)
            return f'{names or "z"} may be anywhere: the deviation is larger than the mechanism'
        return ''
