"""An estimator from its settings: parameters of a node, or a file."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypeVar

from mb_estimators.consistency.window import ConsistencySettings, ConsistencyWindow
from mb_estimators.filter import needs_hydraulics
from mb_estimators.filters.machine_noise import machine_defaults
from mb_estimators.observability.determined import undetermined_by, undetermined_text
from mb_estimators.papers import PAPERS, settings_as_in
from mb_estimators.plugins import filter_and_start, filter_class
from mb_estimators.recording.input_topic import input_topic
from mb_estimators.stream import EstimateStream, StreamSettings, widened
from mb_estimators.stream.step import Step
from mb_estimators.timeline import COMMANDS, READINGS, HeldInputs
from mb_estimators.watches.gating import GateSettings, left_out_by_chance
from mb_model import ModelErrors, Settings, apply_model_errors, load_mechanism, setting
from mb_sensors import NoiseSettings, Sampler, Sensor, SensorError, sensors_of

_Chosen = TypeVar('_Chosen', bound=Settings)


class SettingsOf(Protocol):
    """Makes settings of a class, from parameters of a node or a file."""

    def __call__(self, settings_class: type[_Chosen], prefix: str = '',
                 defaults: dict[str, Any] | None = None) -> _Chosen:
        """Return settings; defaults: values that replace the class's own."""


