"""The channels of a filter's sensors: accuracy, biases, mountings and errors of sensitivity."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, product
from typing import Any, NamedTuple

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filter.layout import Block
from mb_model.arrays import FloatArray, RecordArray
from mb_sensors import NoiseSettings, Sensor, SensorError


def motion_records(sensor: Sensor) -> RecordArray:
    """Return the measurement records of a sensor, one per channel.

    Raises SensorError for a sensor of what the motion does not determine.
    """
    if len(sensor.records) == 0:
        raise SensorError(
            f'{sensor.name}: a {sensor.kind} sensor says nothing about the motion that this '
            'filter estimates')
    return sensor.records


def channel_records(sensors: Sequence[Sensor],
                    records_of: Callable[[Sensor], RecordArray] = motion_records) -> RecordArray:
    """Return the measurement records of all sensors, one per channel, in order.

    records_of(sensor): the records of one sensor.  Raises SensorError for sensors of what the
    filter does not estimate.
    """
    return np.concatenate([records_of(sensor) for sensor in sensors])


def channel_variances(sensors: Sequence[Sensor]) -> FloatArray:
    """Return every channel's noise variance.  Raises SensorError for a sensor without noise."""
    for sensor in sensors:
        if not sensor.settings.variance > 0.0:
            raise SensorError(f'{sensor.name}.sigma: must be > 0 for a sensor that a filter reads')
    return np.concatenate([np.full(len(s.channels), s.settings.variance) for s in sensors])


def reading_variances(sensors: Sequence[Sensor]) -> FloatArray:
    """Return every channel's variance of one reading: of its noise, and of a bias if it has one."""
    return channel_variances(sensors) + np.concatenate([
        np.full(len(s.channels), s.settings.bias_sigma ** 2) for s in sensors])


def biased_channels(sensors: Sequence[Sensor]) -> dict[str, NoiseSettings]:
    """Return the settings of every channel whose bias is estimated, by name, in order.

    Raises SensorError for a sensor of rotations: its offsets are no sums.
    """
    for sensor in sensors:
        if sensor.is_rotation and sensor.settings.bias_sigma > 0.0:
            raise SensorError(f'{sensor.name}.bias_sigma: no bias of an {sensor.kind} is estimated')
    return {channel: sensor.settings for sensor in sensors for channel in sensor.channels
            if sensor.settings.bias_sigma > 0.0}


def unbiased_channels(sensors: Sequence[Sensor], key: str, names: Iterable[str]) -> list[int]:
    """Return the numbers of the channels of named Sensors, none of which may have a bias.

    key: of the setting that names them.  Raises FilterError for another sensor, or with a bias.
    """
    channels: list[int] = []
    named, first = set(names), 0
    for sensor in sensors:
        if sensor.name in named:
            if sensor.settings.bias_sigma > 0.0:
                raise FilterError(f'{key}: {sensor.name} has a bias (bias_sigma > 0), which is a '
                                  'state: expected one without')
            channels += range(first, first + len(sensor.channels))
        first += len(sensor.channels)
    unknown = named - {sensor.name for sensor in sensors}
    if unknown:
        raise FilterError(f'{key}: {min(unknown)} is no sensor of this filter, expected some of '
                          f'{", ".join(sensor.name for sensor in sensors)}')
    return channels


def write_biases(record: Any, sensors: Sequence[Sensor],
                 biases: dict[str, NoiseSettings]) -> None:
    """Write to a filter's record which channels have the biases of biased_channels."""
    names = [name for sensor in sensors for name in sensor.channels]
    order = list(biases)
    record['bias_of'][:len(names)] = [
        order.index(name) if name in order else -1 for name in names]
    record['biases'] = len(order)
    record['bias_walk'][:len(order)] = [
        settings.bias_walk ** 2 for settings in biases.values()]


AXES = 'xyz'


def estimated_mountings(sensors: Sequence[Sensor], possible: bool = True) -> dict[str, float]:
    """Return the deviation [rad] of every mounting that is estimated, by its topic, in order.

    possible: whether the filter estimates any.  Raises SensorError if it does not, for sensors
    that no turn about three axes describes, and for sensors of one topic on different bodies, or
    with different deviations.
    """
    devices: dict[str, Sensor] = {}
    for sensor in sensors:
        if not sensor.settings.mounting_sigma > 0.0:
            continue
        if not possible:
            raise SensorError(f'{sensor.name}.mounting_sigma: this filter estimates no mountings; '
                              'expected 0')
        if not sensor.is_turned_vector:
            raise SensorError(f'{sensor.name}.mounting_sigma: the mounting of a sensor of a vector '
                              'in space is estimated, with the axes x, y, z; expected 0')
        first = devices.setdefault(sensor.topic, sensor)
        if first.body != sensor.body:
            raise SensorError(f'{sensor.name}.mounting_sigma: {first.name} has the same topic '
                              f'{sensor.topic}, but is on {first.body}: one device is on one body')
        if first.settings.mounting_sigma != sensor.settings.mounting_sigma:
            raise SensorError(f'{sensor.name}.mounting_sigma: {sensor.settings.mounting_sigma:g} '
                              f'must be as for {first.name}, which has the same topic '
                              f'{sensor.topic}: {first.settings.mounting_sigma:g}')
    return {topic: sensor.settings.mounting_sigma for topic, sensor in devices.items()}


