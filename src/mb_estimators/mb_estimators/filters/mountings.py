"""Mountings of sensors in space that a filter estimates: which states turn which channels."""

from collections.abc import Sequence
from itertools import accumulate

from mb_sensors import Sensor, SensorError

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


def beside_motion(biases, mountings, scales, values, deviations):
    """Return the fields of an Estimate that biases, mountings and scales have, if there are any.

    values, deviations: of the states behind the motion, which may be more.
    """
    found, begin = {}, 0
    for one, names in (('bias', list(biases)), ('mounting', mounting_names(mountings)),
                       ('scale', list(scales))):
        if names:
            many = 'biases' if one == 'bias' else f'{one}s'
            found[many] = dict(zip(names, values[begin:], strict=False))
            found[f'{one}_deviations'] = dict(zip(names, deviations[begin:], strict=False))
        begin += len(names)
    return found


def write_mountings(record, sensors, mountings):
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
