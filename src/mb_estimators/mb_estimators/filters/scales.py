"""Errors of sensitivity that a filter estimates: which states scale which channels."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from mb_model.arrays import RecordArray
from mb_sensors import Sensor, SensorError


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
    found: list[Sensitivity] = []
    first = 0
    for sensor in sensors:
        _require_scales(sensor, possible)
        own, lean = sensor.settings.scale_sigma, sensor.settings.misalignment_sigma
        places = range(len(sensor.channels))
        if own > 0.0:
            found += [Sensitivity(sensor.channels[k], first + k, first + k, own) for k in places]
        if lean > 0.0:
            found += [Sensitivity(f'{sensor.channels[k]} to {sensor.channels[j][-1]}', first + k,
                                  first + j, lean) for k, j in product(places, places) if k != j]
        first += len(sensor.channels)
    return found


def estimated_scales(sensors: Sequence[Sensor], possible: bool = True) -> dict[str, float]:
    """Return the deviation of every error of sensitivity by name; see estimated_sensitivities."""
    return {one.name: one.deviation for one in estimated_sensitivities(sensors, possible)}


def write_scales(record: RecordArray, kinematic: RecordArray, sensors: Sequence[Sensor],
                 offsets: int) -> None:
    """Write which channels have which errors of sensitivity, behind biases and mountings.

    offsets: how many of the states behind the motion are biases.
    """
    found = estimated_sensitivities(sensors)
    kinematic['offsets'], kinematic['first_scale'] = offsets, record['biases']
    kinematic['scales'] = len(found)
    kinematic['target'][:len(found)] = [one.target for one in found]
    kinematic['source'][:len(found)] = [one.source for one in found]
    record['biases'] += len(found)


def _require_scales(sensor, possible):
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
