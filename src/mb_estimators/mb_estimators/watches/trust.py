"""Whether an estimate is to be relied on, by the readings that it was made of."""

from dataclasses import field

from mb_estimators.state import state_class
from mb_sensors import NANOSECONDS

_SILENT = 5.5             # periods without a reading


def longest_silence(rate):
    """Return how long [ns] nothing may come of a sensor with a rate [Hz] that is well."""
    return round(_SILENT / rate * NANOSECONDS)


@state_class
class TrustState:
    """Of each sensor the stamp of its last reading, and of its last bad one with what was wrong."""

    seen: dict[str, int] = field(default_factory=dict)
    bad: dict[str, tuple[int, str]] = field(default_factory=dict)

    def forget(self, sensor):
        """Be as if there had been no reading of a sensor."""
        self.seen.pop(sensor, None)
        self.bad.pop(sensor, None)

    def saw(self, stamp, sensors):
        """Note of which sensors there are readings."""
        self.seen.update(dict.fromkeys(sensors, stamp))

    def missed(self, stamp, sensor, what):
        """Note in words what is wrong with a reading of a sensor."""
        self.bad[sensor] = stamp, what


class Trust:
    """Says in words why an estimate is not to be trusted, as a function of stamps [ns]."""

    def __init__(self, rates, hold):
        """Set up for sensors by name with their rates [Hz]; hold [s]: after a bad reading."""
        self._longest = {name: longest_silence(rate) for name, rate in rates.items()}
        self._shortest = min(self._longest.values(), default=0)
        self._hold = round(hold * NANOSECONDS)

    def problem(self, state, stamp, switches, alarmed, lost=''):
        """Return what is wrong at a stamp, empty if nothing.

        switches: Switches of the sensors, of which those that are off may be silent; alarmed:
        innovations are too large; lost: why the estimate cannot be right, in words.
        """
        if not (alarmed or lost or state.bad) and self._nobody_silent(state, stamp):
            return ''
        off = switches.off
        found = [f'lost: {lost}'] if lost else []
        found += [f'silent: {name}' for name, longest in self._longest.items()
                  if name not in off and stamp - state.seen.setdefault(name, stamp) > longest]
        found += [f'{name} {what}' for name, (when, what) in state.bad.items()
                  if stamp - when <= self._hold]
        if alarmed and not lost:
            found.append('innovations are too large')
        return ', '.join(found)

    def _nobody_silent(self, state, stamp):
        """Return whether readings of all came within what would be a silence of the fastest one."""
        return (len(state.seen) == len(self._longest)
                and stamp - min(state.seen.values()) <= self._shortest)
