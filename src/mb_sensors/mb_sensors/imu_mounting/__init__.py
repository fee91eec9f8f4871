"""Where an IMU sits on its body, identified from the body's motion and the IMU's readings."""

from mb_sensors.imu_mounting.body_motion import BodyMotion
from mb_sensors.imu_mounting.fit import MountingFit, MountingFitSettings, fit_mounting

__all__ = ['BodyMotion', 'MountingFit', 'MountingFitSettings', 'fit_mounting']
