"""Settings: frozen dataclasses that describe every tuning value once.

ROS parameters with descriptors, the validation of YAML, command line help and the tables in the
documentation are generated from these descriptions.
"""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
import math
from typing import Any, Self, cast, get_type_hints
from unicodedata import category

from mb_model.settings.parameter_yaml import scalar_of
from mb_model.settings.units import without_unit

INT64_MAX = 2 ** 63 - 1
LATEST = 2e9                # stamp to begin at [s]: what follows has room in the seconds of ROS
# Least number above zero and largest number by unit, of settings without closer bounds: nothing
# overflows or vanishes between them, neither in nanoseconds nor in squares and their products.
_LIMITS = {'s': (1e-9, 1e8), 'Hz': (1e-6, 1e5)}
_OTHER_LIMITS = 1e-30, 1e30
_LARGEST_INTEGER = 2 ** 31 - 1
_LONGEST_TEXT = 4096        # as the paths of Linux
_MOST_ITEMS = 1000          # of a list
_NO_TEXT = 'Cc', 'Cs'       # categories of Unicode: control characters, halves of characters
_KINDS = {float: 'a number', int: 'a whole number', bool: 'true or false', str: 'a text',
          tuple[float, ...]: 'a list of numbers', tuple[str, ...]: 'a list of texts'}


class SettingError(ValueError):
    """A value that a setting does not accept; the text names setting, value and expectation."""


@dataclass(frozen=True)
class Description:
    """What a setting is: its unit, range, choices and a sentence of help."""

    unit: str
    help: str
    above: float | None        # exclusive lower bound
    at_least: float | None     # inclusive bounds
    at_most: float | None
    choices: tuple[str, ...]
    grows: float = 0.0         # power of what a machine is measured by that the default grows with
    one_for_all: bool = False  # of a list of numbers: a single one stands for all

    def expectation(self) -> str:
        """Return the accepted range in words, empty if everything is accepted."""
        bounds = [f'{sign} {bound:g}' for sign, bound in (
            ('>', self.above), ('>=', self.at_least), ('<=', self.at_most)) if bound is not None]
        if self.choices:
            bounds.append('one of ' + ', '.join(self.choices))
        return ' and '.join(bounds)

    def range(self, kind: type[float]) -> tuple[float, float]:
        """Return (least, largest) of the numbers that are accepted; kind: float or int."""
        tiny, largest = self._limits if kind is float else (1, _LARGEST_INTEGER)
        largest = largest if self.at_most is None else self.at_most
        if self.at_least is not None:
            return kind(self.at_least), kind(largest)
        if self.above is None:
            return kind(-largest), kind(largest)
        if not self.above:
            return kind(tiny), kind(largest)
        return (math.nextafter(self.above, math.inf) if kind is float else int(self.above) + 1,
                kind(largest))

    def objection(self, number: float) -> str:
        """Return what a number that is not accepted must be, in words; empty if it is."""
        if not ((isinstance(number, int) or math.isfinite(number))     # which may be beyond floats
                and (self.above is None or number > self.above)
                and (self.at_least is None or number >= self.at_least)
                and (self.at_most is None or number <= self.at_most)):
            return self.expectation() or 'finite'
        least, largest = self.range(int if isinstance(number, int) else float)
        if number > largest:
            return f'<= {largest:g}'
        if number < least:
            return f'>= {least:g}'
        tiny = self._limits[0]
        return f'0 or >= {tiny:g}' if least == 0.0 < number < tiny else ''

    def text_meant(self, value: Any) -> Any:
        """Return the choice that YAML has made a truth value of, as `gate: off`; others as are."""
        if isinstance(value, bool):
            meant = [choice for choice in self.choices if scalar_of(choice) is value]
            return meant[0] if len(meant) == 1 else value
        return value

    def unit_problem(self, value: Any) -> str:
        """Return what to write for the first number with a unit of a value or list; '' if none.

        Without the name of the setting, in words.
        """
        items = value if isinstance(value, (list, tuple)) else (value,)
        numbers = ((item, without_unit(item)) for item in items if isinstance(item, str))
        return next((f'{shown(item)} must be a number without a unit'
                     f'{f" [{self.unit}]" if self.unit else ""}: write {number}'
                     for item, number in numbers if number), '')

    @property
    def _limits(self) -> tuple[float, float]:
        return _LIMITS.get(self.unit, _OTHER_LIMITS)


