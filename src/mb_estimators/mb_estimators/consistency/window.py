"""The consistency of a running filter, over a sliding window."""

from math import inf, nan, sqrt

from numba import float64, int64
import numpy as np

from mb_estimators.consistency.sensor_consistency import assess
from mb_model.jit import entry
from mb_model.kernel_api import bound
from mb_sensors import NANOSECONDS

_FIRST = 64      # rows that there is room for at first


class Series:
    """Stamps [ns] and rows (columns), appended at the end and dropped at the beginning.

    Numbers that are not known are NaN.
    """

    def __init__(self, columns):
        self._stamps = np.empty(_FIRST, np.int64)
        self._rows = np.empty((_FIRST, columns))
        self._begin = self._end = 0

    def of(self, place, stamp):
        """Return the rows (k, columns of a slice) in which these columns are known, oldest first.

        They begin with the first newer than a stamp.
        """
        kept = slice(self._begin, self._end)
        rows, stamps = self._rows[kept, place], self._stamps[kept]
        known = rows[:, 0] == rows[:, 0]
        if not known.all():
            rows, stamps = rows[known], stamps[known]
        return rows[_first_after(stamps, stamp):]

    def append(self, stamp, row):
        """Add a row."""
        if self._end == len(self._stamps):
            self._make_room()
        self._stamps[self._end], self._rows[self._end] = stamp, row
        self._end += 1

    def drop_until(self, stamp):
        """Drop rows from the beginning, as long as they are not newer than a stamp."""
        self._begin += _first_after(self._stamps[self._begin:self._end], stamp)

    def _make_room(self):
        """Move the rows to the beginning of new arrays, twice as long as they are."""
        count = self._end - self._begin
        stamps, rows = (np.empty((2 * max(count, _FIRST), *old.shape[1:]), old.dtype)
                        for old in (self._stamps, self._rows))
        kept = slice(self._begin, self._end)
        stamps[:count], rows[:count] = self._stamps[kept], self._rows[kept]
        self._stamps, self._rows, self._begin, self._end = stamps, rows, 0, count


def _first_after(stamps, stamp):
    """Return the number of the first of stamps that is newer than a stamp, theirs without any."""
    newer = stamps > stamp
    return int(newer.argmax()) if newer.any() else len(stamps)


@entry
def whiten(factor, white, ends, residual, covariance):
    """Write L^-1 r for the residual r and the covariance L L^T of each block of channels.

    residual (k), covariance (k, k); ends (b): of the blocks, which begin with channel 0 and follow
    each other; factor (at least k, k): room for L; white (at least k): NaN in a block whose
    covariance is not positive definite.
    """
    begin = 0
    for end in ends:
        positive = True
        for i in range(begin, end):
            for j in range(begin, i + 1):
                rest = covariance[i, j]
                for k in range(begin, j):
                    rest -= factor[i, k] * factor[j, k]
                if j < i:
                    factor[i, j] = rest / factor[j, j]
                elif rest > 0.0:
                    factor[i, i] = sqrt(rest)
                else:
                    positive, factor[i, i] = False, 1.0
            value = residual[i]
            for k in range(begin, i):
                value -= factor[i, k] * white[k]
            white[i] = value / factor[i, i]
        if not positive:
            for i in range(begin, end):
                white[i] = nan
        begin = end


_REAL = np.dtype(np.float64)
_OFTEN = 99         # instants after which to judge at the latest: twice within 200 readings
_LEAST = 20         # readings of a slow sensor that are judged together


