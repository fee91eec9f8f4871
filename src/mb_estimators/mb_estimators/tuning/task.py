"""The task of tuning: a filter of a mechanism and its sensors, on recordings."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
import math
from typing import Any

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.machine_noise import machine_defaults
from mb_estimators.observation import log_likelihood, observe
from mb_estimators.plugins import filter_class, make_filter
from mb_estimators.recording.recording import ERRORS, Recording, Track
from mb_model import Mechanism, SettingError
from mb_sensors import NoiseSettings, Sensor

_DECADES = 3            # searched above and below a default without another range
_AT_END = 0.01          # of a range
_DIGITS = 4             # of a tuned number; more would be noise


@dataclass(frozen=True)
class Dimension:
    """A setting by its name, and the values that it may have.

    low, high: the range of a number, both included; logarithmic: searched by its order of
    magnitude; whole: in whole numbers; choices: all values of a setting that is no number; listed:
    the number stands for all of a list, whose only item it is.
    """

    name: str
    low: float = 0.0
    high: float = 0.0
    logarithmic: bool = False
    whole: bool = False
    choices: tuple = ()
    listed: bool = False

    @property
    def bounds(self) -> tuple[float, float]:
        """The range of the coordinate."""
        if self.choices:
            return 0.0, len(self.choices) - 1.0
        return self._coordinate(self.low), self._coordinate(self.high)

    @property
    def steps(self) -> bool:
        """Whether the coordinate is a whole number."""
        return self.whole or bool(self.choices)

    def value(self, coordinate: float) -> Any:
        """Return the value of the setting at a coordinate."""
        if self.choices:
            return self.choices[round(coordinate)]
        if self.whole:
            return round(coordinate)
        number = 10.0 ** coordinate if self.logarithmic else float(coordinate)
        number = min(max(float(f'{number:.{_DIGITS}g}'), self.low), self.high)
        return (number,) if self.listed else number

    def coordinate(self, value: Any) -> float:
        """Return the coordinate of a value, or of the nearest end if it is out of range.

        Of a list: of its mean; of an empty one: the middle.
        """
        if self.choices:
            return float(self.choices.index(value)) if value in self.choices else 0.0
        if self.listed:
            if not value:
                return 0.5 * sum(self.bounds)
            value = float(np.mean(value))
        return self._coordinate(min(max(value, self.low), self.high))

    def ends_at(self, value: Any) -> bool:
        """Return whether a number lies at an end of its range: outside there may be better ones."""
        low, high = self.bounds
        here = self.coordinate(value)
        return not self.choices and min(here - low, high - here) <= _AT_END * (high - low)

    def _coordinate(self, number: float) -> float:
        return math.log10(number) if self.logarithmic else float(number)


def dimension(name: str, kind: type, description: Any, default: Any, limits: Any = None):
    """Return the Dimension of a setting.

    kind, description: from Settings.describe; limits: (low, high) or choices; None: all
    choices, the declared range where it has two ends, else three orders of magnitude around a
    positive default.  A list in which one number stands for all is searched as this number.
    Raises SettingError.
    """
    if kind is bool or kind is str:
        return Dimension(name, choices=_choices(name, kind, description, limits))
    listed = kind == tuple[float, ...] and description.one_for_all
    if listed:
        kind, default = float, float(np.mean(default)) if default else None
    if kind not in (float, int):
        raise SettingError(f'{name}: a list of which each value has its own meaning cannot be '
                           'varied, expected a number, a text with choices, true or false, or a '
                           'list in which one number stands for all')
    lowest = description.above if description.above is not None else description.at_least
    if limits is None:
        limits = _natural(name, kind, description, lowest, default)
    low, high = _range(name, kind, description, limits)
    logarithmic = kind is float and low > 0.0 and lowest is not None
    return Dimension(name, low, high, logarithmic, kind is int, listed=listed)


def _choices(name: str, kind: type, description: Any, limits: Any):
    """Return the choices of a text or truth value."""
    known = (False, True) if kind is bool else description.choices
    chosen = known if limits is None else tuple(limits)
    strangers = [choice for choice in chosen if choice not in known]
    if strangers or len(chosen) < 2:
        raise SettingError(f'{name}: {strangers[0] if strangers else list(chosen)!r}: expected at '
                           f'least two of {", ".join(map(str, known))}')
    return chosen


def _natural(name: str, kind: type, description: Any, lowest: float | None, default: Any):
    """Return the (low, high) that a setting's declaration suggests."""
    highest = description.at_most
    if lowest is not None and lowest >= 0.0 and kind is float and default:
        low, high = default * 10.0 ** -_DECADES, default * 10.0 ** _DECADES
        return max(low, lowest), high if highest is None else min(high, highest)
    if None in (description.at_least, highest):
        raise SettingError(f'{name}: needs a range, as {name}=LOW:HIGH')
    return description.at_least, highest


