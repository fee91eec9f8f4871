"""An estimator out of its settings, wherever these come from: parameters of a node or a file."""

from dataclasses import asdict, dataclass

from mb_estimators.consistency import ConsistencySettings, ConsistencyWindow
from mb_estimators.gating import GateSettings
from mb_estimators.interpolation import widened
from mb_estimators.plugins import filter_class, make_filter
from mb_estimators.stream import EstimateStream
from mb_estimators.stream_settings import StreamSettings
from mb_model.mechanism import load_mechanism
from mb_model.model_errors import ModelErrors, apply_model_errors
from mb_model.settings import Settings, setting
from mb_sensors import NoiseSettings, SensorError, sensors_of
from mb_sensors.sampling import Sampler


@dataclass(frozen=True)
class EstimatorSettings(Settings):
    """What is estimated, how, and from which sensors."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    estimator: str = setting('error_ekf', help='Name of a filter')
    sensors: tuple[str, ...] = setting(
        (), help='Sensors or sensor groups of the mechanism that the filter reads')
    publish_rate: float = setting(
        0.0, unit='Hz', at_least=0.0,
        help='How many estimates per second, by their stamps, are published at most; 0: all')


class EstimatorSetup:
    """What an estimator consists of.

    settings: EstimatorSettings; mechanism: as the filter has it; sensors: with the noise that the
    filter is to expect; stream: EstimateStream; window: ConsistencyWindow.
    """

    def __init__(self, settings_of, tell=lambda problem: None):
        """Make everything.

        settings_of: (Settings class, prefix='', defaults=None) -> settings; tell: as that of the
        stream.  Raises ValueError.
        """
        self.settings = settings_of(EstimatorSettings)
        stream_settings = settings_of(StreamSettings)
        errors = settings_of(ModelErrors, 'model_errors.')
        described = load_mechanism(self.settings.mechanism)
        self.mechanism = apply_model_errors(described, errors)
        self.sensors = _believed(described, self.settings.sensors, settings_of)
        tuning = settings_of(filter_class(self.settings.estimator).Settings, 'filter.')
        read = self.sensors
        if stream_settings.interpolate:
            read = widened(self.sensors, stream_settings.dt)
        self.filter = make_filter(self.settings.estimator, self.mechanism, read,
                                  stream_settings.dt, **asdict(tuning))
        start = self.mechanism.z0, self.mechanism.zd0
        gates = {sensor.name: settings_of(GateSettings, f'{sensor.name}.')
                 for sensor in self.sensors}
        self.stream = EstimateStream(
            self.filter, self.sensors, start, stream_settings, tell, gates)
        self.window = ConsistencyWindow(
            self.sensors, settings_of(ConsistencySettings, 'consistency.'))
        self._samplers = [      # of first estimates, and of others
            Sampler(self.settings.publish_rate) for _ in range(2)
        ] if self.settings.publish_rate else []
        self._judges = not stream_settings.interpolate      # innovations of lines are not white

    @property
    def channels(self):
        """Names of the channels of all sensors, in the order of the filter's readings."""
        return [channel for sensor in self.sensors for channel in sensor.channels]

    @property
    def takes_commands(self):
        """Tell whether commands of valves are inputs of the filter."""
        return getattr(self.filter, 'needs_hydraulics', False)

    def judged(self, steps):
        """Judge the innovations that Steps are the first to tell; yield those to be published."""
        for step in steps:
            if self._judges:
                self._judge(step)
            if self._is_due(step):
                yield step

    def _judge(self, step):
        if step.late is None:
            self.window.add(step.stamp, step.innovation)
        for late in step.late or ():
            self.window.add_late(*late)

    def _is_due(self, step):
        """Tell whether a Step is to be published, of those with late readings as many as others."""
        if not self._samplers:
            return True
        return self._samplers[step.late is not None].due(step.stamp) is not None


def _believed(mechanism, names, settings_of):
    """Return the Sensors, with the noise that settings say the filter is to expect."""
    if not names:
        known = [*mechanism.sensors, *mechanism.sensor_groups]
        raise SensorError(f'sensors: missing, expected some of {", ".join(known)}')
    return [
        sensor.with_settings(settings_of(NoiseSettings, f'{sensor.name}.', asdict(sensor.settings)))
        for sensor in sensors_of(mechanism, names)]
