"""The estimator: stamped readings in, the whole state of the mechanism with its uncertainty out."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from rosidl_runtime_py.utilities import get_message

from mb_estimators.checkpoint import Checkpoint
from mb_estimators.estimator_setup import EstimatorSettings, EstimatorSetup
from mb_estimators.estimator_tuning import EstimatorTuning, fixed_settings
from mb_estimators.nodes.estimate_messages import EstimateMessages
from mb_estimators.nodes.estimator_health import EstimatorHealth
from mb_estimators.nodes.estimator_services import EstimatorServices
from mb_estimators.recording.input_topic import InputTopic
from mb_estimators.stream import StreamSettings
from mb_estimators.stream.instant_run import INPUTS
from mb_estimators.stream.step import Step
from mb_interfaces.msg import MechanismState
from mb_model.file_api import import_notes
from mb_ros.diagnostics import Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import COMMAND_QOS, OVERRIDABLE, STREAM_QOS, stream_qos
from mb_ros.stamps import nanoseconds
from mb_sensors import SensorTopic, by_topic
from mb_sensors.command_api import reading_type


class PresentEstimate:
    """Predicts from the last readings to now, on a timer, and publishes that as ~/predicted."""

    def __init__(self, node: ManagedNode, setup: EstimatorSetup,
                 messages: EstimateMessages) -> None:
        """Set up for a node with its EstimatorSetup and EstimateMessages."""
        self._now, self._setup, self._messages = node.believed_time, setup, messages
        self._publisher = node.create_lifecycle_publisher(
            MechanismState, '~/predicted', stream_qos(setup.settings.prediction_rate))
        node.create_timer(1.0 / setup.settings.prediction_rate, self._predict)

    def _predict(self) -> None:
        """Publish the state now, unless that is too long after the last reading."""
        if not self._publisher.is_activated:
            return
        now = self._now()
        estimate = self._setup.stream.predicted(now)
        if estimate is not None:
            self._publisher.publish(self._messages.state_at(now, estimate))


class EstimatorCheckpoint:
    """Keeps the file of a node's EstimatorSetup."""

    def __init__(self, node: ManagedNode, setup: EstimatorSetup) -> None:
        """Set up.  Raises ValueError for a folder or an estimator that cannot be used."""
        self._node, self._waits = node, True
        self._file = Checkpoint(
            setup.settings.checkpoint, setup.settings.checkpoint_period, setup)

    def resume_once(self) -> None:
        """Before the first reading, when the clock is known: continue from the file, if it fits."""
        if not self._waits:
            return
        self._waits = False
        try:
            done = self._file.resume(self._node.believed_time())
        except ValueError as error:
            self._node.get_logger().warning(f'starting anew: checkpoint: {error}')
            return
        if done:
            self._node.get_logger().info(done)

    def saw(self, step: Step) -> None:
        """Write the file when it is due; a full disk is reported, and no reason to stop."""
        try:
            self._file.saw(step.stamp)
        except OSError as error:
            self._node.get_logger().error(
                f'checkpoint: not written: {error}', throttle_duration_sec=5.0)

    def remove(self) -> None:
        """Remove the file, so that the next life starts fresh."""
        self._file.remove()


# Published without subscribers, too, since late readers get them.  The others are published from
# the first reader on, also while it is lost after a standstill.
_ALWAYS = 'state', 'hydraulics'


