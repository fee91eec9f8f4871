"""The payload estimator: the estimated motion and pressures in, unknown masses out."""

from dataclasses import dataclass
from functools import partial
import math

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.payload import PayloadEstimator, PayloadSettings
from mb_contact.payload.stamped_pairs import StampedPairs
from mb_interfaces.msg import HydraulicState, MechanismState, PayloadEstimate
from mb_model import Settings, load_mechanism, setting
from mb_ros.diagnostics import OK, STALE, WARN, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import OVERRIDABLE, stream_qos
from mb_ros.stamp_jump_guard import FAR, JUMP, CommonTime, StampJumpGuard
from mb_ros.stamps import nanoseconds
from mb_ros.states import doubles

STREAMS = (MechanismState, 'estimator/state'), (HydraulicState, 'estimator/hydraulics')


@dataclass(frozen=True)
class PayloadNodeSettings(Settings):
    """The mechanism and its unknown masses."""

    mechanism: str = setting(
        'crane', help='Name of a mechanism with hydraulics, or path of its file')
    masses: tuple[str, ...] = setting(
        ('load',), help='Unknown masses: names in the `parameters` of the mechanism file, or paths '
                        'such as bodies.load.mass')


class PayloadEstimatorNode(ManagedNode):
    """Publishes masses for every instant of which both motion and pressures are estimated."""

    first_settings = PayloadNodeSettings, PayloadSettings

    def __init__(self, **options):
        super().__init__('payload_estimator', **options)

    def configure(self):
        """Make the estimator by the parameters, and subscribe to motion and pressures."""
        settings = self.settings_of(PayloadNodeSettings)
        self._mechanism = load_mechanism(settings.mechanism)
        if self._mechanism.circuit is None:
            raise ContactError(f'mechanism: {self._mechanism.file} has no section hydraulics, '
                               'expected one whose cylinders carry the masses')
        self._estimator = PayloadEstimator(
            self._mechanism, settings.masses,
            self.settings_of(PayloadSettings, change=self._change))
        self._begin()
        self._time = self._common_time()
        self._rejected = self._jumped = 0
        self._last_look = None        # stamp of the last Payload, at the last look
        self._publisher = self.create_lifecycle_publisher(
            PayloadEstimate, '~/payload', stream_qos(0))
        for stream, (message_type, topic) in enumerate(STREAMS):
            self.subscribe(message_type, topic, partial(self._on_estimate, stream),
                           qos_overriding_options=OVERRIDABLE)

    def reset(self):
        """Forget everything, as after a start."""
        self._begin()
        self._time = self._common_time()
        return 'waiting for motion'

    def _common_time(self):
        """Return the CommonTime of motion and pressures."""
        gap = round(1e9 * self._estimator.settings.longest_gap)
        return CommonTime(*(StampJumpGuard(gap // JUMP, FAR, gap) for _ in STREAMS))

    def _change(self, settings):
        """Return a function that continues with another PayloadEstimator."""
        return partial(setattr, self, '_estimator', self._estimator.with_settings(settings))

    def _begin(self):
        """Forget all messages."""
        self._pairs, self._first, self._last, self._payload = StampedPairs(), None, None, None
        self._estimator.reset()

    def _on_estimate(self, stream, message):
        """Publish the masses once a message and its partner of the same stamp are there."""
        believed, lies, anew = self._time.take(stream, nanoseconds(message.header.stamp), message)
        if anew:
            self._begin()
        if lies:
            self._jumped += lies
            self.get_logger().warning(
                f'{STREAMS[stream][1]}: a stamp is far from those around it: left out',
                throttle_duration_sec=5.0)
        for owner, stamp, one in believed:
            pair = self._pairs.add(owner, stamp, one)
            if pair is not None:
                self._take(*pair)

    def _take(self, motion, oil):
        """Publish the masses from motion and pressures of one stamp, if possible."""
        problem = self._problem(motion, oil)
        if problem:
            self._rejected += 1
            self.get_logger().warning(problem, throttle_duration_sec=5.0)
        else:
            self._publish(motion, oil)

    def _problem(self, motion, oil):
        """Return why the messages are not of the mechanism, '' if they are."""
        circuit = self._mechanism.circuit
        for topic, name, found, expected in (
                (STREAMS[0][1], 'independent', motion.independent, self._mechanism.independent),
                (STREAMS[1][1], 'volume', oil.volume, circuit.volumes),
                (STREAMS[1][1], 'valve', oil.valve, circuit.valves)):
            if tuple(found) != tuple(expected):
                return (f'{topic}: {name}: [{", ".join(found)}] must be [{", ".join(expected)}], '
                        f'as in {self._mechanism.name}')
        states = 3 * self._mechanism.g + len(circuit.volumes) + len(circuit.valves)
        if len(oil.covariance) not in (0, states * states):
            return (f'{STREAMS[1][1]}: covariance: {len(oil.covariance)} numbers must be '
                    f'{states} times {states}, or none')
        return ''

    def _publish(self, motion, oil):
        """Publish the masses from a motion and pressures."""
        stamp = nanoseconds(motion.header.stamp)
        if self._first is None:
            self._first = stamp
        elif self._last == self._first and stamp > self._first:
            self._estimator.reset(dt=1e-9 * (stamp - self._first))
        self._last = stamp
        covariance = _array(oil.covariance)
        size = math.isqrt(covariance.size)
        self._payload = payload = self._estimator.update(
            stamp, _array(motion.z), _array(motion.zd), _array(motion.zdd), _array(oil.pressure),
            covariance.reshape(size, size),
            q=_array(motion.q), distrust=oil.distrust)
        message = PayloadEstimate(
            parameter=list(self._estimator.masses), mass=doubles(payload.mass),
            raw_mass=doubles(payload.raw_mass), deviation=doubles(payload.deviation),
            updating=payload.updating, reason=payload.reason, event=payload.event)
        message.header = motion.header
        self._publisher.publish(message)
        if payload.event:
            self.get_logger().info(f'load {payload.event}: {self._words()}')

    def _words(self):
        """Return the masses with their 95 % intervals."""
        payload = self._payload
        return ', '.join(
            f'{name} {mass:.2f} +- {1.96 * deviation:.2f} kg' for name, mass, deviation in zip(
                self._estimator.masses, payload.mass, payload.deviation, strict=True))

    def health(self):
        """Return the health of the estimation."""
        values = {'estimates without partner': self._pairs.lost,
                  'estimates rejected': self._rejected,
                  'estimates whose stamp jumps': self._jumped}
        payload = self._payload
        if payload is None:
            return Health(STALE, 'no estimates of motion and pressures yet', values)
        values |= {'masses': self._words(), 'last estimate [s]': f'{self._last / 1e9:.3f}'}
        stands_still, self._last_look = self._last_look == self._last, self._last
        if stands_still:
            return Health(STALE, 'no new estimates', values)
        if payload.updating:
            return Health(WARN if payload.reason else OK, payload.reason or 'estimating', values)
        level = OK if self._estimator.holds_at_rest else WARN
        return Health(level, f'masses are held: {payload.reason}', values)


def _array(numbers):
    """Return a field of a message as an array."""
    return np.array(numbers, dtype=np.float64)


main = NodeMain(PayloadEstimatorNode)
