"""Emulated devices in the three-simulation method: what simulated sensors would have read."""

import unittest

from bag_reports import report_in
import launch_testing
from launched_file import EndsByItself, EndsCleanly, launched_file, passing_folder
import numpy as np
import pytest

from mb_model import load_mechanism
from mb_ros.stamps import nanoseconds
from mb_sensors import SensorNoise, open_bag, sensors_of
from mb_sensors.readings import true_values
from mb_sensors.sampling import reading_number

SENSORS = ['crank_encoder', 'crank_gyro']
DURATION = 5.0
# Half a count of an encoder with 18 bits [rad]; a float [rad/s].
STEPS = {'crank_encoder': np.pi / 2 ** 18, 'crank_gyro': 2e-6}


@pytest.mark.launch_test
@pytest.mark.whole
def generate_test_description():
    """Run some seconds through a CAN bus and a serial line."""
    results = passing_folder('emulated_sources_')
    arguments = {'sources': 'emulated', 'sensors': ', '.join(SENSORS), 'results': str(results),
                 'duration': str(DURATION), 'record': 'true', 'composed': 'false'}
    return launched_file('three_simulation', arguments), {'results': results}


class TestRun(EndsByItself, unittest.TestCase):
    """While it runs."""

    monitor, patience = 'accuracy_monitor', 150


@launch_testing.post_shutdown_test()
class TestOutcome(EndsCleanly, unittest.TestCase):
    """After everything has ended."""

    def test_figures(self, results):
        """The observer is as accurate as with simulated sensors, 0.00026 rad here."""
        report = report_in(results / 'latest')
        self.assertGreater(report['model']['position_rmse_after_2s'][0], 0.3)
        self.assertLess(report['observer']['position_rmse_after_2s'][0], 0.0004)

    def test_readings_are_those_of_simulated_sensors(self, results):
        """At the same stamps, all of them, but for the resolution of the devices.

        The recorder may end before the very last ones come.
        """
        bag = read_bag(results / 'latest' / 'bag')
        mechanism = load_mechanism('four_bar')
        states = bag['/prototype/state']
        stamps = [nanoseconds(message.header.stamp) for message in states]
        arrays = [np.array([getattr(m, key) for m in states]) for key in ('q', 'qd', 'qdd')]
        for sensor in sensors_of(mechanism, SENSORS):
            read = bag[f'/{sensor.name}']
            places = [stamps.index(nanoseconds(message.header.stamp)) for message in read]
            self.assertEqual(places, list(range(len(places))))
            self.assertGreaterEqual(len(places), len(stamps) - 2)
            numbers = [reading_number(stamps[k], sensor.rate) for k in places]
            expected = SensorNoise(sensor.settings, 0, sensor.name).readings(
                numbers, true_values(mechanism, sensor, *(x[places] for x in arrays)))
            values = [message.position[0] if sensor.name == 'crank_encoder'
                      else message.angular_velocity.z for message in read]
            np.testing.assert_allclose(values, expected[:, 0], rtol=0.0, atol=STEPS[sensor.name])


def read_bag(path):
    """Return the messages of the prototype and the sensors in a bag, by topic."""
    with open_bag(path) as bag:
        return {topic: [message for _, message in bag.of(topic)]
                for topic in ('/prototype/state', *(f'/{sensor}' for sensor in SENSORS))}
