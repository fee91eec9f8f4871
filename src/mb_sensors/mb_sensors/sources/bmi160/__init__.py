"""The Bosch BMI160 on I2C: its registers, set-up and FIFO; and an emulated one."""

from mb_sensors.sources.bmi160.bmi160 import Bmi160

__all__ = ['Bmi160']
