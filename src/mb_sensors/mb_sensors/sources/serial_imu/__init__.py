"""An IMU on a serial line: its frames and their reader; and an emulated one."""

from mb_sensors.sources.serial_imu.serial_imu import SerialImu

__all__ = ['SerialImu']
