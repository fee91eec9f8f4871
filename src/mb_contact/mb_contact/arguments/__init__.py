"""Arguments of methods: errors of their set-up, sensors, and states as kernels take them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_sensors import Sensor, sensors_of


class ContactError(ValueError):
    """A method that cannot be set up as asked for; the text says what and why."""


def one_on_each(mechanism: Mechanism, setting: str, names: Sequence[str], kind: str,
                parts: Sequence[str]) -> list[Sensor]:
    """Return Sensors of a kind in the order of the parts that they are on, one on each.

    names: of sensors or their groups, as given for a setting; parts: names of drives or volumes.
    Raises ContactError, SensorError.
    """
    sensors = sensors_of(mechanism, names) if names else []
    where = f'{mechanism.file}: {setting}'
    for sensor in sensors:
        if sensor.kind != kind:
            raise ContactError(f'{where}: {sensor.name}: {sensor.kind} must be {kind}')
    on = {sensor.body: sensor for sensor in sensors}
    if sorted(sensor.body for sensor in sensors) != sorted(parts):
        raise ContactError(
            f'{where}: they read {", ".join(sensor.body for sensor in sensors) or "nothing"}, '
            f'expected one on each of {", ".join(parts) or "no " + setting}')
    return [on[part] for part in parts]


def rows_of(count: int, name: str, values: ArrayLike, dimensions: int = 2) -> FloatArray:
    """Return values as an array with `count` rows, of numbers or, in 3 dimensions, of matrices.

    With fewer rows kernels would read beyond the end.  Raises ValueError.
    """
    values = np.ascontiguousarray(values, np.float64)
    if values.ndim != dimensions or len(values) != count:
        what = 'matrices' if dimensions == 3 else 'rows of numbers'
        raise ValueError(f'{name}: shape {values.shape} must be of {count} {what}, one for '
                         'each stamp')
    return values
