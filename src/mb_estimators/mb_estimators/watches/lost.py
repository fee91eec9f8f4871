"""Detection of an estimate that cannot be right, from its innovations and covariance."""

from collections.abc import Collection, Sequence
from functools import cache
from math import inf, log, pi
from typing import Any

from numba import boolean, float64, int64
import numpy as np

from mb_estimators.consistency.normalized import chi_square_bound, chi_square_tail, count_tail
from mb_estimators.filter import Estimate, Innovation
from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.state import state_class
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.jit import entry
from mb_model.kernel_api import bound
from mb_sensors import NANOSECONDS, Sensor

# Columns of limits (k, 5) of sensors: a reading's most weight, how many bad ones in a row are as
# good as a share beyond `LOST`, the shares beyond which a sensor is lost, and lost no longer, and
# after how long without a reading [ns] it does not count.
MOST, ENOUGH, LOST, RIGHT, SILENCE = range(5)


@entry
def note_readings(limits, memory, shortest, nothing, above, shares, row, since, seen, bad, there,
                  stamp, was_lost):
    """Note the readings of a stamp [ns]; return whether the estimate is lost by them.

    limits (k, 5); memory [ns]: of the shares; shortest [ns]: of readings in a row that count;
    nothing: of a share; above (k): the share next to `LOST`; shares (k), row, since (2, k), seen
    (k): of a LostState; bad (2, k): whether readings were left out, and whether they were that or
    far off, on return which sensors have had all left out for `memory`, and which have too many
    bad ones; there (k): whether there were any.
    """
    count = far = 0
    for i in range(limits.shape[0]):
        part = 0.0
        if there[i]:
            elapsed = inf if seen[i] < 0 else (stamp - seen[i]) / memory
            part = min(elapsed, limits[i, MOST])
        for side in range(2):
            if bad[side, i] and row[side, i] == 0:
                since[side, i] = stamp
            if there[i]:
                row[side, i] = row[side, i] + 1 if bad[side, i] else 0
        share = shares[i] + part * ((1.0 if bad[1, i] else 0.0) - shares[i])
        if share < nothing:
            share = 0.0
        if row[1, i] >= limits[i, ENOUGH] and stamp - since[1, i] >= shortest:
            share = max(share, above[i])
        shares[i] = share
        if there[i]:
            seen[i] = stamp
        present = seen[i] >= 0 and stamp - seen[i] <= limits[i, SILENCE]
        most = limits[i, RIGHT] if was_lost else limits[i, LOST]
        bad[0, i] = (present and row[0, i] >= limits[i, ENOUGH]
                     and stamp - since[0, i] >= memory)
        bad[1, i] = present and shares[i] > most
        count += present
        far += bad[1, i]
    return 2 * far >= max(1, count)


_FAR = 5.0               # deviations: one channel is beyond them with a chance of 6e-7
_MEMORY = 1.0 * NANOSECONDS     # [ns] of the share of readings far off, which fades
_WRONG, _TOLERATED = 4.0, 3.0   # sizes of noise, as declared 1, that are lost, and that are not
_OUTLIERS = 0.1                 # share of readings far off that is not lost
_CHANCE = 1e-6                  # of calling what is tolerated lost, at each judgement
_SHORTEST = 0.025 * NANOSECONDS     # [ns] of readings in a row that count: a shock is over by then
_LONGEST = 10_000               # readings that are remembered at most
_NOTHING = 1e-6                 # of a share
_ROOM = 2.0 * pi                # sizes: a deviation beyond them is a turn, or leaves the mechanism


@state_class
class LostState:
    """The notes of a LostWatch on k sensors.

    shares (k): of bad readings, far off or left out; row (2, k): how many were left out, and
    how many were bad, in a row until now; since (2, k): the stamp of the first [ns]; seen (k):
    stamps of the last readings [ns], -1 before the first; is_clean: all shares are zero;
    by_readings: why it is lost, by these; left_out: sensors of which nothing is used any more, in
    words.
    """

    shares: np.ndarray
    row: np.ndarray
    since: np.ndarray
    seen: np.ndarray
    is_clean: bool = True
    by_readings: str = ''
    left_out: str = ''


