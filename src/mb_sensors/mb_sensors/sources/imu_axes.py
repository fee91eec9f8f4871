"""The axes of IMUs, for all sources that are IMUs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mb_model import SettingError, Settings, setting
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sensor import Sensor

_AXES = {'x': 0, 'y': 1, 'z': 2}


@dataclass(frozen=True)
class ImuSensorSettings(Settings):
    """How the device sits in the sensor."""

    axes: tuple[str, ...] = setting(
        ('x', 'y', 'z'), choices=('x', 'y', 'z', '-x', '-y', '-z'),
        help="Axes of the device along the sensor's x, y and z")


class ImuAxes:
    """Takes the values of a Sensor (gyroscope or accelerometer) from its device's values."""

    def __init__(self, sensor: Sensor, settings: ImuSensorSettings) -> None:
        """Set up for ImuSensorSettings.  Raises SettingError unless they are three axes."""
        axes = settings.axes
        if sorted(axis[-1] for axis in axes) != ['x', 'y', 'z']:
            raise SettingError(f'{sensor.name}: axes: {list(axes)} must name x, y and z, each once')
        wanted = ['z'] if sensor.kind == 'gyroscope' else sensor.axes
        chosen = [axes[_AXES[axis]] for axis in wanted]
        self.sensor = sensor
        self.is_gyroscope = sensor.kind == 'gyroscope'
        self._indices = [(_AXES[axis[-1]], -1.0 if axis.startswith('-') else 1.0)
                         for axis in chosen]

    def values(self, rate: Sequence[float], force: Sequence[float]):
        """Return the sensor's values from the device's angular rates and specific forces (3)."""
        measured = rate if self.is_gyroscope else force
        return tuple(sign * measured[index] for index, sign in self._indices)

    def put(self, values: Sequence[float], rate: list[float], force: list[float]):
        """Write the sensor's values where the device would have measured them (3)."""
        measured = rate if self.is_gyroscope else force
        for (index, sign), value in zip(self._indices, values, strict=True):
            measured[index] = sign * float(value)


def imu_axes(sensors: Sequence[Sensor], each: Mapping[str, ImuSensorSettings]):
    """Return the ImuAxes of the Sensors of one device.

    Raises SensorError for sensors that cannot be one device: on different bodies, or two alike.
    """
    axes = [ImuAxes(sensor, each[sensor.name]) for sensor in sensors]
    for one in axes[1:]:
        first = axes[0]
        if one.sensor.body != first.sensor.body or one.is_gyroscope == first.is_gyroscope:
            raise SensorError(
                f'{first.sensor.name} and {one.sensor.name}: one IMU is one gyroscope and one '
                'accelerometer on one body; give each of several its own port or bus')
    return axes
