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
            self._places[sensor.name] = range(begin, begin + len(sensor.channels))
            begin += len(sensor.channels)
        self._forget()

    def _forget(self):
        self._series = {name: deque() for name in self._places}     # of (stamp, whitened)
        self._stamp = self._judged = None
        self.nis = dict.fromkeys(self._places, float('nan'))
        self.judgement = [assess(name, np.empty((0, len(channels))))
                          for name, channels in self._places.items()]

    def add(self, stamp, innovation):
        """Take in the Innovation of a stamp [ns].

        Writes nis: of every sensor, NaN where there was no reading; and, once in a period,
        judgement: a SensorConsistency of every sensor.  Stamps that go back start it anew.
        """
        if self._stamp is not None and stamp <= self._stamp:
            self._forget()
        self._stamp = stamp
        for name, channels in self._places.items():
            self.nis[name] = float('nan')
            rows = np.flatnonzero((innovation.channels >= channels.start)
                                  & (innovation.channels < channels.stop))
            if len(rows) == len(channels):
                values = whitened(innovation.residual[rows],
                                  innovation.covariance[np.ix_(rows, rows)])
                self.nis[name] = float(values @ values)
                self._series[name].append((stamp, values))
        if self._judged is None or stamp - self._judged >= self._period:
            self._judged = stamp
            self.judgement = [self._judge(name) for name in self._places]

    def _judge(self, name):
        """Return the SensorConsistency of a sensor in the window."""
        series = self._series[name]
        while series and series[0][0] <= self._stamp - self._length:
            series.popleft()
        values = np.array([value for _, value in series])
        return assess(name, values.reshape(len(series), len(self._places[name])), self._level)
