"""Whether an estimate is to be relied on, by the readings that it was made of."""

from mb_sensors.sampling import NANOSECONDS

_SILENT = 5.5             # periods without a reading


def longest_silence(rate):
    """Return how long [ns] nothing may come of a sensor with a rate [Hz] that is well."""
    return round(_SILENT / rate * NANOSECONDS)


class Trust:
    """Tells in words why an estimate is not to be trusted, as a function of stamps [ns]."""

    def __init__(self, rates, hold, off=()):
        """Set up for sensors by name with their rates [Hz].

        hold [s]: after a bad reading; off: names of those, now or later, that may be silent.
        """
        self._longest = {name: longest_silence(rate) for name, rate in rates.items()}
        self._shortest = min(self._longest.values(), default=0)
        self._hold = round(hold * NANOSECONDS)
        self._off = off
        self._seen, self._bad = {}, {}

    def remember(self):
        """Return all that has been noted, for recall."""
        return self._seen.copy(), self._bad.copy()

    def recall(self, memory):
        """Go back to where `remember` was called."""
        self._seen, self._bad = (noted.copy() for noted in memory)

    def forget(self, sensor):
        """Be as if there had been no reading of a sensor."""
        self._seen.pop(sensor, None)
        self._bad.pop(sensor, None)

    def saw(self, stamp, sensors):
        """Note of which sensors there are readings."""
        self._seen.update(dict.fromkeys(sensors, stamp))

    def missed(self, stamp, sensor, what):
        """Note in words what is wrong with a reading of a sensor."""
        self._bad[sensor] = stamp, what

    def problem(self, stamp, alarmed, lost=''):
        """Return what is wrong at a stamp, empty if nothing.

        alarmed: innovations are too large; lost: why the estimate cannot be right, in words.
        """
        if not (alarmed or lost or self._bad) and self._nobody_silent(stamp):
            return ''
        found = [f'lost: {lost}'] if lost else []
        found += [f'silent: {name}' for name, longest in self._longest.items()
                 if name not in self._off and stamp - self._seen.setdefault(name, stamp) > longest]
        found += [f'{name} {what}' for name, (when, what) in self._bad.items()
                  if stamp - when <= self._hold]
        if alarmed and not lost:
            found.append('innovations are too large')
        return ', '.join(found)

    def _nobody_silent(self, stamp):
        """Tell whether all have been heard within what would be a silence of the fastest one."""
        return (len(self._seen) == len(self._longest)
                and stamp - min(self._seen.values()) <= self._shortest)
