"""How often readings come, by their stamps, beside the declared rates of their sensors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LEAST = 0.8             # share of the declared readings below which too few come
SPAN = 3.0              # of the stamps that a rate is found in, at least [s]
ENOUGH = 20             # readings that are due in it, at least
GAP = 10.0              # of these spans: that much between two readings is no loss of some
NANOSECOND = 1e-9
REASONS = ('readings are lost on the way (best effort under load), or the driver is slower than '
           'the mechanism file says (rate)')


@dataclass
class _Window:
    """Stamps since `begin` [ns]: the newest, and how many readings came after that."""

    begin: int
    newest: int
    count: int = 0


class ReadingRates:
    """Counts the readings of sensors over spans of their stamps."""

    def __init__(self, rates: Mapping[str, float]) -> None:
        """Set up for the declared rates [Hz] of sensors by name."""
        self._rates = dict(rates)
        self._spans = {name: max(SPAN, ENOUGH / rate) for name, rate in rates.items()}
        self.forget()

    def forget(self) -> None:
        """Count anew; stamps may begin anew."""
        self._windows: dict[str, _Window] = {}
        self._sparse: dict[str, float] = {}         # sensors that come too seldom -> their rate

    def saw(self, names: Sequence[str], stamp: int) -> None:
        """Note readings at a stamp [ns]; a name without a rate, as of inputs, does not count."""
        for name in filter(self._rates.__contains__, names):
            window = self._windows.get(name)
            if window is None or not window.begin <= stamp <= window.newest + self._gap(name):
                self._windows[name] = _Window(stamp, stamp)
            else:
                window.newest = max(window.newest, stamp)
                window.count += 1

    def _gap(self, name: str) -> float:
        """Return the longest gap [ns] between readings of one clock; a longer one is a leap."""
        return GAP * self._spans[name] / NANOSECOND

    def look(self) -> str:
        """Return which sensors come too seldom by their last span, and why, in words; or nothing.

        Of what is silent the last span counts.
        """
        for name, window in self._windows.items():
            span, declared = NANOSECOND * (window.newest - window.begin), self._rates[name]
            if span < self._spans[name]:
                continue
            rate = window.count / span
            if rate < LEAST * declared:
                self._sparse[name] = rate
            else:
                self._sparse.pop(name, None)
            self._windows[name] = _Window(window.newest, window.newest)
        if not self._sparse:
            return ''
        return ', '.join(f'{name}: {rate:.3g} of {self._rates[name]:.3g} readings a second come'
                         for name, rate in self._sparse.items()) + f': {REASONS}'
