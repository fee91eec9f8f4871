"""Settings: frozen dataclasses that describe every tuning value once.

ROS parameters with descriptors, the validation of YAML, command line help and the tables in the
documentation are generated from these descriptions.
"""

from dataclasses import MISSING, dataclass, field, fields
import math
from typing import Any, get_type_hints

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

    def expectation(self):
        """Return the accepted range in words, empty if everything is accepted."""
        bounds = [f'{sign} {bound:g}' for sign, bound in (
            ('>', self.above), ('>=', self.at_least), ('<=', self.at_most)) if bound is not None]
        if self.choices:
            bounds.append('one of ' + ', '.join(self.choices))
        return ' and '.join(bounds)

    def accepts(self, number):
        """Tell whether a finite number lies in the range."""
        return (math.isfinite(number)
                and (self.above is None or number > self.above)
                and (self.at_least is None or number >= self.at_least)
                and (self.at_most is None or number <= self.at_most))


def setting(default: Any = MISSING, *, unit='', help, above=None, at_least=None, at_most=None,
            choices=()):
    """Describe one field of a Settings class."""
    description = Description(unit, help, above, at_least, at_most, tuple(choices))
    return field(default=default, metadata={'description': description})


class Settings:
    """Base of settings classes; checks and converts every value when made.

    Raises SettingError naming the setting, its value and what was expected.
    """

    def __post_init__(self):
        for name, kind, description in self.describe():
            value = _converted(name, getattr(self, name), kind)
            _check(name, value, description)
            object.__setattr__(self, name, value)

    @classmethod
    def describe(cls):
        """Return (name, type, Description) of every setting, in order of definition."""
        kinds = get_type_hints(cls)
        return [(f.name, kinds[f.name], f.metadata['description']) for f in fields(cls)]

    @classmethod
    def defaults(cls):
        """Return the default of every setting that has one, by name."""
        return {f.name: f.default for f in fields(cls) if f.default is not MISSING}

    @classmethod
    def from_mapping(cls, values):
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


def _converted(name, value, kind):
    """Return value as the declared type where that loses nothing."""
    if kind is bool or kind is str:
        fits = isinstance(value, kind)
    elif kind is int:
        fits = isinstance(value, int) and not isinstance(value, bool)
    elif kind is float:
        fits = isinstance(value, (int, float)) and not isinstance(value, bool)
        value = float(value) if fits else value
    else:
        item = float if kind == tuple[float, ...] else str
        fits = isinstance(value, (list, tuple))
        if fits:
            value = tuple(_converted(f'{name}[{i}]', v, item) for i, v in enumerate(value))
    if not fits:
        raise SettingError(f'{name}: {value!r} must be {_KINDS[kind]}')
    return value


def _check(name, value, description):
    """Raise SettingError unless the value, or every item of a list, is in range."""
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, str):
            good = not description.choices or item in description.choices
        else:
            good = isinstance(item, bool) or description.accepts(item)
        if not good:
            expected = description.expectation() or 'finite'
            raise SettingError(f'{name}: {item!r} must be {expected}')
