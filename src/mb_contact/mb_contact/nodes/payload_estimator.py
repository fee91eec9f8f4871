"""The payload estimator: the estimated motion and forces that drive it in, unknown masses out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rosidl_runtime_py.utilities import get_message

from mb_contact.payload.payload_settings import PayloadSettings
from mb_contact.payload.payload_stream import PayloadStream, Weighed
from mb_interfaces.msg import PayloadEstimate
from mb_model import Settings, load_mechanism, setting
from mb_ros.diagnostics import OK, STALE, WARN, Health, LastLook
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import stream_qos
from mb_ros.stamps import set_stamp
from mb_ros.states import doubles


def payload_message(masses: Sequence[str], weighed: Weighed) -> PayloadEstimate:
    """Return the PayloadEstimate of what was Weighed; masses: their names."""
    payload = weighed.payload
    message = PayloadEstimate(
        parameter=list(masses), mass=doubles(payload.mass), raw_mass=doubles(payload.raw_mass),
        deviation=doubles(payload.deviation), updating=payload.updating, reason=payload.reason,
        event=payload.event)
    set_stamp(message.header.stamp, weighed.stamp)
    message.header.frame_id = weighed.frame
    return message


@dataclass(frozen=True)
class PayloadNodeSettings(Settings):
    """The mechanism and its unknown masses."""

    mechanism: str = setting(
        'crane', help='Name of a mechanism, or path of its file')
    masses: tuple[str, ...] = setting(
        ('load',), help='Unknown masses: names in the `parameters` of the mechanism file, or paths '
                        'such as bodies.load.mass')
    pressures: tuple[str, ...] = setting(
        (), help='Pressure sensors in the mechanism file, or groups of them, one of each volume, '
                 'whose readings are the pressures; default: what estimator/hydraulics says')
    torque_sensors: tuple[str, ...] = setting(
        (), help='Sensors of the kind motor_torque, or groups of them, one on each drive, whose '
                 'readings are the torques of the drives; default: no drives but cylinders, or '
                 'none: flexible bodies carry the masses')


class PayloadEstimatorNode(ManagedNode):
    """Publishes masses for every instant of which both motion and pressures are estimated."""

    first_settings = PayloadNodeSettings, PayloadSettings

    def __init__(self, **options: Any) -> None:
        super().__init__('payload_estimator', **options)

    def configure(self) -> None:
        """Make the estimator by the parameters, and subscribe to the motion and the forces."""
        settings = self.settings_of(PayloadNodeSettings)
        self._stream = PayloadStream(
            load_mechanism(settings.mechanism), settings.masses,
            self.settings_of(PayloadSettings, change=self._change), settings.pressures,
            settings.torque_sensors)
        self._weighed = None          # the last one
        self._last_stamp = LastLook(None)       # of a Weighed
        self._publisher = self.create_lifecycle_publisher(
            PayloadEstimate, '~/payload', stream_qos(0))
        for stream, (name, kind) in enumerate(self._stream.topics):
            self.subscribe(get_message(kind), name, partial(self._take, stream))

    def reset(self) -> str:
        """Forget everything, as after a start."""
        self._weighed = None
        self._stream.reset()
        return 'waiting for motion'

    def _change(self, settings: PayloadSettings) -> Callable[[], None]:
        """Return a function that continues with another PayloadEstimator."""
        return self._stream.change_to(settings)

    def _take(self, stream: int, message: Any) -> None:
        """Publish the masses at each stamp of which all is known."""
        for weighed in self._stream.take(stream, message, self._warn):
            self._weighed = weighed
            self._publisher.publish(payload_message(self._stream.estimator.masses, weighed))
            if weighed.payload.event:
                self.get_logger().info(f'load {weighed.payload.event}: {self._words()}')

    def _warn(self, words: str) -> None:
        self.get_logger().warning(words, throttle_duration_sec=5.0)

    def _words(self) -> str:
        """Return the masses with their 95 % intervals."""
        payload = self._weighed.payload
        return ', '.join(
            f'{name} {mass:.2f} +- {1.96 * deviation:.2f} kg' for name, mass, deviation in zip(
                self._stream.estimator.masses, payload.mass, payload.deviation, strict=True))

    def health(self) -> Health:
        """Return the health of the estimation."""
        stream = self._stream
        values = {'estimates without partner': stream.lost, 'estimates rejected': stream.rejected,
                  'estimates whose stamp jumps': stream.jumped}
        if self._weighed is None:
            return Health(STALE, 'no estimates of motion and forces yet', values)
        last, _, payload = self._weighed
        values |= {'masses': self._words(), 'last estimate [s]': f'{last / 1e9:.3f}'}
        if self._last_stamp.stands_still(last):
            return Health(STALE, 'no new estimates', values)
        if payload.updating:
            return Health(WARN if payload.reason else OK, payload.reason or 'estimating', values)
        level = OK if stream.estimator.holds_at_rest else WARN
        return Health(level, f'masses are held: {payload.reason}', values)


main = NodeMain(PayloadEstimatorNode)
