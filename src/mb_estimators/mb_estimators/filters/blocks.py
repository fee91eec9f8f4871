"""The block of states that all filters have: what is estimated of sensors."""

from collections.abc import Sequence

import numpy as np

from mb_estimators.filter.layout import Block
from mb_estimators.filters.channels import biased_channels
from mb_estimators.filters.mountings import estimated_mountings, mounting_names
from mb_estimators.filters.scales import estimated_scales
from mb_sensors import Sensor


def bias_block(sensors: Sequence[Sensor]) -> Block:
    """Return the block of what is estimated of sensors: biases, mountings, then scales."""
    biases = biased_channels(sensors)
    units = {channel: sensor.unit for sensor in sensors for channel in sensor.channels}
    mountings = estimated_mountings(sensors)
    turns, scales = mounting_names(mountings), estimated_scales(sensors)
    return Block('bias', (*(f'bias of {channel}' for channel in biases),
                          *(f'mounting of {name}' for name in turns),
                          *(f'scale of {channel}' for channel in scales)),
                 (*(units[channel] for channel in biases), *len(turns) * ['rad'],
                  *len(scales) * ['']),
                 np.array([*(settings.bias_sigma ** 2 for settings in biases.values()),
                           *np.repeat(list(mountings.values()), 3) ** 2,
                           *np.square(list(scales.values()))]))
