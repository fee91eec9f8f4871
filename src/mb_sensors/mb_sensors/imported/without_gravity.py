"""Accelerations whose gravity a device has left out, as an accelerometer would read them."""

from collections.abc import Callable
from dataclasses import dataclass
import re

import numpy as np

from mb_model import Settings, setting
from mb_model.arrays import FloatArray
from mb_sensors.imported.orientation_columns import OrientationColumns
from mb_sensors.sensor import Sensor

GRAVITY_LEFT_OUT, INCLUDED = 'left_out', 'included'
_SAYS_SO = re.compile(r'free_?acc|user_?acc|lin_?acc|linear_?acc(?!eleration[._]?[xyz]?\b)|'
                      r'acc(eleration)?_?(free|lin|without)|(no|without)_?(g|gravity)\b')
_FELT = 0.5             # share of gravity that an accelerometer reads in the median, at least


@dataclass(frozen=True)
class GravitySettings(Settings):
    """What is known of the gravity in the readings of an accelerometer."""

    gravity: str = setting(
        '', choices=('', INCLUDED, GRAVITY_LEFT_OUT),
        help=f'{INCLUDED}: it reads +g upwards at rest; {GRAVITY_LEFT_OUT}: it reads 0 then, and '
             '`orientation` says how it is turned; empty: judged by names and numbers')
    axes: str = setting('sensor', choices=('sensor', 'earth'),
                        help="In which axes accelerations without gravity are: the sensor's, or "
                             "the mechanism's")


def gravity_added(columns: OrientationColumns, gravity: FloatArray, axes: str,
                  ) -> Callable[[FloatArray], FloatArray]:
    """Return a function of numbers (k, 3 + columns of the orientation): specific forces (k, 3).

    f = R' (a - g), of a in the mechanism's axes; R takes the sensor's axes to them.
    """
    def readings(numbers: FloatArray):
        turned = columns.rotations(numbers[:, 3:])
        if axes == 'earth':
            return turned.inv().apply(numbers[:, :3] - gravity)
        return numbers[:, :3] - turned.inv().apply(gravity)
    return readings


def without_gravity(sensor: Sensor, names: list[str], median: float, gravity: FloatArray) -> str:
    """Return why an accelerometer's readings seem to be without gravity; or ''.

    median: of their lengths [m/s^2].
    """
    size = float(np.linalg.norm(gravity))
    if sensor.kind != 'accelerometer' or size < 1.0:
        return ''
    expected = f'expected gravity: {GRAVITY_LEFT_OUT} and an `orientation`, or gravity: {INCLUDED}'
    if any(_SAYS_SO.search(name.lower().replace(' ', '_')) for name in names):
        return f'{", ".join(names)}: accelerations without gravity by their names: {expected}'
    if len(sensor.channels) < 3 and sensor.axes != ('x', 'y'):
        return ''
    if median >= _FELT * size:
        return ''
    unit = ', or unit: g' if 0.05 * size < median < 0.2 * size else ''
    return (f'half of the readings are less than {median:.3g} m/s^2 long, but an accelerometer '
            f'reads {size:.3g} m/s^2 at rest: {expected}{unit}')
