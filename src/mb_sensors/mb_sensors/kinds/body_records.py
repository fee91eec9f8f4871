"""Channels on bodies."""

import numpy as np

from mb_sensors.kernels.channel import CHANNEL


def body_records(mechanism, body, kind):
    """Return the record of one quantity of a body, by its own angle coordinate where it has one."""
    angle = mechanism.angle_index(body)
    record = np.zeros(1, dtype=CHANNEL)
    record['kind'] = kind
    record['coordinate'] = -1 if angle is None else angle
    record['first'], record['second'] = mechanism.body_indices(body)
    return record
