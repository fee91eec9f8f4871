"""New settings of an estimator put in place while it runs."""

from copy import deepcopy
from dataclasses import dataclass, fields, replace
from functools import partial

import numpy as np

from mb_estimators.estimator_setup import EstimatorSettings, EstimatorSetup
from mb_estimators.filter import FilterError, put_back
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.state import copied
from mb_estimators.stream import StreamSettings
from mb_estimators.watches.gating import GateSettings, left_out_by_chance, require_means
from mb_model import ModelErrors, SettingError, Settings
from mb_sensors import NoiseSettings

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


_CAN = {        # names of settings that can change, of classes of which not all can
    EstimatorSettings: ('publish_rate', 'wake_interval'),
    StreamSettings: ('reorder_window', 'late_estimates', 'longest_gap', 'sensor_timeout',
                     'nis_bound', 'nis_time', 'restart', 'input_rate', 'stuck_after',
                     'leave_out_repeats', 'distrust_time'),
    NoiseSettings: ('sigma', 'resolution', 'bias_sigma', 'bias_walk'),
    ModelErrors: (),
}


def fixed_settings(settings_class, prefix):
    """Return the names of the settings that cannot change while an estimator runs."""
    described = settings_class.describe()
    if settings_class in _CAN:
        return tuple(name for name, _, _ in described if name not in _CAN[settings_class])
    if settings_class is GateSettings:
        return ()
    if prefix == 'filter.':
        return tuple(name for name, kind, _ in described if kind not in (float, tuple[float, ...]))
    return tuple(name for name, _, _ in described)


@dataclass(frozen=True)
class _Tuning:
    """The tunable parts of an EstimatorSetup."""

    filter: Settings
    sensors: tuple
    stream: StreamSettings
    gates: dict


class EstimatorTuning:
    """Tunes the filter, the noise and gates of its sensors, and the stream of an EstimatorSetup."""

    def __init__(self, setup: EstimatorSetup):
        """Set up."""
        self._setup = setup

    def prepared(self, prefix, settings):
        """Return a function that applies settings with a name prefix; raises ValueError."""
        tuning = self._tuning(prefix, settings)
        self._filter(tuning)
        require_means(self._setup.filter, tuning.gates)
        return partial(self._put_in_place, prefix, settings)

    def _put_in_place(self, prefix, settings):
        """Continue with other settings; settings of other prefixes may just have changed, too."""
        setup, tuning = self._setup, self._tuning(prefix, settings)
        if isinstance(settings, EstimatorSettings):
            setup.settings = settings
            setup.begin()
            return
        filter_ = self._filter(tuning)
        setup.stream.retune(filter_, tuning.sensors, tuning.stream, tuning.gates)
        setup.filter, setup.tuning = filter_, tuning.filter
        setup.sensors, setup.stream_settings, setup.gates = (
            tuning.sensors, tuning.stream, tuning.gates)
        setup.window.expect(tuning.sensors)
        setup.window.by_chance = left_out_by_chance(tuning.gates)

    def _tuning(self, prefix, settings):
        """Return the present tuning with new settings in it."""
        s = self._setup
        tuning, sensor = _Tuning(s.tuning, s.sensors, s.stream_settings, s.gates), prefix[:-1]
        if isinstance(settings, EstimatorSettings):
            return tuning
        if isinstance(settings, StreamSettings):
            return replace(tuning, stream=settings)
        if isinstance(settings, GateSettings):
            return replace(tuning, gates=s.gates | {sensor: settings})
        if isinstance(settings, NoiseSettings):
            return replace(tuning, sensors=tuple(
                known.with_settings(settings) if known.name == sensor else known
                for known in s.sensors))
        return replace(tuning, filter=settings)

    def _filter(self, tuning):
        """Return the filter in its present state with a tuning, unchanged if it has this one."""
        if (tuning.filter, tuning.sensors) == (self._setup.tuning, self._setup.sensors):
            return self._setup.filter
        return retuned(self._setup.filter, self._setup.read(tuning.sensors), tuning.filter)