@dataclass(frozen=True)
class EstimatorSettings(Settings):
    """The mechanism, the filter and the sensors of an estimator."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    estimator: str = setting('error_ekf', help='Name of a filter')
    as_in: str = setting(
        '', choices=('', *PAPERS),
        help='Paper whose settings the filter and the stream of readings have where no others are '
             'given; empty: none')
    sensors: tuple[str, ...] = setting(
        (), help='Sensors or sensor groups of the mechanism that the filter reads')
    known_forces: str = setting(
        '', help='Topic of JointStates whose efforts act on degrees of freedom, by name, beside '
                 'the forces of the model; where motor_torque sensors have this topic, by the '
                 'names of their joints; empty: none')
    torques_are: str = setting(
        '', choices=('', COMMANDS, READINGS),
        help=f'What known_forces are: {COMMANDS}, held from their stamps on, or {READINGS}, '
             'measured at their stamps, for which estimates wait; default: commands on a topic '
             f'drive_torques, else {READINGS}')
    command_joints: tuple[str, ...] = setting(
        (), help='Joints, or degrees of freedom, in the order of the numbers on known_forces: then '
                 'these are Float64MultiArrays, as commands of an effort controller of '
                 'ros2_control, which act from their arrival on; empty: JointStates')
    publish_rate: float = setting(
        0.0, unit='Hz', at_least=0.0,
        help='How many estimates per second, by their stamps, are published at most; 0: all')
    status_rate: float = setting(
        0.0, unit='Hz', at_least=0.0,
        help='How many EstimatorStatus per second, by their stamps, are published at most; 0: one '
             'for every estimate')
    wake_interval: float = setting(
        0.0, unit='s', at_least=0.0, at_most=1.0,
        help='Shortest wall time between two wakes of its process, which takes all messages that '
             'wait; 0: it wakes for each')
    prediction_rate: float = setting(
        0.0, unit='Hz', at_least=0.0,
        help='How often the present is predicted and published as ~/predicted; 0: never')
    checkpoint: str = setting(
        '', help='File of the state, from which a killed node continues; empty: none')
    checkpoint_period: float = setting(
        1.0, unit='s', at_least=0.01, help='How often, by stamps, that file is written')


class EstimatorSetup:
    """The parts of an estimator.

    settings: EstimatorSettings; mechanism: as the filter has it; sensors: with the noise that the
    filter is to expect; tuning: the filter's settings; filter; stream_settings; gates: GateSettings
    by sensor; input_topic: InputTopic, None without inputs; stream: EstimateStream; window:
    ConsistencyWindow.
    """

    def __init__(self, settings_of: SettingsOf,
                 report: Callable[[str], object] = lambda problem: None) -> None:
        """Make everything.

        settings_of: (Settings class, prefix='', defaults=None) -> settings; report: as of the
        stream.  Raises ValueError.
        """
        self.settings = settings_of(EstimatorSettings)
        name = self.settings.estimator
        paper = settings_as_in(self.settings.as_in, name)
        self.stream_settings = settings_of(StreamSettings, defaults=paper.stream)
        errors = settings_of(ModelErrors, 'model_errors.')
        described = load_mechanism(self.settings.mechanism)
        self.mechanism = apply_model_errors(described, errors)
        self.sensors = _believed(described, self.settings.sensors, settings_of)
        self.gates = {sensor.name: settings_of(GateSettings, f'{sensor.name}.')
                      for sensor in self.sensors}
        plugin = filter_class(name)
        self.tuning = settings_of(plugin.Settings, 'filter.',
                                  machine_defaults(plugin, self.mechanism) | paper.settings)
        self.filter, self._bent_start = filter_and_start(
            name, self.mechanism, self.read(self.sensors),
            self.stream_settings.dt, asdict(self.tuning))
        if self.settings.known_forces and self.takes_commands:
            raise SensorError(f'known_forces: {name} takes commands of valves '
                              'as its inputs, no forces')
        self.input_topic = input_topic(self.mechanism, self.takes_commands,
                                       self.settings.known_forces, self.settings.torques_are,
                                       self.settings.command_joints)
        self.stream = EstimateStream(
            self.filter, self.sensors, (self.mechanism.z0, self.mechanism.zd0),
            self.stream_settings, report, self.gates,
            self.input_topic.inputs if self.input_topic else HeldInputs)
        self.window = ConsistencyWindow(
            self.sensors, settings_of(ConsistencySettings, 'consistency.'))
        self.window.by_chance = left_out_by_chance(self.gates)
        # by the names of sensors that are off
        self._undetermined: dict[frozenset[str], tuple[str, ...]] = {}
        self._judges = not self.stream_settings.interpolate  # innovations of lines are not white
        self.begin()

    def reset(self) -> None:
        """Put the filter at its initial state; forget how readings fitted before."""
        self.stream.reset()
        self.window.forget()
        self.begin()

    def begin(self) -> None:
        """Publish the next estimate, whatever its stamp."""
        rate = self.settings.publish_rate
        # of first estimates, and of others
        self._samplers = [Sampler(rate) for _ in range(2)] if rate else []
        self._status_sampler = Sampler(self.settings.status_rate)
        self._last: int | None = None

    def read(self, sensors: Sequence[Sensor]) -> tuple[Sensor, ...]:
        """Return Sensors as the filter takes them."""
        dt = self.stream_settings.dt
        return tuple(widened(sensors, dt) if self.stream_settings.interpolate else sensors)

    @property
    def channels(self) -> list[str]:
        """Names of the channels of all sensors, in the order of the filter's readings."""
        return [channel for sensor in self.sensors for channel in sensor.channels]

    @property
    def rate(self) -> float:
        """How many estimates a second are published at most [Hz]; late readings make new ones."""
        rate = self.settings.publish_rate or sum(sensor.rate for sensor in self.sensors)
        return 2.0 * rate if self.stream_settings.history_length else rate

    @property
    def undetermined(self) -> tuple[str, ...]:
        """Names of the degrees of freedom that the filter knows by its model alone at present.

        By the sensors that are on, judged once for each set of them; see
        observability.undetermined_by.
        """
        off = frozenset(self.stream.state.off)
        if off not in self._undetermined:
            self._undetermined[off] = undetermined_by(self.filter, self.mechanism, self._used)
        return self._undetermined[off]

    @property
    def reservation(self) -> str:
        """Return in words what readings do not determine, or is wrong with the start; else ''."""
        text = undetermined_text(self.undetermined, [sensor.name for sensor in self._used])
        return '; '.join(filter(None, (text, self._bent_start)))

    @property
    def _used(self):
        """The sensors that are on."""
        return [sensor for sensor in self.sensors if sensor.name not in self.stream.state.off]

    @property
    def takes_commands(self) -> bool:
        """Whether commands of valves are inputs of the filter."""
        return needs_hydraulics(self.filter)

    def judged(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Judge the innovations that Steps are the first to give; yield the Steps to publish."""
        for step in steps:
            if step.late is None:
                self._judge_impossible(step.stamp)
                if self._last is not None and step.stamp <= self._last:
                    self.begin()            # stamps have begun anew
                self._last = step.stamp
            if self._judges:
                self._judge(step)
            if self._is_due(step):
                yield step
        self._judge_impossible()

    def is_status_due(self, stamp: int) -> bool:
        """Return whether to publish the status of an estimate of a stamp [ns]; ask once."""
        rate = self.settings.status_rate
        return not rate or self._status_sampler.due(stamp) is not None

    def _judge_impossible(self, before=None):
        for stamp, innovation in self.stream.take_impossible(before):
            if self._judges:
                self.window.add(stamp, innovation)

    def _judge(self, step: Step) -> None:
        if step.late is None:
            self.window.add(step.stamp, step.innovation)
        for late in step.late or ():
            self.window.add_late(*late)

    def _is_due(self, step: Step) -> bool:
        """Return whether to publish a Step; Steps of late readings have a rate of their own."""
        if not self._samplers:
            return True
        return self._samplers[step.late is not None].due(step.stamp) is not None


def _believed(mechanism, names, settings_of):
    """Return the Sensors, with the noise that the filter expects by its settings."""
    if not names:
        known = [*mechanism.sensors, *mechanism.sensor_groups]
        raise SensorError(f'sensors: missing, expected some of {", ".join(known)}')
    return tuple(
        sensor.with_settings(settings_of(NoiseSettings, f'{sensor.name}.', asdict(sensor.settings)))
        for sensor in sensors_of(mechanism, names))
