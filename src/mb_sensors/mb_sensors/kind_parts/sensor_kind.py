"""The description of a kind of sensors, with all that the rest of the project needs."""

from collections.abc import Callable
from dataclasses import dataclass, field

from mb_sensors.messages.codec import MessageCodec


@dataclass(frozen=True)
class Measurement:
    """What a kind of sensors is on mechanisms in the plane, or in space; see SensorKind."""

    keys: dict[str, dict]
    read: Callable
    value: Callable | None = None
    jacobian: Callable | None = None


@dataclass(frozen=True)
class SensorKind:
    """A kind of sensors; each has one file, which ends with its SensorKind.

    name: in mechanism files; measures: the quantity and its convention, one line; unit: of the
    readings; message: codec of its messages; driver: node that reads devices of this kind; sits_on:
    what `read` returns, a 'body', a fluid 'volume' or '' for neither.
    keys: JSON schema of each key that it takes beside the common ones.
    read(mount): takes these keys from a Mounting and returns (name of what the sensor sits on,
    {quantity: fields of CHANNEL}), '' for a single quantity; None in place of fields where a
    reading is always zero.  Without value the motion does not determine the reading; then
    quantities only name the channels, none if there is one.
    space: the Measurement of mechanisms in space, which these are for the plane; read or space is
    None where there is no such sensor.

    The equations are compiled functions of one channel, a record of CHANNEL:
    value(channel, q, qd, qdd) returns the ideal reading;
    jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd) adds its derivatives (n_total each) to zeros.
    numba's cache sees changes of their file and of what it imports.
    along(sensor, run, rows): of a kind without equations, the true values (k, channels) of a Sensor
    at instants (k) of a Run; None where a Run does not say.  Raises ValueError.
    acting(sensor, mechanism, machine): the same (channels) of a simulated machine now, by its oil,
    drive_torques and joint_load(joint); None where it does not say.  Raises ValueError.
    reads_velocities, reads_accelerations: whether the value depends on qd, on qdd;
    whole_turns_unknown: whether it is an angle of which readings know no whole turns;
    reads_coordinate: whether it is q[channel.coordinate] where a channel has a coordinate;
    is_rotation: whether its three channels are a rotation vector, see kind_parts.rotations.
    """

    name: str
    measures: str
    unit: str
    message: MessageCodec
    read: Callable | None = None
    keys: dict[str, dict] = field(default_factory=dict)
    value: Callable | None = None
    jacobian: Callable | None = None
    driver: str = 'sensor_driver'
    sits_on: str = ''
    reads_velocities: bool = False
    reads_accelerations: bool = False
    whole_turns_unknown: bool = False
    reads_coordinate: bool = False
    is_rotation: bool = False
    along: Callable | None = None
    acting: Callable | None = None
    space: Measurement | None = None

    def known_in(self, dimension: int) -> bool:
        """Return whether mechanisms in the plane, 2, or in space, 3, have such sensors."""
        return (self.read if dimension == 2 else self.space) is not None

    def of(self, dimension: int) -> Measurement:
        """Return the Measurement in the plane, 2, or in space, 3; ValueError if there is none."""
        if dimension == 2 and self.read is not None:
            return Measurement(self.keys, self.read, self.value, self.jacobian)
        if dimension == 3 and self.space is not None:
            return self.space
        raise ValueError(f'{self.name}: not for mechanisms of dimension {dimension}')
