"""A running filter with other settings, in the state in which it is."""

from copy import deepcopy
from dataclasses import fields

import numpy as np

from mb_estimators.filter import FilterError, put_back
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.state import copied
from mb_model import SettingError

# Settings of sensors that make states of what they are not exact in.
_STATES_OF_SENSORS = {'mounting_sigma': 'mounting', 'scale_sigma': 'sensitivity',
                      'misalignment_sigma': 'misalignment',
                      'bias_sigma': 'bias'}


def retuned(filter_, sensors, settings):
    """Return a filter like a running one, in its state, with other Sensors and settings.

    Values unchanged since the start of the running filter come from its settings, and take the new
    settings; everything else is its state, and stays.  Only numbers may differ, and sensors in
    the numbers of their noise.  Raises FilterError for others and for filters that cannot do this,
    SettingError, SensorError.
    """
    if not isinstance(filter_, ModelFilter):
        raise FilterError(f'{type(filter_).__name__} cannot be tuned while it runs')
    require_numbers(filter_.settings, settings)
    for old, new in zip(filter_.sensors, sensors, strict=True):
        for name, what in _STATES_OF_SENSORS.items():
            if (getattr(old.settings, name) > 0.0) != (getattr(new.settings, name) > 0.0):
                raise SettingError(f'{old.name}: whether a {what} is estimated cannot change '
                                   'while the filter runs')
    mechanism = deepcopy(filter_.mechanism)     # whose model may be in the hands of the filter
    begun = type(filter_)(deepcopy(mechanism), filter_.sensors, filter_.dt, filter_.settings)
    tuned = type(filter_)(mechanism, sensors, filter_.dt, settings)
    parts = [copied(one.state) for one in (filter_, begun, tuned)]
    put_back(tuned, {name: _carried_over(*(part[name] for part in parts)) for name in parts[0]})
    return tuned


def require_numbers(old, new, fixed=()):
    """Raise SettingError if settings differ in others than numbers, or in fixed ones."""
    for field in fields(old):
        before, after = getattr(old, field.name), getattr(new, field.name)
        numbers = before if isinstance(before, tuple) else (before,)
        free = field.name not in fixed and all(isinstance(number, float) for number in numbers)
        if before != after and not free:
            raise SettingError(f'{field.name}: cannot change while the filter runs')


def _carried_over(running, begun, tuned):
    """Return the array of a running filter, with a tuned one's values where nothing has changed."""
    words = [array.view(np.uint64) for array in (running, begun, tuned)]
    return np.where(words[0] == words[1], words[2], words[0]).view(running.dtype)
