"""What drivers of sensors of motion share: they read the state of the prototype."""

import numpy as np

from mb_interfaces.msg import MechanismState
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds
from mb_sensors.nodes.sensor_driver import SensorDriver
from mb_sensors.readings import true_values


class MotionDriver(SensorDriver):
    """Reads the prototype's state."""

    def __init__(self, name):
        super().__init__(name)
        self._subscription = self.create_subscription(
            MechanismState, 'prototype/state', self._on_truth, STREAM_QOS)

    def _on_truth(self, message):
        if tuple(message.coordinates) != self.mechanism.coordinates:
            self.reject(f'the prototype is a {message.mechanism!r} with the coordinates '
                        f'{list(message.coordinates)}, expected a {self.mechanism.name!r}')
            return
        state = [np.array(x) for x in (message.q, message.qd, message.qdd)]
        if any(x.size != self.mechanism.n or not np.isfinite(x).all() for x in state):
            self.reject('the state of the prototype is not complete and finite')
            return
        stamp = nanoseconds(message.header.stamp)
        for device in self.devices:
            truth = true_values(self.mechanism, device.sensor, *(x[np.newaxis] for x in state))
            self.take(device, stamp, truth[0])
