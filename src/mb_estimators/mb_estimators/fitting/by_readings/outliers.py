"""Wild readings, which no noise explains: left out of a fit to readings, or said."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.fitting.by_readings.frozen import FrozenSystem, Likelihood
from mb_estimators.fitting.by_readings.scoring import Scored, most_likely
from mb_estimators.fitting.far_off import NOTED, far_off
from mb_estimators.fitting.fit_settings import FitError
from mb_estimators.recording.recording import Recording
from mb_model.arrays import BoolArray, FloatArray
from mb_sensors import Sensor

_AROUND = 3             # readings either side, of whose line a gross one is off,
_GROSS = 40.0           # by so many times what half are, here or anywhere, or the deviation
_ROUNDS = 30
_MANY = 0.2             # share of a sensor's readings: these are no single ones


def gross_readings(recording: Recording, sensors: Sequence[Sensor]) -> BoolArray:
    """Return which readings (k, c) are far off the line of their neighbours.

    By repeated medians (Siegel 1982; Davies, Fried and Gather 2004), which three wild ones of
    seven do not change.  Without a model: a filter that takes them in may not find back.
    """
    gross = np.zeros(recording.readings.shape, bool)
    for channel, owner in enumerate(SensorChannels(sensors).owners):
        there = np.flatnonzero(np.isfinite(recording.readings[:, channel]))
        if len(there) > 2 * _AROUND:
            away, spread = _off_lines(recording.t[there], recording.readings[there, channel])
            least = (float(np.median(away)), np.sqrt(sensors[owner].settings.variance),
                     _count_of(recording.readings[there, channel]))
            gross[there, channel] = away > _GROSS * np.maximum(spread, max(least))
    return gross


def innovation_sizes(likely: Likelihood) -> list[FloatArray]:
    """Return sizes of innovations (k, c) of recordings, in deviations, see far_off."""
    every = [nu / np.sqrt(s) for nu, s in likely.innovations]
    return np.split(far_off(np.concatenate(every)), np.cumsum([len(one) for one in every])[:-1])


def farthest(sizes: Sequence[FloatArray], limit: float) -> list[BoolArray]:
    """Return the largest of each run of sizes beyond a limit (k, c), by recording."""
    return [_largest_of_runs(one, limit) for one in sizes]


def outlying(system: FrozenSystem, scored: Scored, limit: float) -> list[BoolArray]:
    """Return which readings (k, c) of each recording are beyond a limit, in deviations.

    Of the innovations, whose deviations are by the median of their size, which outliers hardly
    change.  A wild reading spoils the innovations after it, so of each run of large ones the
    largest is left out, the noises are fitted anew, and so on.
    """
    wild = [np.zeros(part.path.y.shape, bool) for part in system.parts]
    for _ in range(_ROUNDS):
        more = farthest(innovation_sizes(scored.likelihood), limit)
        if not any(one.any() for one in more):
            break
        wild = [one | new for one, new in zip(wild, more, strict=True)]
        rest = _without(system, wild)
        scored = most_likely(rest, scored.noises, rest.all_counted, scored.logarithms)
    return wild


def taken_in(system: FrozenSystem, scored: Scored, gross: Sequence[BoolArray],
             sensors: Sequence[Sensor]) -> Iterator[str]:
    """Yield what is said of wild readings that a fit has counted; gross (k, c) of recordings."""
    sizes = innovation_sizes(scored.likelihood)
    far = [one | doubted & (size > NOTED)
           for one, doubted, size in zip(farthest(sizes, NOTED), gross, sizes, strict=True)]
    for name, count, whole in _counts(far, system, sensors):
        yield (f'{name}: {count} or more of {whole} readings are farther off than noise is '
               f'({NOTED:g} deviations of the rest), and its noise is larger by them; '
               '--readings outliers=5 leaves such readings out')


def left_out(system: FrozenSystem, wild: Sequence[BoolArray], sensors: Sequence[Sensor],
             limit: float) -> Iterator[str]:
    """Yield what is said of readings (k, c) that are left out; raises FitError if these are many.
    """
    for name, count, whole in _counts(wild, system, sensors):
        if count > _MANY * whole:
            raise FitError(
                f'{name}: {count} of {whole} readings are more than {limit:g} deviations off; '
                f'expected at most {100.0 * _MANY:g} %, single ones: the model is wrong, or the '
                'sensor')
        yield f'{name}: {count} of {whole} readings left out, more than {limit:g} deviations off'


def without(recordings: Sequence[Recording], wild: Sequence[BoolArray]) -> list[Recording]:
    """Return Recordings without wild readings (k, c)."""
    return [replace(one, readings=np.where(mask, np.nan, one.readings))
            for one, mask in zip(recordings, wild, strict=True)]


def _without(system: FrozenSystem, wild: Sequence[BoolArray]) -> FrozenSystem:
    """Return the system without wild readings along the same paths."""
    return replace(system, parts=tuple(
        replace(part, path=replace(part.path, y=np.where(mask, np.nan, part.path.y)))
        for part, mask in zip(system.parts, wild, strict=True)))


def _count_of(values: FloatArray) -> float:
    """Return the step in which values (k) are rounded, or less."""
    return float(np.diff(np.unique(values)).min(initial=np.inf)) if np.ptp(values) else 0.0


def _off_lines(t: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how far values (k) at t (k) are off the line of those around, and what half are."""
    count = 2 * _AROUND + 1
    first = np.clip(np.arange(len(t)) - _AROUND, 0, len(t) - count)
    rows = first[:, np.newaxis] + np.arange(count)
    x, y = t[rows] - t[:, np.newaxis], values[rows]
    slopes = [np.median(np.delete(y - y[:, [k]], k, 1) / np.delete(x - x[:, [k]], k, 1), axis=1)
              for k in range(count)]
    lines = y - np.median(slopes, axis=0)[:, np.newaxis] * x
    level = np.median(lines, axis=1)
    return np.abs(values - level), np.median(np.abs(lines - level[:, np.newaxis]), axis=1)


def _largest_of_runs(sizes: FloatArray, limit: float) -> BoolArray:
    """Return the largest of sizes (k, c) in each run of instants with one beyond a limit."""
    chosen = np.zeros(sizes.shape, bool)
    large = np.flatnonzero(sizes.max(axis=1) > limit)
    for run in np.split(large, np.flatnonzero(np.diff(large) > 1) + 1):
        if len(run):
            row, channel = np.unravel_index(np.argmax(sizes[run]), sizes[run].shape)
            chosen[run[row], channel] = True
    return chosen


def _counts(chosen: Sequence[BoolArray], system: FrozenSystem, sensors: Sequence[Sensor]
            ) -> Iterator[tuple[str, int, int]]:
    """Yield (sensor, how many are chosen of its readings, how many these are).

    Of a sensor with several channels what an instant gives is one reading.
    """
    for name, channels in SensorChannels(sensors).slices.items():
        count = sum(int(one[:, channels].any(axis=1).sum()) for one in chosen)
        if count:
            yield name, count, sum(
                int((one | np.isfinite(part.path.y))[:, channels].any(axis=1).sum())
                for one, part in zip(chosen, system.parts, strict=True))
