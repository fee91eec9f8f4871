"""The channels of a filter's sensors: what they measure and how accurately."""

import numpy as np

from mb_estimators.filter import FilterError
from mb_sensors import SensorError


def motion_records(sensor):
    """Return the measurement records of a sensor, one per channel.

    Raises SensorError for a sensor of what the motion does not determine.
    """
    if len(sensor.records) == 0:
        raise SensorError(
            f'{sensor.name}: a {sensor.kind} sensor says nothing about the motion that this '
            'filter estimates')
    return sensor.records


def channel_records(sensors, records_of=motion_records):
    """Return the measurement records of all sensors, one per channel, in order.

    records_of(sensor): the records of one sensor.  Raises SensorError for sensors of what the
    filter does not estimate.
    """
    return np.concatenate([records_of(sensor) for sensor in sensors])


def channel_variances(sensors):
    """Return every channel's noise variance.  Raises SensorError for a sensor without noise."""
    for sensor in sensors:
        if not sensor.settings.variance > 0.0:
            raise SensorError(f'{sensor.name}.sigma: must be > 0 for a sensor that a filter reads')
    return np.concatenate([np.full(len(s.channels), s.settings.variance) for s in sensors])


def reading_variances(sensors):
    """Return every channel's variance of one reading: of its noise, and of a bias if it has one."""
    return channel_variances(sensors) + np.concatenate([
        np.full(len(s.channels), s.settings.bias_sigma ** 2) for s in sensors])


def biased_channels(sensors):
    """Return the settings of every channel whose bias is estimated, by name, in order.

    Raises SensorError for a sensor of rotations: its offsets are no sums.
    """
    for sensor in sensors:
        if sensor.is_rotation and sensor.settings.bias_sigma > 0.0:
            raise SensorError(f'{sensor.name}.bias_sigma: no bias of an {sensor.kind} is estimated')
    return {channel: sensor.settings for sensor in sensors for channel in sensor.channels
            if sensor.settings.bias_sigma > 0.0}


def unbiased_channels(sensors, key, names):
    """Return the places of the channels of named Sensors, none of which may have a bias.

    key: of the setting that names them.  Raises FilterError for another sensor, or with a bias.
    """
    named, places, place = set(names), [], 0
    for sensor in sensors:
        if sensor.name in named:
            if sensor.settings.bias_sigma > 0.0:
                raise FilterError(f'{key}: {sensor.name} has a bias (bias_sigma > 0), which is a '
                                  'state: expected one without')
            places += range(place, place + len(sensor.channels))
        place += len(sensor.channels)
    unknown = named - {sensor.name for sensor in sensors}
    if unknown:
        raise FilterError(f'{key}: {min(unknown)} is no sensor of this filter, expected some of '
                          f'{", ".join(sensor.name for sensor in sensors)}')
    return places


def write_biases(record, sensors, biases):
    """Write to a filter's record which channels have the biases of biased_channels."""
    names = [name for sensor in sensors for name in sensor.channels]
    order = list(biases)
    record['bias_of'][:len(names)] = [
        order.index(name) if name in order else -1 for name in names]
    record['biases'] = len(order)
    record['bias_walk'][:len(order)] = [
        settings.bias_walk ** 2 for settings in biases.values()]
