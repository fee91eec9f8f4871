"""CHANNEL records from what differs from zero in them."""

import numpy as np

from mb_sensors.kernels.channel import CHANNEL


def channel_record(kind, **values):
    """Return the record of a quantity of a kind; without a coordinate of its own if none is given.

    values: other fields of CHANNEL.
    """
    record = np.zeros(1, dtype=CHANNEL)
    record['kind'], record['coordinate'] = kind, -1
    for name, value in values.items():
        record[name] = value
    return record