def _range(name: str, kind: type, description: Any, limits: Any):
    """Return limits as (low, high), checked."""
    try:
        low, high = (kind(limit) for limit in limits)
    except (TypeError, ValueError):
        raise SettingError(f'{name}: {limits!r} must be a range LOW:HIGH') from None
    for limit in (low, high):
        if objection := description.objection(limit):
            raise SettingError(f'{name}: {limit:g} must be {objection}')
    if not low < high:
        raise SettingError(f'{name}: {low:g}:{high:g} must be an increasing range')
    return low, high


CRITERIA = ('likelihood', *ERRORS)


@dataclass(frozen=True)
class Task:
    """A search for settings with a small loss.  Can be sent to other processes and machines.

    settings: of the filter that differ from its defaults; criterion: one of CRITERIA.
    A setting is called by its name, noise that the filter expects of a sensor by
    `<sensor>.<setting>`.  Raises FilterError where the criterion cannot be judged.
    """

    filter: str
    mechanism: Mechanism
    sensors: tuple[Sensor, ...]
    dt: float
    recordings: tuple[Recording, ...]
    criterion: str = 'likelihood'
    settings: dict = field(default_factory=dict)

    def __post_init__(self):
        if self.criterion not in CRITERIA:
            raise FilterError(f'criterion: {self.criterion}: unknown, expected one of '
                              f'{", ".join(CRITERIA)}')
        if not self.recordings:
            raise FilterError('recordings: at least one is needed')
        if self.criterion in ERRORS and any(r.truth is None for r in self.recordings):
            raise FilterError(f'criterion: {self.criterion}: needs the true motion, which is not '
                              'recorded')

    def loss(self, values: Any, index: int) -> float:
        """Return the loss with values of settings on the recording of an index.

        The error, or minus the log-likelihood per reading; infinite if the filter diverges.
        """
        try:
            return self.checked_loss(values, index)
        except (ArithmeticError, ValueError):      # filters of other packages may raise anything
            return np.inf

    def checked_loss(self, values: Any, index: int) -> float:
        """Return the loss; raises ValueError in the user's words, DivergenceError."""
        sensors, tuning = self._with(values)
        recording = self.recordings[index]
        observer = make_filter(self.filter, self.mechanism, sensors, self.dt, **tuning)
        observed = observe(observer, recording.stamps, recording.readings, self.dt,
                           recording.inputs)
        if self.criterion == 'likelihood':
            return -log_likelihood(recording.readings, observed)
        track = recording.judge(Track(observed.z, observed.zd, observed.zdd, observed.turns))
        error = float(np.mean(getattr(track, self.criterion)))
        if np.isnan(error):
            raise FilterError(f'criterion: {self.criterion}: the recording is too short')
        return error

    def _with(self, values: Any):
        """Return the Sensors and the settings of the filter with values of settings."""
        noise, tuning = {}, dict(self.settings)
        for name, value in values.items():
            sensor, dot, quantity = name.rpartition('.')
            if dot:
                noise.setdefault(sensor, {})[quantity] = value
            else:
                tuning[name] = value
        return [s.with_settings(replace(s.settings, **noise.get(s.name, {})))
                for s in self.sensors], tuning

    def dimensions(self, vary: Mapping[str, Any]):
        """Return the Dimensions of settings, {name: limits or None}.  Raises SettingError."""
        return [dimension(name, *self._description(name), limits)
                for name, limits in vary.items()]

    def value(self, name: str) -> Any:
        """Return the value that a setting has before it is tuned."""
        return self._description(name)[2]

    def _description(self, name: str):
        """Return type, Description and present value of a setting."""
        sensor, dot, quantity = name.rpartition('.')
        if dot:
            owners = {s.name: (NoiseSettings, vars(s.settings)) for s in self.sensors}
            if sensor not in owners:
                raise SettingError(f'{name}: {sensor}: expected one of {", ".join(owners)}')
            owner, values = owners[sensor]
        else:
            plugin = filter_class(self.filter)
            owner = plugin.Settings
            values = owner.defaults() | machine_defaults(
                plugin, self.mechanism, self.settings) | self.settings
        for known, kind, description in owner.describe():
            if known == quantity:
                return kind, description, values.get(known)
        raise SettingError(f'{name}: unknown setting, expected one of '
                           f'{", ".join(known for known, _, _ in owner.describe())}')