class LostWatch:
    """Says why an estimate cannot be right: it is lost.

    A reading of a sensor is far off if its normalized squared innovation is beyond what its
    number of channels exceeds with a chance of 6e-7 (five deviations of one channel); one that was
    left out is as bad.  As many readings of half of the sensors as noise four times as large as
    declared gives were bad: which of the two sides is wrong cannot be decided any more, if not one
    sensor among several is.  Or all readings of a sensor were left out, however well the others
    fit: that is so for a second, and at least for the readings in a row below.  The share is
    of the last second, or of as many readings as are needed to discern it from noise three times as
    large as declared and from a tenth of outliers.  Readings in a row that these two give with a
    chance of 1e-6 are as good as that share, from 25 ms on: what is wrong at times lasts, noise and
    outliers do not.  Or: the covariance is not finite, or so large
    that a degree of freedom may be anywhere.  An error that shows in none of these is not detected;
    see observability.undetermined.
    """

    def __init__(self, mechanism: Mechanism | None, sensors: Sequence[Sensor]) -> None:
        """Set up for the Sensors in the order of the filter's channels.

        mechanism: None if it is not known, and with it neither how large it is.
        """
        self._limits: Any = np.inf
        self._coordinates: tuple[str, ...] = ()
        if mechanism is not None:
            model = mechanism.model
            sizes = model['scale'][0, model['independent'][0, :mechanism.g]]
            without_end = [name in mechanism.force_states for name in mechanism.independent]
            self._limits = np.where(without_end, np.inf, (_ROOM * sizes) ** 2)
            self._coordinates = tuple(mechanism.independent)
        self._sensors = [sensor.name for sensor in sensors]
        self._owners = SensorChannels(sensors).owners
        self._are_single = len(self._owners) == len(sensors)    # a channel each
        self._bounds = [far_bound(size) for size in range(max(len(self._owners), 1) + 1)]
        limits = np.array([_limits(len(sensor.channels), sensor.rate) for sensor in sensors])
        limits = limits.reshape(-1, 5)
        self._note = bound(
            note_readings, (limits, _MEMORY, _SHORTEST, _NOTHING,
                            np.nextafter(limits[:, LOST], np.inf)),
            float64[::1], int64[:, ::1], int64[:, ::1], int64[::1], boolean[:, ::1],
            boolean[::1], int64, boolean)

    def new_state(self) -> LostState:
        """Return the LostState of before all readings."""
        k = len(self._sensors)
        return LostState(np.zeros(k), np.zeros((2, k), np.int64), np.zeros((2, k), np.int64),
                         np.full(k, -1, np.int64))

    def require_near(self, before: FloatArray, after: FloatArray) -> None:
        """Raise ValueError where z (g) moves, within a step, by more than the mechanism is large.
        """
        far = ~(np.abs(after - before) <= np.sqrt(self._limits))
        if far.any():
            raise ValueError('zd: moves the mechanism out of its room within a step of the model')

    def saw(self, state: LostState, stamp: int, innovation: Innovation,
            unused: Collection[str] = ()) -> None:
        """Note the Innovation of a stamp [ns]; write by_readings and left_out of a LostState.

        unused: names of sensors whose readings the filter was not given, as they say nothing.
        """
        channels, _, _, _, rejected = innovation
        far = self._far(innovation)
        if state.is_clean and not len(rejected) and not far and not unused:
            state.seen[self._owners[channels]] = stamp
            return
        bad = np.zeros(state.row.shape, bool)
        bad[1, far] = True
        if len(rejected):
            bad[:, self._owners[rejected]] = True
        bad[0, [self._sensors.index(name) for name in unused]] = True
        there = bad.any(axis=0)
        there[self._owners[channels]] = True
        is_lost = self._note(state.shares, state.row, state.since, state.seen, bad, there, stamp,
                             bool(state.by_readings))
        state.is_clean = not (state.shares.any() or state.row.any())
        state.by_readings = state.left_out = ''
        if bad[0].any():
            state.left_out = f'{self._names(bad[0])}: all readings left out'
        if is_lost:
            state.by_readings = (f'many readings of {self._names(bad[1])} are far from their '
                                 'prediction')

    def _names(self, chosen: np.ndarray) -> str:
        """Return the names of the sensors that are chosen (k), as text."""
        return ', '.join(name for name, one in zip(self._sensors, chosen, strict=True) if one)

    def _far(self, innovation: Innovation) -> list[int]:
        """Return the indices of the sensors whose readings of an Innovation are far off."""
        channels, residual, covariance, nis, _ = innovation
        if nis <= self._bounds[1]:      # no sensor's own is larger than the total
            return []
        if self._are_single:
            with np.errstate(all='ignore'):     # r' S^-1 r; infinite for wild readings
                squares = residual * (residual / covariance.diagonal())
            return self._owners[channels][
                ~((squares >= 0.0) & (squares <= self._bounds[1]))].tolist()
        owners, far = self._owners[channels], []
        for sensor in np.unique(owners):
            own = np.flatnonzero(owners == sensor)
            square = _normalized_square(residual[own], covariance[np.ix_(own, own)])
            if not square <= self._bounds[len(own)]:
                far.append(sensor)
        return far

    def problem(self, state: LostState, estimate: Estimate) -> str:
        """Return why the present Estimate is lost, in words; empty if it is not."""
        return self.of_readings(state) or self.far_off(estimate)

    @staticmethod
    def of_readings(state: LostState) -> str:
        """Return why an estimate is lost by its readings alone, in words; empty if it is not."""
        return '; '.join(filter(None, (state.by_readings, state.left_out)))

    def far_off(self, estimate: Estimate) -> str:
        """Return in words which parts of an Estimate may be anywhere by its covariance."""
        z, variances = estimate.z, estimate.covariance.diagonal()
        # Also what is not a number
        far = ~((variances[:len(z)] <= self._limits) & np.isfinite(z))
        if far.any():
            names = ', '.join(name for name, one in zip(self._coordinates, far, strict=False)
                              if one)
            return f'{names or "z"} may be anywhere: the deviation is larger than the mechanism'
        return ''


