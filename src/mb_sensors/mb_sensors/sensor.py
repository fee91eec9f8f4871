"""A sensor: its quantities on a mechanism, and its errors."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mb_model.arrays import FloatArray
from mb_sensors.encoder_turns import EncoderTurns, within_a_turn
from mb_sensors.kinds import sensor_kinds
from mb_sensors.messages.codec import MessageCodec
from mb_sensors.noise_settings import NoiseSettings


@dataclass(frozen=True)
class Sensor:
    """A sensor of a mechanism.

    kind: as in the mechanism file; body: that it sits on, empty for none, a fluid volume for a
    pressure; channels: names of its quantities, one number each; unit: of the readings; settings:
    errors of its readings; records: one CHANNEL each, none if the motion does not determine
    the quantity; actual: the same with errors that depend on the motion, which filters do not know;
    topic: of the readings, shared with other sensors of the device; dimension: of the
    mechanism, 2 in the plane, 3 in space; turns: EncoderTurns of an encoder of an angle, else None.
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

    @property
    def axes(self) -> tuple[str, ...]:
        """The axis of each channel of a sensor with several axes: 'x', 'y' or 'z'."""
        return tuple(channel.rpartition('.')[2] for channel in self.channels)

    @property
    def message(self) -> MessageCodec:
        """The MessageCodec of its messages."""
        return sensor_kinds()[self.kind].message

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
