"""Readings that repeat themselves: exactly, where noise does not let them, or while others move."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from math import log10

import numpy as np

from mb_estimators.filter import Innovation
from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.state import state_class
from mb_model.arrays import FloatArray
from mb_sensors import Sensor

_REMEMBERED = 12        # messages before a repeat that show what noise there is
_FINE = 0.125           # resolution, in deviations, of noise that counts as continuous
_FINEST = 1e-3          # resolution that is still discerned
_SAME = 0.03            # difference of two readings, in deviations, that a log may have rounded off
_PAIRS = 3, 5           # of the last messages that are the same: few of white noise, many of steps
_NOISE = 0.5            # median third difference, in deviations; 3 of white noise
_ROUGH = 1.3            # fourth differences beside third ones; 1.9 of white noise, less of a motion
_AT_REST = 0.282        # chance of a repeat of white noise per deviation of resolution
_IMPOSSIBLE = -6.0      # chance of repeats, logarithm to base 10


@state_class
class RepeatState:
    """Of each message, by the names of its sensors: what came, and how often the last came again.

    recent: the last messages, all channels in a row; repeats: how often the last was repeated;
    chance: of one repeat by chance, logarithm to base 10; named: messages that have been reported.
    """

    recent: dict[str, tuple[tuple[float, ...], ...]] = field(default_factory=dict)
    repeats: dict[str, int] = field(default_factory=dict)
    chance: dict[str, float] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)


class RepeatWatch:
    """Leaves out messages that repeat all numbers of those before, until one of them changes.

    White noise of a deviation s that is rounded to a small r repeats itself with a chance of
    r / (2 sqrt(pi) s); two channels together with the product, and so do repeats in a row: two at
    least, with a chance of a millionth at most, are no chance.  Channels count whose last messages
    show noise of the declared size, by differences of third and fourth order, in which a smooth
    motion is next to nothing, and whose resolution, the largest number that divides their
    differences, is below an eighth of it.  A log that rounds what a coarse encoder reads hides its
    resolution, but not how many readings are the same.  So neither a coarse encoder counts, nor one
    that reads the same without noise, as at rest.  Nothing but zeros is what a drive that stands
    sends.
    """

    def __init__(self, sensors: Sequence[Sensor]) -> None:
        """Set up for Sensors."""
        self._topics = {sensor.name: sensor.topic for sensor in sensors}
        self._sigmas = {sensor.name: (sensor.settings.variance ** 0.5,) * len(sensor.channels)
                        for sensor in sensors}

    def look(self, state: RepeatState, readings: Mapping[str, Sequence[float]],
             ) -> tuple[list[str], list[str]]:
        """Note readings by sensor of an instant.

        Returns the names of the sensors whose readings are repeats, and the names of which that has
        just become certain.
        """
        messages: dict[str, list[str]] = {}
        for name, topic in self._topics.items():    # whatever the order in which they came
            if name in readings:
                messages.setdefault(topic, []).append(name)
        repeated: list[str] = []
        certain: list[str] = []
        for names in messages.values():
            key = ' '.join(names)
            values = tuple(value for name in names for value in readings[name])
            if not self._is_repeated(state, key, names, values):
                continue
            if state.repeats[key] < 2 or state.repeats[key] * state.chance[key] > _IMPOSSIBLE:
                continue
            repeated += names
            if key not in state.named:
                state.named.add(key)
                certain += names
        return repeated, certain

    def _is_repeated(self, state: RepeatState, key: str, names: Sequence[str],
                     values: tuple[float, ...]) -> bool:
        """Note a message; return whether it repeats the last one."""
        recent = state.recent.get(key, ())
        if recent and recent[-1] == values:
            if state.repeats.get(key, 0) == 0:
                sigmas = [sigma for name in names for sigma in self._sigmas[name]]
                state.chance[key] = _chance(np.array(recent), sigmas)
            state.repeats[key] = state.repeats.get(key, 0) + 1
            return True
        if state.repeats.get(key):
            state.repeats[key] = 0
            state.named.discard(key)
            recent = ()             # what was repeated says nothing of noise
        state.recent[key] = (*recent[1 - _REMEMBERED:], values)
        return False


def _chance(rows: FloatArray, sigmas: Sequence[float]) -> float:
    """Return the logarithm of the chance that a message repeats the last of rows (k, channels)."""
    if len(rows) < _REMEMBERED or not rows[-1].any() or not np.isfinite(rows).all():
        return 0.0
    chance = 0.0
    for channel, sigma in zip(rows.T, sigmas, strict=True):
        third, fourth = np.diff(channel, 3), np.diff(channel, 4)
        is_noise = (np.median(np.abs(third)) >= _NOISE * sigma > 0.0
                    and np.mean(fourth ** 2) >= _ROUGH ** 2 * np.mean(third ** 2))
        if is_noise:
            resolution = _resolution(np.diff(channel) / sigma)
            pairs = np.abs(channel[:, None] - channel)[np.triu_indices(len(channel), 1)] / sigma
            same = int(np.sum(pairs <= _SAME))
            few, many = _PAIRS
            if resolution <= _FINE and same <= many:
                chance += log10(max(_AT_REST * max(resolution, _FINEST),
                                    same / len(pairs) if same > few else 0.0))
    return chance


def _resolution(differences: FloatArray) -> float:
    """Return the largest number that divides differences, but for _FINEST (Euclid's algorithm)."""
    divisor = 0.0
    for other in np.abs(differences).tolist():
        larger, smaller = max(divisor, other), min(divisor, other)
        while smaller > _FINEST:
            rest = abs(larger - smaller * round(larger / smaller))
            larger, smaller = smaller, rest
        divisor = larger
    return divisor


_DEVIATIONS = 4.0         # of an innovation that a repeated reading cannot have


@state_class
class StuckState:
    """The last values of each sensor, how often they came in a row, and which sensors stick."""

    last: dict[str, tuple[float, ...]] = field(default_factory=dict)
    repeated: dict[str, int] = field(default_factory=dict)
    stuck: set[str] = field(default_factory=set)


class StuckWatch:
    """Leaves readings of a sensor out that are repeated where they can no longer be true.

    A sensor may repeat itself: at rest, or for its resolution.  It sticks when it has done so often
    enough, and its innovation has become too large; until it reads anything else.
    watches: whether there is anything to ask it.
    """

    def __init__(self, channels: SensorChannels, repetitions: int) -> None:
        """Set up for the channels of sensors; repetitions: 0 for never."""
        self._channels, self._enough = channels, repetitions
        self.watches = repetitions > 0

    def sticks(self, state: StuckState, sensor: str, values: Sequence[float]) -> bool:
        """Add a reading; return whether it is to be left out."""
        values = tuple(values)
        if state.last.get(sensor) != values:
            state.repeated[sensor] = 0
            state.stuck.discard(sensor)
        state.last[sensor] = values
        state.repeated[sensor] += 1
        return sensor in state.stuck

    def check(self, state: StuckState, innovation: Innovation) -> list[str]:
        """Look at how the last readings fitted; return the sensors that stick from now on."""
        bounds = _DEVIATIONS ** 2 * innovation.covariance.diagonal()
        far = self._channels.names(innovation.channels[innovation.residual ** 2 > bounds])
        sticking = [name for name in far if state.repeated.get(name, 0) > self._enough
                    and name not in state.stuck]
        state.stuck.update(sticking)
        return sticking