def far_bound(channels: int) -> float:
    """Return from which normalized square on an innovation of so many channels is far off.

    Right ones exceed it with a chance of 6e-7, of many channels less: noise three times as large
    as declared exceeds it in half of the readings at most, or no share would separate it from lost.
    """
    channels = max(channels, 1)
    return max(chi_square_bound(channels, chi_square_tail(1, _FAR ** 2)),
               _TOLERATED ** 2 * chi_square_bound(channels, 0.5))


def far_share(noise: float, channels: int) -> float:
    """Return the share of readings far off, of noise so many times as large as declared."""
    return chi_square_tail(channels, far_bound(channels) / noise ** 2)


def enough_events(above: float, share: float, chance: float, longest: int) -> int:
    """Return how many events are the last that happen in a larger share than `above` by chance.

    That is with a chance of more than `chance`, where each happens with a chance of `share`; at
    most `longest`.
    """
    # Chernoff's bound: no larger number does.
    apart = above * log(above / share) + (
        (1.0 - above) * log((1.0 - above) / (1.0 - share)) if above < 1.0 else 0.0)
    count = min(int(-log(chance) / apart) + 1, longest)
    while count_tail(int(above * count) + 1, count, share) <= chance and count > 1:
        count -= 1
    return count


@cache
def _limits(channels: int, rate: float) -> tuple[float, float, float, float, float]:
    """Return the limits of a sensor with so many channels at a rate [Hz], see note_readings.

    A mean that fades by a weight w with every reading is as good as a mean of 2 / w - 1 readings.
    """
    lost = far_share(_WRONG, channels)
    right = max(far_share(_TOLERATED, channels), _OUTLIERS)
    most = 2.0 / (enough_events(lost, right, _CHANCE, _LONGEST) + 2.0)
    silence = max(_MEMORY, 10.0 * NANOSECONDS / rate)
    return most, log(_CHANCE) / log(right), lost, right, silence


@np.errstate(over='ignore', invalid='ignore')           # infinite for wild readings
def _normalized_square(residual: FloatArray, covariance: FloatArray) -> float:
    """Return r' S^-1 r; not a number if there is none."""
    try:
        square = residual @ np.linalg.solve(covariance, residual)
    except np.linalg.LinAlgError:
        return np.nan
    return square if square >= 0.0 else np.nan
