"""Channels on bodies."""

import numpy as np

from mb_sensors.kernels.channel import CHANNEL


def body_records(mechanism, body, kind):
    """Return the record of one quantity of a body, by its own angle coordinate where it has one."""
    first, second = mechanism.model['body_index'][0, list(mechanism.bodies).index(body)]
    return np.array([(kind, _own_angle(mechanism, body), first, second)], dtype=CHANNEL)


def _own_angle(mechanism, body):
    """Return the place in q of the body's angle coordinate, -1 if it has none."""
    for coordinate in mechanism.described.coordinates.values():
        if coordinate.kind == 'angle' and coordinate.body == body:
            return mechanism.coordinates.index(coordinate.name)
    return -1
