"""Orientation: how a body is turned, as an attitude reference or a tracker measures it.

Readings are rotation vectors from the axes of the mechanism to the sensor's, of at most half a
turn.  A filter takes innovations about the sensor's axes, see kind_parts.rotations.
"""

import numpy as np

from mb_model.jit import kernel
from mb_sensors.kind_parts.rotations import slopes_of_turn, turn
from mb_sensors.kind_parts.sensor_keys import BODY, RPY
from mb_sensors.kind_parts.sensor_kind import Measurement, SensorKind
from mb_sensors.kind_parts.vectors import spread_product
from mb_sensors.messages.orientation import ORIENTATION


@kernel
def orientation(channel, q, qd, qdd):
    """Return a component of the rotation vector [rad] from the channel's reference."""
    return turn(channel, q)[channel.rotation - 1]


@kernel
def orientation_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Add its derivatives by q (n_total): by turns about the sensor's axes, (w dv - v dw) / 2."""
    slopes = slopes_of_turn(turn(channel, q), channel.rotation - 1)
    for axis in range(3):
        v, w = (axis + 1) % 3, (axis + 2) % 3
        spread_product(channel, v, w, q, 0.5 * slopes[axis], h_q)
        spread_product(channel, w, v, q, -0.5 * slopes[axis], h_q)


def _read(mount):
    body = mount.body('body')
    columns = mount.turn('rpy').T
    axes = mount.vectors(*(mount.direction(body, column) for column in columns))
    return body, {axis: {**axes, 'rotation': 1 + k, 'reference': np.eye(3)}
                  for k, axis in enumerate('xyz')}


KIND = SensorKind(
    'orientation',
    measures='How a body is turned: a rotation vector from the axes of the mechanism; in space',
    unit='rad', sits_on='body', message=ORIENTATION, is_rotation=True,
    space=Measurement({'body': BODY, 'rpy': RPY}, _read, orientation, orientation_jacobian))