class ConsistencyWindow:
    """Keeps the innovations of the last seconds, whitened, and judges them now and then.

    Its judgements depend on the stamps and innovations alone, not on their arrival.  A reading that
    the filter left out is one, of infinite size.  by_chance: share of right readings that gates
    leave out, by sensor.
    """

    def __init__(self, sensors, settings):
        """Set up for Sensors in the order of the filter's channels; see ConsistencySettings."""
        self._lengths = {
            sensor.name: round(max(settings.window, _LEAST / sensor.rate) * NANOSECONDS)
            for sensor in sensors}
        self.expect(sensors)
        self.by_chance: dict[str, float] = {}
        self._period = round(settings.period * NANOSECONDS)
        self._level = settings.level
        self._sizes = {sensor.name: len(sensor.channels) for sensor in sensors}
        ends = np.cumsum(list(self._sizes.values()))
        self._places = {name: slice(int(end) - size, int(end)) for (name, size), end in
                        zip(self._sizes.items(), ends, strict=True)}
        self._ends, channels = ends, int(ends[-1])
        self._factor, self._white = np.empty((channels, channels)), np.empty(channels)
        self._whiten = bound(whiten, (self._factor, self._white), int64[::1], float64[::1],
                             float64[:, ::1])
        assess('', np.zeros((2, 1)), left_out=1)        # loads compiled code now
        self.forget()

    def expect(self, sensors):
        """Take the noise of Sensors as it is declared now."""
        self._sigmas = np.sqrt(np.repeat([sensor.settings.variance for sensor in sensors],
                                         [len(sensor.channels) for sensor in sensors]))

    def forget(self):
        """Be as before the first innovation."""
        self._series = Series(2 * len(self._white))     # whitened; in declared deviations
        self._newest = np.full(len(self._white), nan)   # whitened innovations of each channel
        self._stamp = self._judged = None
        self._since = 0         # instants since the last judgement
        self.judgement = [assess(name, np.empty((0, 1))) for name in self._places]

    @property
    def nis(self):
        """NIS of the newest readings of every sensor by name, NaN where none was used."""
        with np.errstate(over='ignore'):        # infinite for wild readings
            return {name: float(self._newest[place] @ self._newest[place])
                    for name, place in self._places.items()}

    def add(self, stamp, innovation):
        """Add the Innovation of a stamp [ns].

        Writes, once in a period or a number of instants, judgement: a SensorConsistency of every
        sensor.  Stamps that go back start it anew.
        """
        if self._stamp is not None and stamp <= self._stamp:
            self.forget()
        self._stamp = stamp
        self._newest = whitened = self._whitened(innovation)
        self._append(stamp, self._with_left_out(whitened, innovation.rejected), innovation)
        self._since += 1
        if (self._judged is None or stamp - self._judged >= self._period
                or self._since >= _OFTEN):
            self._judged, self._since = stamp, 0
            self.judgement = self._judge_all()

    def add_late(self, sensor, stamp, innovation):
        """Add the Innovation of a past stamp [ns], for a reading of one sensor."""
        place, row = self._places[sensor], np.full(len(self._white), nan)
        whitened = self._whitened(innovation)
        self._newest[place] = whitened[place]
        row[place] = self._with_left_out(whitened, innovation.rejected)[place]
        self._append(stamp, row, innovation)

    def _append(self, stamp, whitened, innovation):
        row = np.full(2 * len(whitened), nan)
        row[:len(whitened)] = whitened
        with np.errstate(divide='ignore', invalid='ignore'):    # of a sensor without noise
            row[len(whitened) + innovation.channels] = (
                innovation.residual / self._sigmas[innovation.channels])
        self._series.append(stamp, row)

    def _with_left_out(self, whitened, rejected):
        """Return whitened innovations (channels), infinite where any of a sensor was rejected."""
        if not len(rejected):
            return whitened
        row = whitened.copy()
        for place in self._places.values():
            if any(place.start <= channel < place.stop for channel in rejected):
                row[place] = inf
        return row

    def _whitened(self, innovation):
        """Return the whitened innovations (channels), NaN of sensors without all of theirs.

        They are NaN also where rounding has spoilt a covariance.
        """
        residual = np.ascontiguousarray(innovation.residual, _REAL)
        covariance = np.ascontiguousarray(innovation.covariance, _REAL)
        count = len(innovation.channels)
        if residual.shape != (count,) or covariance.shape != (count, count):
            raise ValueError(f'an innovation of {count} channels: residual {residual.shape}, '
                             f'covariance {covariance.shape}')
        if count == len(self._white):
            self._whiten(self._ends, residual, covariance)
            return self._white.copy()
        places, ends = self._present(innovation)
        self._whiten(ends, residual, covariance)
        white = np.full(len(self._white), nan)
        for name, place in places.items():
            white[self._places[name]] = self._white[place]
        return white

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

    def _judge_all(self):
        """Return the SensorConsistency of every sensor in the window."""
        self._series.drop_until(self._stamp - max(self._lengths.values()))
        return [self._assessed(name, place) for name, place in self._places.items()]

    def _assessed(self, sensor, place):
        columns = np.r_[place, place.start + len(self._white):place.stop + len(self._white)]
        rows = self._series.of(columns, self._stamp - self._lengths[sensor])
        used, size = rows[:, 0] != inf, self._sizes[sensor]
        return assess(sensor, rows[used, :size], self._level, int(len(rows) - used.sum()),
                      self.by_chance.get(sensor, 0.0), rows[used, size:])
