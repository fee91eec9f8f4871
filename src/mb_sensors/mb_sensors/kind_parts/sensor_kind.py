"""The description of a kind of sensors, with all that the rest of the project needs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mb_sensors.kind_parts.messages import MessageCodec

Schema = dict[str, Any]         # of one key, as JSON has it


class SensorError(ValueError):
    """A sensor that does not exist or is described wrongly; the text says what is expected."""


@dataclass(frozen=True)
class Measurement:
    """What a kind of sensors is on mechanisms in the plane, or in space; see SensorKind."""

    keys: dict[str, Schema]
    read: Callable[..., Any]
    value: Callable[..., Any] | None = None
    jacobian: Callable[..., Any] | None = None


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
    read: Callable[..., Any] | None = None
    keys: dict[str, Schema] = field(default_factory=dict)
    value: Callable[..., Any] | None = None
    jacobian: Callable[..., Any] | None = None
    driver: str = 'sensor_driver'
    sits_on: str = ''
    reads_velocities: bool = False
    reads_accelerations: bool = False
    whole_turns_unknown: bool = False
    reads_coordinate: bool = False
    is_rotation: bool = False
    along: Callable[..., Any] | None = None
    acting: Callable[..., Any] | None = None
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


def number(description: str, **more: Any) -> Schema:
    """Return the schema of a number or expression; more: default, bounds."""
    return {'type': ['number', 'string'], 'title': 'a number', 'description': description, **more}


def axes(known: str, description: str, default: str = 'xy') -> Schema:
    """Return the schema of a list of axes out of known ones."""
    return {'type': 'array', 'title': f'some of {", ".join(known)}', 'items': {'enum': [*known]},
            'minItems': 1, 'uniqueItems': True, 'default': [*default], 'description': description}


def axes_in_space() -> Schema:
    """Return the schema of a list of axes out of x, y, z, by default all."""
    return axes('xyz', 'Axes along which it measures, a channel each.', 'xyz')


def triple(description: str, **more: Any) -> Schema:
    """Return the schema of three numbers or expressions; more: default."""
    return {'type': 'array', 'title': 'three numbers', 'items': number(description), 'minItems': 3,
            'maxItems': 3, 'description': description, **more}


def pair(of: Schema, title: str, description: str) -> Schema:
    """Return the schema of a list of two different things."""
    return {'type': 'array', 'title': title, 'items': of, 'minItems': 2, 'maxItems': 2,
            'uniqueItems': True, 'description': description}


TURNS: dict[str, Schema] = {       # of encoders of angles
    'counts_turns': {
        'type': ['boolean', 'null'], 'title': 'true or false', 'default': None,
        'description': 'Whether readings count whole turns, as of a multi-turn encoder, a counter, '
                       'or a JointState of a continuous joint; false: they know the angle within '
                       'one turn. Left out: the first reading beyond a turn and a half shows that '
                       'they do.'},
    'limits': {
        'type': ['array', 'null'], 'title': 'two numbers', 'items': number('An angle [rad].'),
        'minItems': 2, 'maxItems': 2, 'default': None,
        'description': 'Least and greatest angle that the machine allows; at the start they choose '
                       'the turn of an encoder that counts none [rad].'}}
BODY = {'type': 'string', 'title': 'the name of a body', 'description': 'Body that it sits on.'}
AT = {'type': ['string', 'array'], 'title': 'a point of the body, or an offset [x, y] in its frame',
      'items': number('Coordinate in the frame of the body [m].'), 'minItems': 2, 'maxItems': 2,
      'description': 'Where it sits on the body, whose frame has its x axis from the first point '
                     'to the second [m].'}
POINT = {'type': ['string', 'object'],
         'title': 'a point of the mechanism, or one {body: name, at: [x, y]}',
         'properties': {'body': BODY, 'at': AT}, 'required': ['body', 'at'],
         'additionalProperties': False, 'description': 'The point that it observes.'}

# Of mechanisms in space.
AT_IN_SPACE = {
    'type': ['string', 'array'],
    'title': 'a point of the body, or an offset [x, y, z] in its frame',
    'items': number('Coordinate in the frame of the body [m].'), 'minItems': 3, 'maxItems': 3,
    'description': 'Where it sits on the body [m].'}
POINT_IN_SPACE = {
    'type': 'object', 'title': 'a point {body: name, at: point or [x, y, z]}',
    'properties': {'body': BODY, 'at': AT_IN_SPACE}, 'required': ['body', 'at'],
    'additionalProperties': False,
    'description': 'The point that it observes, on a body or on the ground.'}
RPY = triple("Roll, pitch, yaw of the sensor's axes in the frame of the body (REP-103) [rad].",
             default=[0.0, 0.0, 0.0])
ORIENTATION = number("Angle of the sensor's x axis in the frame of the body [rad].", default=0.0)
ANGLE = {'type': 'string', 'title': 'the name of a coordinate',
         'description': 'Coordinate that it measures, an angle.'}
LENGTH = {'type': 'string', 'title': 'the name of a coordinate',
          'description': 'Coordinate that it measures, a length.'}
