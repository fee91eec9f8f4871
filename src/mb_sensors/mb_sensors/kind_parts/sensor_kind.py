"""The description of a kind of sensors, with all that the rest of the project needs."""

from collections.abc import Callable
from dataclasses import dataclass

from mb_sensors.messages.codec import MessageCodec


@dataclass(frozen=True)
class SensorKind:
    """A kind of sensors; each has one file, which ends with its SensorKind.

    name: in mechanism files; measures: the quantity and its convention, one line; unit: of the
    readings; message: codec of its messages; driver: node that reads devices of this kind; sits_on:
    what `read` returns, a 'body', a fluid 'volume' or '' for neither.
    keys: JSON schema of each key that it takes beside the common ones.
    read(mount): takes these keys from a Mounting and returns (name of what the sensor sits on,
    {quantity: fields of CHANNEL}), '' for a single quantity; None in place of fields where a
    reading is always zero.  No quantities: the motion does not determine the reading.

    The equations are compiled functions of one channel, a record of CHANNEL:
    value(channel, q, qd, qdd) returns the ideal reading;
    jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd) adds its derivatives (n_total each) to zeros.
    numba's cache sees changes of their file and of what it imports.
    reads_velocities, reads_accelerations: whether the value depends on qd, on qdd;
    whole_turns_unknown: whether it is an angle of which readings know no whole turns;
    reads_coordinate: whether it is q[channel.coordinate] where a channel has a coordinate.
    """

    name: str
    measures: str
    unit: str
    message: MessageCodec
    read: Callable
    keys: dict[str, dict]
    value: Callable | None = None
    jacobian: Callable | None = None
    driver: str = 'sensor_driver'
    sits_on: str = ''
    reads_velocities: bool = False
    reads_accelerations: bool = False
    whole_turns_unknown: bool = False
    reads_coordinate: bool = False
