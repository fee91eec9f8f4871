"""Pressure sensor: a pressure that the motion of the mechanism does not determine."""

import numpy as np

from mb_sensors.kernels.channel import CHANNEL

UNIT = 'Pa'
ON_BODY = False


def records(mechanism, body):
    """Return no channels: readings need a true pressure from elsewhere."""
    return np.empty(0, dtype=CHANNEL)
