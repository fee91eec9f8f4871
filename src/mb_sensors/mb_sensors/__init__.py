"""Measurement functions, noise models and sensor drivers."""

from mb_sensors.errors import SensorError
from mb_sensors.noise import SensorNoise
from mb_sensors.noise_settings import NoiseSettings
from mb_sensors.selection import sensors_of
from mb_sensors.sensor import Sensor

__all__ = ['NoiseSettings', 'Sensor', 'SensorError', 'SensorNoise', 'sensors_of']
