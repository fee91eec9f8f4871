"""The estimated error of a simulated motion, and what is said about it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism

TOLERANCE = 0.01        # rad, and sizes of the mechanism: an error beyond this is warned of


class IntegrationWarning(UserWarning):
    """A motion whose estimated error is beyond the tolerance."""


@dataclass(frozen=True)
class ErrorEstimate:
    """How far the positions of a motion may be off because its steps are finite.

    Angles count in radians, lengths in sizes of the mechanism (its longest body).  largest: of all
    coordinates and instants; coordinate, t [s]: of which and when.  growth: the most that one step
    added; growth_coordinate, growth_t [s]: to which and when.  step [s]: the longest step.
    lost: why the error is not known from t on, largest being infinite; empty if it is known.
    """

    largest: float
    coordinate: str
    t: float
    growth: float
    growth_coordinate: str
    growth_t: float
    step: float
    lost: str = ''

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Return the estimate of as_mapping; raises ValueError for other mappings."""
        try:
            return cls(**values)
        except TypeError:
            raise ValueError(f'error: {values!r}: not an estimate') from None

    def as_mapping(self) -> dict[str, Any]:
        """Return the estimate as plain numbers and texts."""
        return asdict(self)

    def words(self, mechanism: 'Mechanism') -> str:
        """Return the estimate as a text, in the units of a mechanism's coordinates."""
        if self.lost:
            return f'unknown from t = {self.t:g} s on: {self.lost}'
        growth = _in_units(mechanism, self.growth_coordinate, self.growth)
        return (f'about {self.size(mechanism)} at t = {self.t:g} s; one step adds up to {growth} '
                f'(t = {self.growth_t:g} s)')

    def size(self, mechanism: 'Mechanism') -> str:
        """Return the largest error as a text, in the units of a mechanism's coordinates."""
        return _in_units(mechanism, self.coordinate, self.largest)

    def problem(self, mechanism: 'Mechanism', tolerance: float = TOLERANCE) -> str:
        """Return what is wrong with a motion in words, empty if its error is in the tolerance."""
        if self.lost:
            return f'the error of steps of {self.step:g} s is not known: {self.lost}'
        if self.largest <= tolerance:
            return ''
        return (f'steps of {self.step:g} s are too long for this motion: its estimated error is '
                f'{self.size(mechanism)} at t = {self.t:g} s, more than '
                f'{_in_units(mechanism, self.coordinate, tolerance)}')


def _in_units(mechanism: 'Mechanism', coordinate: str, value: float) -> str:
    """Return an error of a coordinate, in radians or sizes of the mechanism, as a text."""
    unit = mechanism.unit(coordinate)
    scale = mechanism.model['scale'][0, mechanism.coordinates.index(coordinate)]
    return f'{value * scale:.2g} {unit} in {coordinate}'
