"""The estimator: stamped readings in, the whole state of the mechanism with its uncertainty out."""

from dataclasses import asdict, dataclass
from functools import partial

from sensor_msgs.msg import JointState

from mb_estimators.consistency import ConsistencySettings, ConsistencyWindow
from mb_estimators.interpolation import widened
from mb_estimators.nodes.consistency_messages import ConsistencyMessages
from mb_estimators.nodes.reading_types import READING_TYPES
from mb_estimators.plugins import filter_class, make_filter
from mb_estimators.recording.commands import TOPIC, valve_commands
from mb_estimators.stream import EstimateStream
from mb_estimators.stream_settings import StreamSettings
from mb_interfaces.msg import (
    EstimatorStatus,
    HydraulicState,
    MechanismState,
    ParameterEstimate,
    ValveCommand,
)
from mb_model.mechanism import load_mechanism
from mb_model.model_errors import ModelErrors, apply_model_errors
from mb_model.settings import Settings, setting
from mb_ros.diagnostics import ERROR, OK, STALE, WARN, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import COMMAND_QOS, OVERRIDABLE, STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import doubles, hydraulic_state, joint_state, mechanism_state
from mb_sensors import NoiseSettings, SensorError, sensors_of
from mb_sensors.recording.messages import READING_MESSAGES
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


