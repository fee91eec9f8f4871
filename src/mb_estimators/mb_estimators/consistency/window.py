"""The consistency of a running filter, over a sliding window."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan, sqrt

from numba import float64, int64
import numpy as np

from mb_estimators.consistency.sensor_consistency import SensorConsistency, assess
from mb_estimators.filter import Innovation
from mb_estimators.filter.sensor_channels import SensorChannels
from mb_model import Settings, setting
from mb_model.arrays import FloatArray, IntArray
from mb_model.jit import entry
from mb_model.kernel_api import bound
from mb_sensors import NANOSECONDS, Sensor


@dataclass(frozen=True)
class ConsistencySettings(Settings):
    """The judgement of a running filter by its innovations."""

    window: float = setting(
        2.0, unit='s', above=0.0, at_most=600.0,
        help='Innovations within this time are judged together')
    period: float = setting(
        1.0, unit='s', at_least=0.001, help='Time from one judgement to the next, by stamps')
    level: float = setting(
        0.9999, above=0.5, at_most=0.999999,
        help='Probability with which a consistent filter passes a judgement of one sensor')


_FIRST = 64      # rows that there is room for at first


class Series:
    """Stamps [ns] and rows (columns), appended at the end and dropped at the beginning.

    Numbers that are not known are NaN.
    """

    def __init__(self, columns: int) -> None:
        """Make room for rows of so many columns."""
        self._stamps = np.empty(_FIRST, np.int64)
        self._rows = np.empty((_FIRST, columns))
        self._begin = self._end = 0

    def of(self, columns: IntArray, stamp: int) -> FloatArray:
        """Return some columns of the rows (k) in which these columns are known, oldest first.

        They begin with the first newer than a stamp.
        """
        kept = slice(self._begin, self._end)
        rows, stamps = self._rows[kept, columns], self._stamps[kept]
        known = rows[:, 0] == rows[:, 0]
        if not known.all():
            rows, stamps = rows[known], stamps[known]
        return rows[_first_after(stamps, stamp):]

    def append(self, stamp: int, row: FloatArray) -> None:
        """Add a row."""
        if self._end == len(self._stamps):
            self._make_room()
        self._stamps[self._end], self._rows[self._end] = stamp, row
        self._end += 1

    def drop_until(self, stamp: int) -> None:
        """Drop rows from the beginning, as long as they are not newer than a stamp."""
        self._begin += _first_after(self._stamps[self._begin:self._end], stamp)

    def _make_room(self) -> None:
        """Move the rows to the beginning of new arrays, twice as long as they are."""
        count = self._end - self._begin
        stamps, rows = (np.empty((2 * max(count, _FIRST), *old.shape[1:]), old.dtype)
                        for old in (self._stamps, self._rows))
        kept = slice(self._begin, self._end)
        stamps[:count], rows[:count] = self._stamps[kept], self._rows[kept]
        self._stamps, self._rows, self._begin, self._end = stamps, rows, 0, count


def _first_after(stamps: IntArray, stamp: int) -> int:
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

    def __init__(self, sensors: Sequence[Sensor], settings: ConsistencySettings) -> None:
        """Set up for Sensors in the order of the filter's channels; see ConsistencySettings."""
        self._lengths = {
            sensor.name: round(max(settings.window, _LEAST / sensor.rate) * NANOSECONDS)
            for sensor in sensors}
        self._channels = SensorChannels(sensors)
        self.expect(sensors)
        self.by_chance: dict[str, float] = {}
        self._period = round(settings.period * NANOSECONDS)
        self._level = settings.level
        self._slices, channels = self._channels.slices, self._channels.count
        self._ends = np.array([own.stop for own in self._slices.values()], np.int64)
        self._factor, self._white = np.empty((channels, channels)), np.empty(channels)
        self._whiten = bound(whiten, (self._factor, self._white), int64[::1], float64[::1],
                             float64[:, ::1])
        assess('', np.zeros((2, 1)), left_out=1)        # loads compiled code now
        self.forget()

    def expect(self, sensors: Sequence[Sensor]) -> None:
        """Take the noise of Sensors as it is declared now."""
        variances = np.array([sensor.settings.variance for sensor in sensors])
        self._sigmas = np.sqrt(variances[self._channels.owners])
        self._has_exact = bool((variances == 0.0).any())

    def forget(self) -> None:
        """Be as before the first innovation."""
        self._series = Series(2 * len(self._white))     # whitened; in declared deviations
        self._newest = np.full(len(self._white), nan)   # whitened innovations of each channel
        self._stamp: int | None = None
        self._judged: int | None = None
        self._since = 0         # instants since the last judgement
        self.judgement = [assess(name, np.empty((0, 1))) for name in self._slices]

    @property
    def nis(self) -> dict[str, float]:
        """NIS of the newest readings of every sensor by name, NaN where none was used."""
        with np.errstate(over='ignore'):        # infinite for wild readings
            return {name: float(self._newest[own] @ self._newest[own])
                    for name, own in self._slices.items()}

    def add(self, stamp: int, innovation: Innovation) -> None:
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
            self._series.drop_until(stamp - max(self._lengths.values()))
            self.judgement = [self._assessed(name, own) for name, own in self._slices.items()]

    def add_late(self, sensor: str, stamp: int, innovation: Innovation) -> None:
        """Add the Innovation of a past stamp [ns], for a reading of one sensor."""
        own, row = self._slices[sensor], np.full(len(self._white), nan)
        whitened = self._whitened(innovation)
        self._newest[own] = whitened[own]
        row[own] = self._with_left_out(whitened, innovation.rejected)[own]
        self._append(stamp, row, innovation)

    def _append(self, stamp: int, whitened: FloatArray, innovation: Innovation) -> None:
        row = np.full(2 * len(whitened), nan)
        row[:len(whitened)] = whitened
        sigmas = self._sigmas[innovation.channels]
        if self._has_exact:
            with np.errstate(divide='ignore', invalid='ignore'):
                row[len(whitened) + innovation.channels] = innovation.residual / sigmas
        else:
            row[len(whitened) + innovation.channels] = innovation.residual / sigmas
        self._series.append(stamp, row)

    def _with_left_out(self, whitened: FloatArray, rejected: IntArray) -> FloatArray:
        """Return whitened innovations (channels), infinite where any of a sensor was rejected."""
        if not len(rejected):
            return whitened
        row = whitened.copy()
        row[self._channels.of(self._channels.names(rejected))] = inf
        return row

    def _whitened(self, innovation: Innovation) -> FloatArray:
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
        present, ends = self._present(innovation)
        self._whiten(ends, residual, covariance)
        white = np.full(len(self._white), nan)
        for name, rows in present.items():
            white[self._slices[name]] = self._white[rows]
        return white

    def _present(self, innovation: Innovation) -> tuple[dict[str, slice], IntArray]:
        """Return where sensors have all their channels in an Innovation, and the ends of blocks."""
        present, ends, begin = {}, [], 0
        for name, own in self._slices.items():
            end = int(np.searchsorted(innovation.channels, own.stop))
            if end - begin == own.stop - own.start:
                present[name] = slice(begin, end)
            if end > begin:
                ends.append(end)
            begin = end
        return present, np.array(ends, np.int64)

    def _assessed(self, sensor: str, own: slice) -> SensorConsistency:
        """Return the SensorConsistency of a sensor in the window."""
        size, stamp = own.stop - own.start, self._stamp or 0
        columns = np.r_[own, own.start + len(self._white):own.stop + len(self._white)]
        rows = self._series.of(columns, stamp - self._lengths[sensor])
        used = rows[:, 0] != inf
        return assess(sensor, rows[used, :size], self._level, int(len(rows) - used.sum()),
                      self.by_chance.get(sensor, 0.0), rows[used, size:])
