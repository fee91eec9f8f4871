"""A sensor: its quantities on a mechanism, and its errors."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mb_model import Settings, setting
from mb_model.arrays import FloatArray
from mb_sensors.encoder_turns import EncoderTurns, within_a_turn
from mb_sensors.kind_parts.dynamic_joint_states import DynamicJointStateMessage
from mb_sensors.kind_parts.messages import MessageCodec
from mb_sensors.kinds import sensor_kinds


@dataclass(frozen=True)
class NoiseSettings(Settings):
    """How the readings of a sensor differ from the truth, in the sensor's unit (SI, radians)."""

    sigma: float = setting(
        help='Standard deviation of the white noise on every reading', at_least=0.0)
    bias: float = setting(0.0, help='Constant offset of every reading')
    drawn_bias: float = setting(
        0.0, help='Largest further offset of simulated readings, one drawn for each channel and '
                  'seed', at_least=0.0)
    bias_sigma: float = setting(
        0.0, help='Standard deviation of the unknown offset that a filter is to estimate; 0: it '
                  'takes readings to have none', at_least=0.0)
    bias_walk: float = setting(
        0.0, help='Growth of that deviation in a second, as its root grows', at_least=0.0)
    mounting_sigma: float = setting(
        0.0, unit='rad', at_least=0.0, at_most=0.5,
        help='Standard deviation of the unknown turn about each axis with which a sensor of three '
             'axes in space is mounted, beside its rpy; a filter is to estimate it, one for all '
             'sensors of a topic; 0: it takes rpy for right')
    scale_sigma: float = setting(
        0.0, at_least=0.0, at_most=0.5,
        help='Standard deviation of the unknown relative error of the sensitivity of every channel '
             'that a filter is to estimate; 0: it takes the sensitivity for right')
    misalignment_sigma: float = setting(
        0.0, unit='rad', at_least=0.0, at_most=0.5,
        help='Standard deviation of the unknown angle by which each axis of a sensor of three axes '
             'leans towards each other one that a filter is to estimate; 0: it takes axes for '
             'right')
    scale: float = setting(
        0.0, help='Relative error of the sensitivity of every channel', above=-1.0, at_most=1.0)
    drawn_scale: float = setting(
        0.0, help='Largest further relative error of simulated readings, one drawn for each '
                  'channel and seed', at_least=0.0, at_most=1.0)
    misalignment: float = setting(
        0.0, unit='rad', at_least=0.0, at_most=0.5,
        help='Largest angle by which each axis of simulated readings leans towards each other one, '
             'drawn for each pair and seed')
    range: float = setting(
        0.0, help='Largest size of a reading, at which it stays; 0 for no limit', at_least=0.0)
    resolution: float = setting(
        0.0, help='Readings are whole multiples of this; 0 for continuous readings', at_least=0.0)
    rate: float = setting(
        200.0, unit='Hz', help='Readings per second', above=0.0, at_most=100_000.0)
    delay: float = setting(
        0.0, unit='s',
        help='Time from taking a reading to publishing it', at_least=0.0,
        at_most=60.0)
    delay_spread: float = setting(
        0.0, unit='s', at_least=0.0, at_most=60.0,
        help='Largest further delay of a simulated reading, drawn for each')
    stamped_at_arrival: bool = setting(
        False, help='Whether simulated readings bear the time of their arrival, not of the taking')
    sporadic: bool = setting(
        False, help='Whether it reads at times only: a reading that is not a number says that '
                    'there is nothing to read, as between the stops of a cylinder')
    drop_out: float = setting(
        0.0, help='Probability that a reading never arrives', at_least=0.0, at_most=1.0)

    @property
    def variance(self) -> float:
        """Variance of a reading: white noise and, uniform over a step, rounding."""
        return self.sigma ** 2 + self.resolution ** 2 / 12.0


@dataclass(frozen=True)
class Sensor:
    """A sensor of a mechanism.

    kind: as in the mechanism file; body: that it sits on, empty for none, a fluid volume for a
    pressure; channels: names of its quantities, one number each; unit: of the readings; settings:
    errors of its readings; records: one CHANNEL each, none if the motion does not determine
    the quantity; actual: the same with errors that depend on the motion, which filters do not know;
    topic: of the readings, shared with other sensors of the device; dimension: of the
    mechanism, 2 in the plane, 3 in space; turns: EncoderTurns of an encoder of an angle, else None;
    joint_name: of its joint in a JointState, empty: named as the sensor; interface: of this joint
    in a DynamicJointState, empty: it is in no such message.
    They describe the mechanism that the sensor was read from, also to a filter whose model is
    wrong.
    """

    name: str
    kind: str
    body: str
    channels: tuple[str, ...]
    unit: str
    settings: NoiseSettings
    records: np.ndarray
    actual: np.ndarray
    topic: str
    dimension: int = 2
    turns: EncoderTurns | None = None
    joint_name: str = ''
    interface: str = ''

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of its channels in a JointState or a DynamicJointState."""
        return (self.joint_name,) if self.joint_name else self.channels

    @property
    def axes(self) -> tuple[str, ...]:
        """The axis of each channel of a sensor with several axes: 'x', 'y' or 'z'."""
        return tuple(channel.rpartition('.')[2] for channel in self.channels)

    @property
    def message(self) -> MessageCodec:
        """The MessageCodec of its messages."""
        return (DynamicJointStateMessage(self.interface) if self.interface else
                sensor_kinds()[self.kind].message)

    @property
    def is_rotation(self) -> bool:
        """Whether its three channels are a rotation vector, to which errors are turns."""
        return sensor_kinds()[self.kind].is_rotation

    @property
    def is_turned_vector(self) -> bool:
        """Whether its three channels are a vector in axes that its `rpy` turns on a body."""
        return (self.dimension == 3 and not self.is_rotation
                and 'rpy' in sensor_kinds()[self.kind].of(3).keys
                and self.axes == ('x', 'y', 'z'))

    @property
    def is_encoder(self) -> bool:
        """Whether it is an encoder, of an angle or a length."""
        return sensor_kinds()[self.kind].driver == 'encoder_driver'

    def as_read(self, values: Sequence[float] | FloatArray) -> Sequence[float] | FloatArray:
        """Return simulated readings (..., channels) as the device gives them: within its turn."""
        single = self.turns is not None and self.turns.counts is False
        return within_a_turn(values) if single else values

    @property
    def volume(self) -> str:
        """The fluid volume whose pressure is read, empty for none."""
        return self.body if sensor_kinds()[self.kind].sits_on == 'volume' else ''

    @property
    def rate(self) -> float:
        """Readings per second [Hz]."""
        return self.settings.rate

    def with_settings(self, settings: NoiseSettings) -> 'Sensor':
        """Return the same sensor with other NoiseSettings."""
        return replace(self, settings=settings)
