"""The payload estimator: the estimated motion and forces that drive it in, unknown masses out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite, nan
from typing import Any

from geometry_msgs.msg import InertiaStamped
import numpy as np
from rosidl_runtime_py.utilities import get_message

from mb_contact.payload.centred_load import CentredLoad
from mb_contact.payload.payload_settings import PayloadSettings
from mb_contact.payload.payload_stream import PayloadStream, Weighed
from mb_estimators import NORMAL_95
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


def inertia_message(body: str, weighed: Weighed) -> InertiaStamped:
    """Return mass and centre of gravity, in its frame, of a body that was Weighed.

    NaN where they are not known; moments of inertia are not estimated: NaN.
    """
    load, message = weighed.payload.load, InertiaStamped()
    set_stamp(message.header.stamp, weighed.stamp)
    message.header.frame_id = body
    one = message.inertia
    one.m = load.mass if isfinite(load.deviation) else nan
    centre = np.where(np.isfinite(load.centre_deviation), load.centre, nan).tolist()
    one.com.x, one.com.y, one.com.z = (*centre, 0.0)[:3]
    one.ixx = one.ixy = one.ixz = one.iyy = one.iyz = one.izz = nan
    return message


def centre_words(load: CentredLoad | None) -> dict[str, str]:
    """Return the centre of gravity of a load with its 95 % intervals, and what is known of it."""
    if load is None:
        return {}
    words = {f'centre of gravity, {axis} [m]': (
        f'{value:.4f} +- {NORMAL_95 * deviation:.4f}' if isfinite(deviation) else 'not determined')
        for axis, value, deviation in zip('xyz', load.centre, load.centre_deviation, strict=False)}
    return words | ({'only known together': '; '.join(load.sums)} if load.sums else {})


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
    unknown_centre: str = setting(
        '', help='Body that is the load, with an unknown centre of gravity: its mass and centre by '
                 'the last `window`, or what of them the motion shows, in place of `masses`; '
                 'default: none')


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
            settings.torque_sensors, unknown_centre=settings.unknown_centre)
        self._weighed = None          # the last one
        self._body = settings.unknown_centre
        self._last_stamp = LastLook(None)       # of a Weighed
        self._publisher = self.create_lifecycle_publisher(
            PayloadEstimate, '~/payload', stream_qos(0))
        self._inertias = self.create_lifecycle_publisher(
            InertiaStamped, '~/inertia', stream_qos(0)) if self._body else None
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
            if self._inertias is not None and weighed.payload.load is not None:
                self._inertias.publish(inertia_message(self._body, weighed))
            if weighed.payload.event:
                self.get_logger().info(f'load {weighed.payload.event}: {self._words()}')

    def _warn(self, words: str) -> None:
        self.get_logger().warning(words, throttle_duration_sec=5.0)

    def _words(self) -> str:
        """Return the masses with their 95 % intervals."""
        payload = self._weighed.payload
        return ', '.join(
            f'{name} {mass:.2f} +- {NORMAL_95 * deviation:.2f} kg' for name, mass, deviation in zip(
                self._stream.estimator.masses, payload.mass, payload.deviation, strict=True))

    def health(self) -> Health:
        """Return the health of the estimation."""
        stream = self._stream
        values = {'estimates without partner': stream.lost, 'estimates rejected': stream.rejected,
                  'estimates whose stamp jumps': stream.jumped}
        if self._weighed is None:
            return Health(STALE, 'no estimates of motion and forces yet', values)
        last, _, payload = self._weighed
        values |= {'masses': self._words(), 'last estimate [s]': f'{last / 1e9:.3f}',
                   **centre_words(payload.load)}
        if self._last_stamp.stands_still(last):
            return Health(STALE, 'no new estimates', values)
        if payload.updating:
            return Health(WARN if payload.reason else OK, payload.reason or 'estimating', values)
        level = OK if stream.estimator.holds_at_rest else WARN
        return Health(level, f'masses are held: {payload.reason}', values)


main = NodeMain(PayloadEstimatorNode)
