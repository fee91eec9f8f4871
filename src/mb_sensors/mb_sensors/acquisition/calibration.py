"""Calibration files: scale and bias of each channel.

    crank_encoder: {bias: 0.0123}                   # reading = scale (value - bias)
    imu.x: {scale: 1.002, bias: -0.04}
"""

from dataclasses import dataclass

from mb_model import SettingError, Settings, setting
from mb_model.file_api import load_yaml, user_path
from mb_sensors.errors import SensorError


@dataclass(frozen=True)
class ChannelCalibration(Settings):
    """How the value of a device becomes a reading: scale (value - bias)."""

    scale: float = setting(1.0, help='Factor on the measured value less its bias')
    bias: float = setting(0.0, help="Measured value at zero, in the sensor's unit")

    def apply(self, value):
        """Return the reading of a value."""
        return self.scale * (value - self.bias)


def load_calibration(path, mechanism):
    """Return the ChannelCalibrations in a file by channel; it may have sensors of other drivers.

    Raises SensorError naming the file, the channel, the value and what was expected.
    """
    if not path:
        return {}
    try:
        content, _ = load_yaml(user_path(path).read_text(encoding='utf-8'))
    except UnicodeDecodeError:
        raise SensorError(f'calibration: {path}: not a text in UTF-8') from None
    except (OSError, ValueError) as error:
        raise SensorError(f'calibration: {path}: {error}') from None
    if not isinstance(content, dict):
        raise SensorError(f'{path}: must map channels to {{scale, bias}}')
    sensors = [str(channel).partition('.')[0] for channel in content]
    if sensors and not mechanism.sensors.keys() & set(sensors):     # it may be any file
        raise SensorError(f'{path}: has no sensor of {mechanism.name}, expected some of '
                          f'{", ".join(mechanism.sensors)}')
    found = {}
    for channel, entry in content.items():
        if str(channel).partition('.')[0] not in mechanism.sensors:
            raise SensorError(f'{path}: {channel}: unknown sensor of {mechanism.name}, expected '
                              f'one of {", ".join(mechanism.sensors)}')
        if not isinstance(entry, dict):
            raise SensorError(f'{path}: {channel}: {entry!r} must be a mapping with scale or bias')
        try:
            found[channel] = ChannelCalibration.from_mapping(entry)
        except SettingError as error:
            raise SensorError(f'{path}: {channel}.{error}') from None
    return found
