"""Transmitters of 4 to 20 mA: converter of Linux, current loop, buffer; and an emulated one."""

from mb_sensors.sources.analog.analog import Analog

__all__ = ['Analog']
