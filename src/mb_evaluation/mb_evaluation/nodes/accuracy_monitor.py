"""The accuracy monitor: notes the three simulations, then judges and reports."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from mb_evaluation.nodes import STATE_TOPICS
from mb_evaluation.nodes.monitor import Monitor, MonitorSettings
from mb_evaluation.run_log.accuracy_log import AccuracyLog
from mb_interfaces.msg import EstimatorStatus, MechanismState
from mb_model import FreeOrientations, MechanismError, ModelErrors, setting
from mb_ros.delivered_once import DeliveredOnce
from mb_ros.node_main import REST, NodeMain
from mb_ros.parameters import declare_settings
from mb_ros.qos import STREAM_QOS, deep
from mb_ros.stamps import from_seconds, nanoseconds
from mb_ros.states import state_arrays


@dataclass(frozen=True)
class AccuracyMonitorSettings(MonitorSettings):
    """What is being run, and what it is judged by."""

    nees_bound: float = setting(
        100.0, above=0.0,
        help='Mean NEES per state, after 2 s, beyond which an estimate is wrong: its errors are '
             'then ten times as large as it claims')


class AccuracyMonitorNode(Monitor):
    """Collects the three states and the status of the estimator; ends by itself."""

    topics = tuple(STATE_TOPICS.values())
    kind, bounds = 'accuracy', {'nees_bound': 'nees'}
    stated = 'start_time', 'publish_rate'

    def __init__(self, **options):
        super().__init__('accuracy_monitor', AccuracyMonitorSettings, **options)
        self._errors = declare_settings(self, ModelErrors, 'model_errors.')
        self.run = AccuracyLog(
            from_seconds(self.settings.start_time), self.settings.duration,
            self.settings.publish_rate, self.sensors, self.settings.seed, self.faults,
            FreeOrientations(self.mechanism))
        self.run.units = self.units
        for stream, topic in STATE_TOPICS.items():
            self._listen(MechanismState, topic, partial(self._on_state, stream))
        self._listen(EstimatorStatus, 'estimator/status', self._on_status)

    def _listen(self, message_type: type, topic: str, note: Callable[[Any, dict[str, Any]], None]):
        """Call note(message, info) once for each message of a topic that is of this run."""
        once = DeliveredOnce()

        def on_message(message, info: dict[str, Any]):
            stamp = nanoseconds(message.header.stamp)
            if once.is_new(info, stamp):
                self.note_message()
                if self.run.admits(stamp):
                    note(message, info)
        self.create_subscription(message_type, topic, on_message, deep(STREAM_QOS))

    def _on_state(self, stream: str, message: MechanismState, info: dict[str, Any]):
        """Note a state of one of the three simulations, and when it was published."""
        state = state_arrays(message)
        try:
            self.run.add_state(
                stream, 1e-9 * info['source_timestamp'], nanoseconds(message.header.stamp),
                list(message.independent),
                *(state[name] for name in ('z', 'zd', 'zdd', 'covariance', 'q', 'qd', 'qdd')))
        except ValueError as error:
            self.get_logger().error(f'{STATE_TOPICS[stream]}: {error}', throttle_duration_sec=5.0)

    def _on_status(self, message: EstimatorStatus, _: Any):
        """Note the innovations of an instant."""
        stamp = nanoseconds(message.header.stamp)
        self.note_status(message, stamp)
        self.run.lost_estimates.add(stamp, message.lost)
        self.run.undetermined = tuple(dict.fromkeys(
            (*self.run.undetermined, *message.undetermined)))
        for parameter in message.parameters:
            self.run.add_parameter(stamp, parameter.name, parameter.value,
                                   parameter.standard_deviation)
        if message.channels:
            try:
                self.run.add_innovation(
                    stamp, list(message.channels), message.innovation,
                    message.innovation_covariance, message.nis, message.step_time)
            except ValueError as error:
                self.get_logger().error(f'estimator/status: {error}', throttle_duration_sec=5.0)

    def shown_progress(self):
        """Return the newest errors, and how many messages were lost so far."""
        return {'errors': {one: self.run.latest_error(one) for one in ('model', 'observer')},
                'lost': sum(self.run.lost(so_far=True).values())}

    def report(self):
        """Return the Report, with the truth of parameters."""
        for name, track in self.run.parameters.items():
            with suppress(MechanismError):      # the prototype may be another kind of mechanism
                track.truth = float(self.mechanism.parameter_records([name])['value'][0])
        return super().report()

    def asked(self):
        """Return the settings of the run, as the report has them."""
        return super().asked() | {
            'model_errors': {'gravity': self._errors.gravity, 'z0': self._errors.z0},
            'launched': self._launched()}

    def _launched(self) -> dict[str, Any]:
        """Return the bag of this run, '' for none, the rates of its sensors [Hz], and arguments.

        These are of a launch of another run like it.
        """
        settings, bag = self.settings, self.folder / 'bag'
        rates = [sensor.settings.rate for sensor in self.sensors]
        return {'bag': str(bag) if bag.is_dir() else '', 'rates': rates, 'arguments': {
            'mechanism': settings.mechanism, 'estimator': settings.estimator,
            'sensors': list(settings.sensors), 'duration': settings.duration,
            'gravity_error': self._errors.gravity, 'start_error': self._errors.z0,
            'prototype': settings.engine, 'seed': settings.seed}}


main = NodeMain(AccuracyMonitorNode, rest=REST)
