"""New settings of an estimator put in place while it runs."""

from dataclasses import dataclass, replace
from functools import partial

from mb_estimators.estimator_setup import EstimatorSettings, EstimatorSetup
from mb_estimators.retuning import retuned
from mb_estimators.stream import StreamSettings
from mb_estimators.watches.gating import GateSettings, left_out_by_chance, require_means
from mb_model import ModelErrors, Settings
from mb_sensors import NoiseSettings

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
