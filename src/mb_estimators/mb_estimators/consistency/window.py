"""The consistency of a running filter, over a sliding window."""

import numpy as np

from mb_estimators.consistency.sensor_consistency import assess
from mb_estimators.consistency.series import Series
from mb_estimators.kernels.whitening import whiten
from mb_sensors.sampling import NANOSECONDS


class ConsistencyWindow:
    """Keeps the innovations of the last seconds, whitened, and judges them now and then.

    What it says depends on the stamps and innovations alone, not on when they come.
    """

    def __init__(self, sensors, settings):
        """Set up for Sensors in the order of the filter's channels; see ConsistencySettings."""
        self._length = round(settings.window * NANOSECONDS)
        self._period = round(settings.period * NANOSECONDS)
        self._level = settings.level
        self._sizes = {sensor.name: len(sensor.channels) for sensor in sensors}
        ends = np.cumsum(list(self._sizes.values()))
        self._places = {name: slice(int(end) - size, int(end)) for (name, size), end in
                        zip(self._sizes.items(), ends, strict=True)}
        channels = int(ends[-1])
        self._all = self._places, ends                      # where no reading is missing
        self._factor, self._white = np.empty((channels, channels)), np.empty(channels)
        whiten(np.zeros(channels), np.eye(channels), ends, self._factor, self._white)   # compiled
        self.forget()

    def forget(self):
        """Be as before the first innovation."""
        self._series = {name: Series(size) for name, size in self._sizes.items()}
        self._newest = dict.fromkeys(self._places)      # whitened innovations (channels), or None
        self._stamp = self._judged = None
        self.judgement = [assess(name, np.empty((0, 1))) for name in self._places]

    @property
    def nis(self):
        """NIS of the newest readings of every sensor by name, NaN where there was none."""
        return {name: float('nan') if white is None else float(white @ white)
                for name, white in self._newest.items()}

    def add(self, stamp, innovation):
        """Take in the Innovation of a stamp [ns].

        Writes, once in a period, judgement: a SensorConsistency of every sensor.  Stamps that go
        back start it anew.
        """
        if self._stamp is not None and stamp <= self._stamp:
            self.forget()
        self._stamp = stamp
        whitened = self._whitened(innovation)
        for name in self._places:
            self._note(name, stamp, whitened.get(name))
        if self._judged is None or stamp - self._judged >= self._period:
            self._judged = stamp
            self.judgement = [self._judge(name) for name in self._places]

    def add_late(self, sensor, stamp, innovation):
        """Take in the Innovation of a stamp [ns] that is over, for a reading of one sensor."""
        self._note(sensor, stamp, self._whitened(innovation).get(sensor))

    def _note(self, name, stamp, white):
        """Append the whitened innovations of a sensor to its series; None: there are none."""
        self._newest[name] = white
        if white is not None and white[0] == white[0]:      # else rounding has spoilt a covariance
            self._series[name].append(stamp, white)

    def _whitened(self, innovation):
        """Return the whitened innovations (channels) by the sensors that have all of theirs."""
        count = len(innovation.channels)
        places, ends = self._all if count == len(self._white) else self._present(innovation)
        whiten(np.ascontiguousarray(innovation.residual, np.float64),
               np.ascontiguousarray(innovation.covariance, np.float64), ends, self._factor,
               self._white)
        white = self._white[:count].copy()
        return {name: white[place] for name, place in places.items()}

    def _present(self, innovation):
        """Return where sensors have all their channels in an Innovation, and the ends of blocks."""
        places, ends, begin = {}, [], 0
        for name, place in self._places.items():
            end = int(np.searchsorted(innovation.channels, place.stop))
            if end - begin == self._sizes[name]:
                places[name] = slice(begin, end)
            if end > begin:
                ends.append(end)
            begin = end
        return places, np.array(ends, np.int64)

    def _judge(self, name):
        """Return the SensorConsistency of a sensor in the window."""
        series = self._series[name]
        series.drop_until(self._stamp - self._length)
        return assess(name, series.rows, self._level)
