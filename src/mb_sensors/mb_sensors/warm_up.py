"""Compile every kernel of mb_sensors into numba's cache: `python -m mb_sensors.warm_up`."""

from time import perf_counter

import numpy as np

from mb_model import load_mechanism
from mb_model.jit import compile_ahead
from mb_model.kernel_api import warm_up as warm_up_model
from mb_sensors.readings import true_values
from mb_sensors.selection import sensors_of
from mb_sensors.simulated_sensor import SimulatedSensor
from mb_sensors.simulated_sensors import SimulatedSensors


def warm_up() -> None:
    """Let everything that is compiled run once; compilation happens on the first call."""
    warm_up_model()
    warm_up_readings()


def warm_up_readings() -> None:
    """Read every sensor of a mechanism once."""
    mechanism = load_mechanism('four_bar')
    devices = [SimulatedSensor(sensor, 0)
               for sensor in sensors_of(mechanism, list(mechanism.sensors))]
    for device in devices:
        device.rehearse()
    SimulatedSensors(mechanism, devices)
    first, rest = devices[0], np.zeros((1, mechanism.n))
    first.noise.readings([0], true_values(
        mechanism, first.sensor, mechanism.q0[np.newaxis], rest, rest))


def main() -> None:
    """Warm the cache and print how long it took."""
    start = perf_counter()
    compile_ahead()
    warm_up()
    print(f'mb_sensors: kernels ready after {perf_counter() - start:.1f} s')


if __name__ == '__main__':
    main()
