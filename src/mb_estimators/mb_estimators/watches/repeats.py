"""Readings that repeat themselves exactly, where noise does not let them."""

from dataclasses import field
from math import log10

import numpy as np

from mb_estimators.state import state_class

_REMEMBERED = 12        # messages before a repeat that show what noise there is
_FINE = 0.125           # resolution, in deviations, of noise that counts as continuous
_FINEST = 1e-3          # resolution that is still discerned
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
    differences, is below an eighth of it.  So neither a coarse encoder counts, nor one that reads
    the same without noise, as at rest.  Nothing but zeros is what a drive that stands sends.
    """

    def __init__(self, sensors):
        """Set up for Sensors."""
        self._topics = {sensor.name: sensor.topic for sensor in sensors}
        self._sigmas = {sensor.name: (sensor.settings.variance ** 0.5,) * len(sensor.channels)
                        for sensor in sensors}

    def look(self, state, readings):
        """Note readings by sensor of an instant.

        Returns the names of the sensors whose readings are repeats, and the names of which that has
        just become certain.
        """
        messages = {}
        for name in readings:
            messages.setdefault(self._topics[name], []).append(name)
        repeated, certain = [], []
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

    def _is_repeated(self, state, key, names, values):
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


def _chance(rows, sigmas):
    """Return the logarithm of the chance that a message repeats the last of rows (k, channels)."""
    if len(rows) < _REMEMBERED or not rows[-1].any() or not np.isfinite(rows).all():
        return 0.0
    found = 0.0
    for channel, sigma in zip(rows.T, sigmas, strict=True):
        third, fourth = np.diff(channel, 3), np.diff(channel, 4)
        is_noise = (np.median(np.abs(third)) >= _NOISE * sigma > 0.0
                    and np.mean(fourth ** 2) >= _ROUGH ** 2 * np.mean(third ** 2))
        if is_noise:
            resolution = _resolution(np.diff(channel) / sigma)
            if resolution <= _FINE:
                found += log10(_AT_REST * max(resolution, _FINEST))
    return found


def _resolution(differences):
    """Return the largest number that divides differences, but for _FINEST (Euclid's algorithm)."""
    found = 0.0
    for other in np.abs(differences).tolist():
        larger, smaller = max(found, other), min(found, other)
        while smaller > _FINEST:
            rest = abs(larger - smaller * round(larger / smaller))
            larger, smaller = smaller, rest
        found = larger
    return found
