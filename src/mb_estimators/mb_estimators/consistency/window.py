"""The consistency of a running filter, over a sliding window."""

from collections import deque

import numpy as np

from mb_estimators.consistency.normalized import whitened
from mb_estimators.consistency.sensor_consistency import assess
from mb_sensors.sampling import NANOSECONDS


class ConsistencyWindow:
    """Keeps the innovations of the last seconds and judges them now and then.

    What it says depends on the stamps and innovations alone, not on when they come.
    """

    def __init__(self, sensors, settings):
        """Set up for Sensors in the order of the filter's channels; see ConsistencySettings."""
        self._length = round(settings.window * NANOSECONDS)
        self._period = round(settings.period * NANOSECONDS)
        self._level = settings.level
        self._places, begin = {}, 0
        for sensor in sensors:
            self._places[sensor.name] = slice(begin, begin + len(sensor.channels))
            begin += len(sensor.channels)
        self._channels = begin
        self.forget()

    def forget(self):
        """Be as before the first innovation."""
        self._series = {name: deque() for name in self._places}    # stamp, residual, covariance
        self._stamp = self._judged = None
        self.nis = dict.fromkeys(self._places, float('nan'))
        self.judgement = [assess(name, np.empty((0, 1))) for name in self._places]

    def add(self, stamp, innovation):
        """Take in the Innovation of a stamp [ns].

        Writes nis: of every sensor, NaN where there was no reading; and, once in a period,
        judgement: a SensorConsistency of every sensor.  Stamps that go back start it anew.
        """
        if self._stamp is not None and stamp <= self._stamp:
            self.forget()
        self._stamp = stamp
        whole = len(innovation.channels) == self._channels
        for name, place in self._places.items():
            self._note(name, stamp, innovation,
                       place if whole else self._rows(innovation, place))
        if self._judged is None or stamp - self._judged >= self._period:
            self._judged = stamp
            self.judgement = [self._judge(name) for name in self._places]

    def add_late(self, sensor, stamp, innovation):
        """Take in the Innovation of a stamp [ns] that is over, for a reading of one sensor."""
        self._note(sensor, stamp, innovation, self._rows(innovation, self._places[sensor]))

    def _note(self, name, stamp, innovation, rows):
        """Append the rows of an Innovation to the series of a sensor; None: there are none."""
        self.nis[name] = float('nan')
        if rows is not None:
            residual = innovation.residual[rows]
            covariance = innovation.covariance[rows, rows]
            self.nis[name] = _nis(residual, covariance)
            self._series[name].append((stamp, residual, covariance))

    def _rows(self, innovation, place):
        """Return where the channels of a sensor are in an Innovation, None if one is not there."""
        first = np.searchsorted(innovation.channels, place.start)
        rows = slice(first, first + place.stop - place.start)
        there = innovation.channels[rows]
        complete = len(there) == rows.stop - rows.start and there[-1] == place.stop - 1
        return rows if complete else None

    def _judge(self, name):
        """Return the SensorConsistency of a sensor in the window."""
        series = self._series[name]
        while series and series[0][0] <= self._stamp - self._length:
            series.popleft()
        if not series:
            return assess(name, np.empty((0, 1)))
        _, residuals, covariances = zip(*series, strict=True)
        try:
            return assess(name, whitened(residuals, np.array(covariances)), self._level)
        except np.linalg.LinAlgError:       # rounding has spoilt one: no judgement this time
            return assess(name, np.empty((0, 1)))


def _nis(residual, covariance):
    """Return r^T S^-1 r, NaN for a singular S."""
    if len(residual) == 1:
        return float(residual[0] * residual[0] / covariance[0, 0])
    try:
        return float(residual @ np.linalg.solve(covariance, residual))
    except np.linalg.LinAlgError:
        return float('nan')