class EstimatorNode(ManagedNode):
    """Publishes an estimate for every instant at which there are readings.

    Drivers in its process hand it their messages themselves.
    """

    first_settings = EstimatorSettings, StreamSettings
    own_services = EstimatorServices.kinds
    _setup: EstimatorSetup = None       # type: ignore[assignment]     # until it is configured
    _checkpoint: EstimatorCheckpoint | None = None

    def __init__(self, **options: Any) -> None:
        super().__init__('estimator', **options)

    @property
    def wake_interval(self) -> float:
        """Shortest wall time between two wakes of its process [s]."""
        return self._setup.settings.wake_interval if self._setup else 0.0

    def configure(self) -> None:
        """Make the filter by the parameters, and subscribe to its sensors."""
        self._setup = EstimatorSetup(self._settings_of, self._warn)
        for note in import_notes(self._setup.mechanism.raw):
            self.get_logger().info(f'{self._setup.mechanism.name}: {note}')
        self._tuning = EstimatorTuning(self._setup)
        self._messages = EstimateMessages(self._setup)
        topics = by_topic(self._setup.sensors)
        self._health = EstimatorHealth(self._setup, topics.values())
        self._reported_divergence = self._reported_lost = self._reported_missing = ''
        self._reported_sparse = False
        self._reported_undetermined: tuple[str, ...] = ()
        self._wanted = set(_ALWAYS)
        self._report_undetermined()
        self._publishers_of_steps = {
            topic: self.create_lifecycle_publisher(
                self._messages.types[topic], f'~/{topic}', stream_qos(self._setup.rate))
            for topic in self._messages.topics}
        self._hand_over = self.offer('~/state')
        EstimatorServices(self, self._setup, self._use)
        settings = self._setup.settings
        self._checkpoint = EstimatorCheckpoint(self, self._setup) if settings.checkpoint else None
        if settings.prediction_rate:
            self._present = PresentEstimate(self, self._setup, self._messages)
        if inputs := self._setup.input_topic:
            self._subscribe_inputs(inputs)
        for name, topic in topics.items():
            take = partial(self._on_readings, topic)
            if not self.take_offered(name, take):
                self.subscribe(reading_type(topic), name, take,
                               qos_overriding_options=OVERRIDABLE)

    def _subscribe_inputs(self, topic: InputTopic) -> None:
        try:
            self.subscribe(get_message(topic.message_type), topic.name,
                           partial(self._on_inputs, topic),
                           COMMAND_QOS if topic.is_commanded else STREAM_QOS,
                           qos_overriding_options=OVERRIDABLE)
        except ValueError as error:
            raise ValueError(f'known_forces: {error}') from error

    def cleanup(self) -> None:
        """Leave no checkpoint: after a clean shutdown, start fresh."""
        if self._checkpoint:
            self._checkpoint.remove()

    def reset(self) -> str:
        """Put the filter at its initial state; stamps may begin anew."""
        self._setup.reset()
        self._health.reset()
        return 'waiting for readings'

    def begin_again(self, before: int, now: int) -> None:
        """Put the filter at its start, unless readings have restarted it already.

        Readings that have come since time went back are used.
        """
        newest = self._setup.stream.state.newest
        if newest is None or abs(newest - now) > abs(newest - before):
            self._use(self._setup.stream.begin_again())

    def health(self) -> Health:
        """Return the health of the estimation; report once what readings lack."""
        health = self._health.look()
        if self._health.missing and self._health.missing != self._reported_missing:
            self._reported_missing = self._health.missing
            self.get_logger().warning(self._health.missing)
        if self._health.sparse and not self._reported_sparse:
            self.get_logger().warning(self._health.sparse)
        self._reported_sparse = bool(self._health.sparse)
        return health

    def _settings_of(self, settings_class: type[Any], prefix: str = '',
                     defaults: dict[str, Any] | None = None) -> Any:
        """Return settings; the ones that a running filter accepts may change."""
        return self.settings_of(
            settings_class, prefix, defaults, fixed=fixed_settings(settings_class, prefix),
            change=lambda settings: self._tuning.prepared(prefix, settings))

    def _on_readings(self, topic: SensorTopic, message: Any) -> None:
        """Feed the readings in a message to the filter and publish what they complete."""
        if self._checkpoint:
            self._checkpoint.resume_once()
        arrival, stamp = self.believed_time(), nanoseconds(message.header.stamp)
        readings = topic.readings(message)
        steps = self._setup.stream.add_all(stamp, readings)
        self._health.came([name for name, _ in readings], stamp, arrival, steps)
        self._use(steps)

    def _on_inputs(self, topic: InputTopic, message: Any) -> None:
        """Feed commands of valves or forces to the filter and publish what they complete."""
        try:
            values = topic.values(message)
        except ValueError as error:
            self._warn(str(error))
            return
        arrival = self.believed_time()
        stamp = nanoseconds(message.header.stamp) if topic.is_stamped else arrival
        steps = self._setup.stream.add_input(stamp, values)
        self._health.came([INPUTS], stamp, arrival, steps)
        self._use(steps)

    def _use(self, steps: Sequence[Step]) -> None:
        """Offer Steps to this process, publish as many as are due; report a divergence once."""
        for step in steps:
            self._hand_over(step.stamp, self._setup.mechanism, step)
        if steps:
            self._health.saw(steps[-1])
            self._report_lost(steps[-1])
            if self._checkpoint:
                self._checkpoint.saw(steps[-1])
        for step in self._setup.judged(steps):
            for topic, publisher in self._publishers_of_steps.items():
                if topic in self._wanted or publisher.get_subscription_count():
                    self._wanted.add(topic)
                    message = self._messages.of(topic, step)
                    if message is not None:
                        publisher.publish(message)
        self._report_undetermined()
        diverged = self._setup.stream.state.diverged
        if diverged != self._reported_divergence:
            self._reported_divergence = diverged
            if diverged:
                self.get_logger().error(
                    f'{self._setup.settings.estimator} has diverged: {diverged}')

    def _report_lost(self, step: Step) -> None:
        """Report once that the estimate is lost, and once that it no longer is."""
        if bool(step.lost) != bool(self._reported_lost):
            log = self.get_logger()
            if step.lost:
                log.error(f'{self._setup.settings.estimator} is lost: {step.lost}')
            else:
                log.info(f'{self._setup.settings.estimator} is no longer lost')
        self._reported_lost = step.lost

    def _report_undetermined(self) -> None:
        """Report once what the sensors that are on do not determine, and once that they do."""
        undetermined = self._setup.undetermined
        if undetermined != self._reported_undetermined:
            if undetermined:
                self.get_logger().warning(self._setup.reservation)
            else:
                self.get_logger().info('the readings determine all degrees of freedom again')
        self._reported_undetermined = undetermined

    def _warn(self, problem: str) -> None:
        self.get_logger().warning(problem, throttle_duration_sec=5.0)


main = NodeMain(EstimatorNode)