def mounting_names(mountings: dict[str, float]) -> list[str]:
    """Return the names of the states of mountings: rotation vectors."""
    return [f'{topic}.{axis}' for topic in mountings for axis in AXES]


def beside_motion(biases: dict[str, NoiseSettings], mountings: dict[str, float],
                  scales: dict[str, float], values: Sequence[float],
                  deviations: Sequence[float]) -> dict[str, dict[str, float]]:
    """Return the fields of an Estimate that biases, mountings and scales have, if there are any.

    values, deviations: of the states behind the motion, which may be more.
    """
    estimates: dict[str, dict[str, float]] = {}
    begin = 0
    for one, names in (('bias', list(biases)), ('mounting', mounting_names(mountings)),
                       ('scale', list(scales))):
        if names:
            many = 'biases' if one == 'bias' else f'{one}s'
            estimates[many] = dict(zip(names, values[begin:], strict=False))
            estimates[f'{one}_deviations'] = dict(zip(names, deviations[begin:], strict=False))
        begin += len(names)
    return estimates


def write_mountings(record: Any, sensors: Sequence[Sensor],
                    mountings: dict[str, float]) -> None:
    """Write to a filter's record which channels are turned by the mountings, behind its biases."""
    order, first = list(mountings), int(record['biases'])
    if not mountings:
        return
    record['mounting_of'] = -1
    ends = list(accumulate(len(sensor.channels) for sensor in sensors))
    for sensor, end in zip(sensors, ends, strict=True):
        if sensor.settings.mounting_sigma > 0.0:
            channels = slice(end - len(AXES), end)
            record['mounting_of'][channels] = first + len(AXES) * order.index(sensor.topic)
            record['mounting_axis'][channels] = range(len(AXES))
            record['mountings'] += len(AXES)
    record['biases'] += len(AXES) * len(order)


class Sensitivity(NamedTuple):
    """An unknown share of what channel number `source` feels that channel number `target` reads.

    Of its own axis it is an error of scale, of another one the angle by which the axis leans.
    """

    name: str
    target: int
    source: int
    deviation: float


def estimated_sensitivities(sensors: Sequence[Sensor], possible: bool = True) -> list[Sensitivity]:
    """Return every error of sensitivity that is estimated, sensor by sensor: scales, then axes.

    possible: whether the filter estimates any.  Raises SensorError if it does not, for rotations,
    which have no scale, and for axes that lean of a sensor that reads no vector in space.
    """
    errors: list[Sensitivity] = []
    first = 0
    for sensor in sensors:
        _require_scales(sensor, possible)
        own, lean = sensor.settings.scale_sigma, sensor.settings.misalignment_sigma
        axes = range(len(sensor.channels))
        if own > 0.0:
            errors += [Sensitivity(sensor.channels[k], first + k, first + k, own) for k in axes]
        if lean > 0.0:
            errors += [Sensitivity(f'{sensor.channels[k]} to {sensor.channels[j][-1]}', first + k,
                                   first + j, lean) for k, j in product(axes, axes) if k != j]
        first += len(sensor.channels)
    return errors


def estimated_scales(sensors: Sequence[Sensor], possible: bool = True) -> dict[str, float]:
    """Return the deviation of every error of sensitivity by name; see estimated_sensitivities."""
    return {one.name: one.deviation for one in estimated_sensitivities(sensors, possible)}


def write_scales(record: RecordArray, kinematic: RecordArray, sensors: Sequence[Sensor],
                 offsets: int) -> None:
    """Write which channels have which errors of sensitivity, behind biases and mountings.

    offsets: how many of the states behind the motion are biases.
    """
    errors = estimated_sensitivities(sensors)
    kinematic['offsets'], kinematic['first_scale'] = offsets, record['biases']
    kinematic['scales'] = len(errors)
    kinematic['target'][:len(errors)] = [one.target for one in errors]
    kinematic['source'][:len(errors)] = [one.source for one in errors]
    record['biases'] += len(errors)


def _require_scales(sensor: Sensor, possible: bool) -> None:
    """Raise SensorError where errors of sensitivity are wanted that cannot be estimated."""
    settings = sensor.settings
    for name in ('scale_sigma', 'misalignment_sigma'):
        if getattr(settings, name) > 0.0 and (sensor.is_rotation or not possible):
            raise SensorError(f'{sensor.name}.{name}: ' + (
                f'no scale of an {sensor.kind} is estimated' if sensor.is_rotation else
                'this filter estimates no errors of sensitivity') + '; expected 0')
    if settings.misalignment_sigma > 0.0 and not sensor.is_turned_vector:
        raise SensorError(f'{sensor.name}.misalignment_sigma: axes of a sensor of a vector in '
                          'space lean, the axes x, y, z; expected 0')


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
