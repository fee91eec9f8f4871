"""Pressure sensors: a FluidPressure for every reading."""

from functools import partial
import math

from sensor_msgs.msg import FluidPressure

from mb_ros.node_main import run
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp as time_stamp
from mb_sensors.nodes.sensor_driver import SensorDriver


class PressureDriver(SensorDriver):
    """Publishes pressures [Pa]; the prototype's true ones come at prototype/<sensor's name>."""

    kinds = ('pressure',)
    message_type = FluidPressure

    def __init__(self):
        super().__init__('pressure_driver')
        self._truths = [
            self.create_subscription(FluidPressure, f'prototype/{device.sensor.name}',
                                     partial(self._on_truth, device), STREAM_QOS)
            for device in self.devices]

    def reading_message(self, sensor, stamp, values):
        """Return the pressure as a FluidPressure."""
        message = FluidPressure(
            fluid_pressure=float(values[0]), variance=sensor.settings.variance)
        message.header.stamp = time_stamp(stamp)
        message.header.frame_id = sensor.name
        return message

    def _on_truth(self, device, message):
        if not math.isfinite(message.fluid_pressure):
            self.reject(f'{device.sensor.name}: the true pressure is not finite')
            return
        self.take(device, nanoseconds(message.header.stamp), [message.fluid_pressure])


def main():
    """Run the node."""
    run(PressureDriver)