def setting(default: Any = MISSING, *, unit: str = '', help: str, above: float | None = None,
            at_least: float | None = None, at_most: float | None = None,
            choices: Iterable[str] = (), grows: float = 0.0, one_for_all: bool = False) -> Any:
    """Describe one field of a Settings class."""
    description = Description(unit, help, above, at_least, at_most, tuple(choices), grows,
                              one_for_all)
    return field(default=default, metadata={'description': description})


class Settings:
    """Base of settings classes; checks and converts every value when made.

    Raises SettingError naming the setting, its value and what was expected.
    """

    def __post_init__(self) -> None:
        for name, kind, description in self.describe():
            value = _converted(name, getattr(self, name), kind, description)
            _check(name, value, description)
            object.__setattr__(self, name, value)

    @classmethod
    def describe(cls) -> list[tuple[str, Any, Description]]:
        """Return (name, type, Description) of every setting, in order of definition."""
        kinds = get_type_hints(cls)
        return [(f.name, kinds[f.name], f.metadata['description']) for f in fields(cast(Any, cls))]

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return the default of every setting that has one, by name."""
        return {f.name: f.default for f in fields(cast(Any, cls)) if f.default is not MISSING}

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Make settings from a mapping, as read from YAML; raises SettingError for unknown keys."""
        known = [name for name, _, _ in cls.describe()]
        for name in values:
            if name not in known:
                raise SettingError(f'{name}: unknown setting, expected '
                                   + (f'one of {", ".join(known)}' if known else 'none'))
        missing = [name for name in known if name not in values and name not in cls.defaults()]
        if missing:
            raise SettingError(f'{missing[0]}: missing')
        return cls(**values)


def _converted(name: str, value: Any, kind: Any, description: Description) -> Any:
    """Return value as the declared type where that loses nothing."""
    if kind is str:
        value = description.text_meant(value)
        fits = isinstance(value, str)
    elif kind is bool:
        fits = isinstance(value, bool)
    elif kind is int:
        fits = isinstance(value, int) and not isinstance(value, bool)
    elif kind is float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool)
        value = _real(value) if fits else value
    else:
        item = float if kind == tuple[float, ...] else str
        fits = isinstance(value, (list, tuple)) and len(value) <= _MOST_ITEMS
        if fits:
            value = tuple(_converted(f'{name}[{i}]', v, item, description)
                          for i, v in enumerate(value))
    if not fits:
        raise SettingError(f'{name}: {shown(value)} must be {_KINDS[kind]}{_hint(kind, value)}')
    return value


def _real(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _hint(kind: Any, value: Any) -> str:
    """Return what helps where YAML has made something else of a text, or a list is too long.

    And where a number has a unit.
    """
    number = without_unit(value) if kind in (int, float) and isinstance(value, str) else ''
    if number:
        return f' without a unit: write {number}'
    if kind is str and isinstance(value, (bool, int, float)):
        return ': what YAML reads as something else needs quotes'
    return f', at most {_MOST_ITEMS}' if isinstance(value, (list, tuple)) else ''


def _check(name: str, value: Any, description: Description) -> None:
    """Raise SettingError unless the value, or every item of a list, is in range."""
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, str):
            good = not description.choices or item in description.choices
            expected = text_objection(item) if good else description.expectation()
        else:
            expected = '' if isinstance(item, bool) else description.objection(item)
        if expected:
            raise SettingError(f'{name}: {shown(item)} must be {expected}')


def text_objection(text: str) -> str:
    """Return what a text must be that is none, in words; empty if it is."""
    if len(text) > _LONGEST_TEXT:
        return f'at most {_LONGEST_TEXT} characters long'
    return 'a text without control characters' if any(
        category(character) in _NO_TEXT for character in text) else ''


def shown(value: object) -> str:
    """Return a short picture of a value for an error message."""
    try:
        text = repr(value)
    except ValueError:      # a whole number of thousands of digits
        return 'a number of too many digits'
    return text if len(text) <= 60 else text[:57] + '...'
