"""A fitted mounting as overrides of a mechanism file."""

from collections.abc import Collection, Sequence
from typing import Any

from mb_model import Mechanism
from mb_sensors.imu_mounting.fit import MountingFit
from mb_sensors.imu_mounting.model import OFFSET, angle_in_plane, roll_pitch_yaw
from mb_sensors.sensor import Sensor

_DIGITS = 6


def mounting_overrides(mechanism: Mechanism, sensors: Sequence[Sensor], fit: MountingFit,
                       wanted: Collection[str]) -> dict[str, Any]:
    """Return what readings say of a MountingFit of an IMU's Sensors, for Mechanism.replace.

    wanted: some of position, orientation, delay; the file has no biases of channels.
    """
    size, entries = mechanism.dimension, {}
    turned = roll_pitch_yaw(fit.x)[0] if size == 3 else [angle_in_plane(fit.x)]
    for sensor in sensors:
        entry: dict[str, Any] = {}
        sits = sensor.kind == 'accelerometer'
        if 'position' in wanted and fit.is_known('at') and (size == 3 or sits):
            entry['at'] = _rounded(fit.x[OFFSET][:size])
        if 'orientation' in wanted and size == 3 and fit.is_known('rpy'):
            entry['rpy'] = _rounded(turned)
        if 'orientation' in wanted and size == 2 and sits and fit.is_known('orientation'):
            entry['orientation'], = _rounded(turned)
        if 'delay' in wanted and fit.is_known('delay') and (delay := fit.values('delay')[0]) >= 0.0:
            entry['delay'], = _rounded([delay])
        if entry:
            entries[sensor.name] = entry
    return {'sensors': entries} if entries else {}


def _rounded(values: Any) -> list[float]:
    return [float(f'{value:.{_DIGITS}g}') for value in values]