class EstimatorNode(ManagedNode):
    """Publishes an estimate for every instant at which there are readings."""

    first_settings = EstimatorSettings, StreamSettings

    def __init__(self, **options):
        super().__init__('estimator', **options)

    def configure(self):
        """Make the filter that parameters ask for, and listen to its sensors."""
        settings = self.settings_of(EstimatorSettings)
        self._publish_rate = settings.publish_rate
        sensors = self._make_stream(settings)
        self._begin()
        self._state_pub = self.create_lifecycle_publisher(MechanismState, '~/state', STREAM_QOS)
        self._joints_pub = self.create_lifecycle_publisher(
            JointState, '~/joint_states', STREAM_QOS)
        self._status_pub = self.create_lifecycle_publisher(
            EstimatorStatus, '~/status', STREAM_QOS)
        if self._needs_hydraulics:
            self._hydraulics_pub = self.create_lifecycle_publisher(
                HydraulicState, '~/hydraulics', STREAM_QOS)
            self.listen(ValveCommand, TOPIC, self._on_command, COMMAND_QOS,
                        qos_overriding_options=OVERRIDABLE)
        for sensor in sensors:
            message_type, extract = READING_MESSAGES[sensor.kind]
            self.listen(READING_TYPES[message_type], sensor.name,
                        partial(self._on_reading, sensor, extract),
                        qos_overriding_options=OVERRIDABLE)

    def reset(self):
        """Be as after a start: the filter at its initial state, stamps may begin anew."""
        self._begin()
        return 'waiting for readings'

    def _make_stream(self, settings):
        """Make filter, stream and judgement of EstimatorSettings; return the Sensors."""
        stream_settings = self.settings_of(StreamSettings)
        errors = self.settings_of(ModelErrors, 'model_errors.')
        mechanism = load_mechanism(settings.mechanism)
        self._plugin, self._mechanism = settings.estimator, apply_model_errors(mechanism, errors)
        sensors = self._sensors(mechanism, settings.sensors)
        tuning = self.settings_of(filter_class(self._plugin).Settings, 'filter.')
        read = widened(sensors, stream_settings.dt) if stream_settings.interpolate else sensors
        start = self._mechanism.z0, self._mechanism.zd0
        consistency = self.settings_of(ConsistencySettings, 'consistency.')
        self._channels = [channel for sensor in sensors for channel in sensor.channels]
        self._judges = not stream_settings.interpolate      # innovations of lines are not white

        def make():
            filter_ = make_filter(
                self._plugin, self._mechanism, read, stream_settings.dt, **asdict(tuning))
            self._needs_hydraulics = getattr(filter_, 'needs_hydraulics', False)
            return (EstimateStream(filter_, sensors, start, stream_settings, self._warn),
                    ConsistencyWindow(sensors, consistency))
        self._make = make
        return sensors

    def _begin(self):
        """Forget all that was heard."""
        self._stream, self._window = self._make()
        self._consistency = ConsistencyMessages(self._window)
        self._samplers = [      # of first estimates, and of others
            Sampler(self._publish_rate) for _ in range(2)] if self._publish_rate else []
        self._told_divergence = self._distrust = ''
        self._found = {}            # bias or parameter -> estimate and its deviation
        self._last_stamp = self._stamp_before = None
        self._lost_before = 0       # readings left out or missing, at the last look

    def _sensors(self, mechanism, names):
        """Return the Sensors, with the noise that parameters say the filter is to expect."""
        if not names:
            known = [*mechanism.sensors, *mechanism.sensor_groups]
            raise SensorError(f'sensors: missing, expected some of {", ".join(known)}')
        return [
            sensor.with_settings(self.settings_of(
                NoiseSettings, f'{sensor.name}.', asdict(sensor.settings)))
            for sensor in sensors_of(mechanism, names)]

    def _on_reading(self, sensor, extract, message):
        """Feed a reading to the filter and publish what it completes."""
        name, values = extract(sensor, message)
        self._use(self._stream.add(name, nanoseconds(message.header.stamp), values))

    def _on_command(self, message):
        """Feed commands of valves to the filter and publish what they complete."""
        try:
            values = valve_commands(self._mechanism.circuit.valves, message)
        except ValueError as error:
            self._warn(str(error))
            return
        self._use(self._stream.add_input(nanoseconds(message.header.stamp), values))

    def _use(self, steps):
        """Publish Steps, as many as are asked for; judge all of them; tell a divergence once."""
        for step in steps:
            self._last_stamp, self._distrust = step.stamp, step.distrust
            if self._judges:
                self._judge(step)
            if self._is_due(step):
                self._publish(step)
        if self._stream.diverged and self._told_divergence != self._stream.diverged:
            self._told_divergence = self._stream.diverged
            self.get_logger().error(f'{self._plugin} has diverged: {self._stream.diverged}')

    def _judge(self, step):
        """Look at the innovations that a Step is the first to tell."""
        if step.late is None:
            self._window.add(step.stamp, step.innovation)
        for late in step.late or ():
            self._window.add_late(*late)

    def _is_due(self, step):
        """Tell whether a Step is to be published, of those with late readings as many as others."""
        if not self._samplers:
            return True
        return self._samplers[step.late is not None].due(step.stamp) is not None

    def _publish(self, step):
        """Publish a Step as state, joint states, status, and state of the oil."""
        e = step.estimate
        self._found = _with_deviations('bias of ', e.biases, e.bias_deviations)
        parameters = _with_deviations('', e.parameters, e.parameter_deviations)
        self._found |= parameters
        self._state_pub.publish(mechanism_state(
            self._mechanism, step.stamp, z=e.z, zd=e.zd, zdd=e.zdd, q=e.q, qd=e.qd, qdd=e.qdd,
            covariance=e.covariance.ravel(), generalized_force=e.forces))
        self._joints_pub.publish(
            joint_state(step.stamp, self._mechanism.coordinates, e.q, e.qd))
        self._status_pub.publish(self._status(step, parameters))
        if e.hydraulics:
            self._hydraulics_pub.publish(hydraulic_state(
                self._mechanism, step.stamp, *e.hydraulics, distrust=step.distrust))

    def _status(self, step, parameters):
        """Return the EstimatorStatus of a Step with the estimates of parameters."""
        counts, fit = self._stream.counts, step.innovation
        message = EstimatorStatus(
            estimator=self._plugin, channels=[self._channels[i] for i in fit.channels],
            innovation=doubles(fit.residual), innovation_covariance=doubles(fit.covariance.ravel()),
            nis=fit.nis, consistency=self._consistency.latest(),
            parameters=[ParameterEstimate(name=name, value=value, standard_deviation=deviation)
                        for name, (value, deviation) in parameters.items()],
            readings_used=counts.used, readings_rejected=counts.rejected,
            readings_late=counts.late, readings_missing=self._stream.missing,
            step_time=step.step_time)
        message.header.stamp = stamp(step.stamp)
        message.header.frame_id = self._mechanism.name
        return message

    def _warn(self, problem):
        self.get_logger().warning(problem, throttle_duration_sec=5.0)

    def health(self):
        """Return how the estimation goes."""
        counts = self._stream.counts
        values = {'estimator': self._plugin, 'readings used': counts.used,
                  'readings rejected': counts.rejected, 'readings late': counts.late,
                  'readings missing': self._stream.missing}
        values |= {name: f'{value:.6g} +- {deviation:.2g}'
                   for name, (value, deviation) in self._found.items()}
        verdicts = [figures.verdict for figures in self._window.judgement if figures.verdict]
        values['consistency'] = ' | '.join(verdicts) or 'consistent'
        if self._stream.diverged:
            return Health(ERROR, f'diverged: {self._stream.diverged}', values)
        if self._last_stamp is None:
            return Health(STALE, 'no readings yet', values)
        values['last estimate [s]'] = f'{self._last_stamp / 1e9:.3f}'
        stands_still, self._stamp_before = self._last_stamp == self._stamp_before, self._last_stamp
        if stands_still:
            return Health(STALE, 'no new readings', values)
        if self._stream.silent:
            return Health(WARN, f'silent: {", ".join(self._stream.silent)}', values)
        if self._distrust:
            return Health(WARN, self._distrust, values)
        lost = counts.rejected + counts.late + self._stream.missing
        news, self._lost_before = lost > self._lost_before, lost
        if news:
            return Health(WARN, 'readings were left out or are missing', values)
        if verdicts:
            return Health(WARN, f'inconsistent: {" | ".join(verdicts)}', values)
        return Health(OK, 'estimating', values)


def _with_deviations(prefix, values, deviations):
    """Return {prefix and name: (value, deviation)}, nothing for None."""
    return {prefix + name: (value, deviations[name]) for name, value in (values or {}).items()}


main = NodeMain(EstimatorNode)
