"""Blocks of states that several filters have: motion and biases of sensors."""

from collections.abc import Sequence

import numpy as np

from mb_estimators.filter.layout import Block, Layout
from mb_estimators.filters.channels import biased_channels
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_model import Mechanism
from mb_sensors import Sensor

MOTION = ('position', 'velocity', 'acceleration')       # blocks that a given covariance is of
_ORDERS = (*MOTION, 'jerk')
_RATES = ('', '/s', '/s^2', '/s^3')


def motion_blocks(mechanism: Mechanism, variances: Sequence[float]) -> list[Block]:
    """Return blocks of z, of zd, and so on, one for each of the variances at the start.

    States of filters that run the model freely are the errors of these.
    """
    units = [mechanism.unit(name) for name in mechanism.independent]
    return [Block(kind, tuple(f'{name} {kind}' if order else name
                              for name in mechanism.independent),
                  tuple(unit + _RATES[order] for unit in units), np.full(mechanism.g, variance))
            for order, (kind, variance) in enumerate(zip(_ORDERS, variances, strict=False))]


def white_noise_layout(mechanism: Mechanism, sensors: Sequence[Sensor],
                       settings: ModelFilterSettings, *further: Block) -> Layout:
    """Return the layout z, zd, biases, further blocks, of filters with WhiteNoiseSettings."""
    return Layout([*motion_blocks(mechanism, 2 * [settings.initial_variance]),
                   bias_block(sensors), *further])


def bias_block(sensors: Sequence[Sensor]) -> Block:
    """Return the block of the biases that are estimated, in order of their channels."""
    biases = biased_channels(sensors)
    units = {channel: sensor.unit for sensor in sensors for channel in sensor.channels}
    return Block('bias', tuple(f'bias of {channel}' for channel in biases),
                 tuple(units[channel] for channel in biases),
                 np.array([settings.bias_sigma ** 2 for settings in biases.values()]))
