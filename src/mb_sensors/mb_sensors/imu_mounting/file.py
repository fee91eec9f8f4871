"""Where a mechanism file says that an IMU sits."""

from collections.abc import Sequence

import numpy as np
from scipy.spatial.transform import Rotation

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sensor import Sensor


def mounting_in_file(mechanism: Mechanism, sensors: Sequence[Sensor]
                     ) -> tuple[FloatArray, FloatArray]:
    """Return offset [m] and rotation vector (3 each) of an IMU of a body, as in the file.

    Of its accelerometer, if it has one.  Raises SensorError.
    """
    sensor = next((one for one in sensors if one.kind == 'accelerometer'), sensors[0])
    entry, body = mechanism.sensors[sensor.name], mechanism.bodies[sensor.body]
    at = entry.get('at', [])
    offset = np.zeros(3)
    try:
        local = body.points[at] if isinstance(at, str) else [mechanism.number(one) for one in at]
        turns = [mechanism.number(one) for one in (
            entry.get('rpy', [0.0] * 3) if mechanism.dimension == 3
            else [0.0, 0.0, entry.get('orientation', 0.0)])]
    except ValueError as error:
        raise SensorError(f'{mechanism.file}: sensors.{sensor.name}: {error}') from None
    offset[:len(local)] = local
    return offset, Rotation.from_euler('xyz', turns).as_rotvec()
