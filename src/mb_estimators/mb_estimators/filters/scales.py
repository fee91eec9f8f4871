"""Errors of sensitivity that a filter estimates: which states scale which channels."""

from collections.abc import Sequence

from mb_model.arrays import RecordArray
from mb_sensors import Sensor, SensorError


def estimated_scales(sensors: Sequence[Sensor], possible: bool = True) -> dict[str, float]:
    """Return the deviation of every error of sensitivity that is estimated, by channel, in order.

    possible: whether the filter estimates any.  Raises SensorError if it does not, and for
    rotations, which have no scale.
    """
    for sensor in sensors:
        if sensor.settings.scale_sigma > 0.0 and (sensor.is_rotation or not possible):
            raise SensorError(f'{sensor.name}.scale_sigma: ' + (
                f'no scale of an {sensor.kind} is estimated' if sensor.is_rotation else
                'this filter estimates no errors of sensitivity') + '; expected 0')
    return {channel: sensor.settings.scale_sigma for sensor in sensors
            for channel in sensor.channels if sensor.settings.scale_sigma > 0.0}


def write_scales(record: RecordArray, kinematic: RecordArray, sensors: Sequence[Sensor],
                 scales: dict[str, float]) -> None:
    """Write which channels have the scales of estimated_scales, behind biases and mountings."""
    names = [name for sensor in sensors for name in sensor.channels]
    first = int(record['biases'])
    order = {name: first + k for k, name in enumerate(scales)}
    kinematic['scale_of'][:len(names)] = [order.get(name, -1) for name in names]
    kinematic['scales'] = len(scales)
    record['biases'] += len(scales)
