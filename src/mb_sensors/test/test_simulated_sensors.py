"""Sensors that read the motion of one machine together."""

from dataclasses import replace

import numpy as np
import pytest

from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.faults import FaultSettings
from mb_sensors.readings import true_values
from mb_sensors.simulated_sensor import SimulatedSensor
from mb_sensors.simulated_sensors import SimulatedSensors

MS = 1_000_000
ROBOT = load_mechanism('three_rrr')
NOISE = [{'rate': 300.0}, {'drop_out': 0.2, 'resolution': 0.01}, {'delay': 0.004},
         {'rate': 500.0, 'bias': 0.1, 'stamped_at_arrival': True, 'delay_spread': 0.003},
         {'drawn_bias': 0.3}]
FAULTS = FaultSettings(spike_from=1.05, spike_for=0.1, spike_size=2.0)


def devices():
    return [SimulatedSensor(s.with_settings(replace(s.settings, **noise)), 7, FAULTS)
            for s, noise in zip(sensors_of(ROBOT, ['drive_encoders', 'imu']), NOISE, strict=True)]


def test_each_reads_what_it_would_read_alone():
    """Whatever rates, noise, faults and delays the others have."""
    together, alone = devices(), devices()
    sensors, rng = SimulatedSensors(ROBOT, together), np.random.default_rng(2)
    found, expected = [], []
    for stamp in range(1000 * MS, 1200 * MS, MS):
        state = rng.normal(size=(3, ROBOT.n))
        found += sensors.read(stamp, *state)
        for device in alone:
            device.take(stamp, true_values(ROBOT, device.sensor, *state[:, np.newaxis])[0])
            expected += device.release(stamp)
    assert len(found) > 700
    assert [(s.name, *reading) for s, *reading in found] == [
        (s.name, *reading) for s, *reading in expected]
    assert [(d.taken, d.dropped) for d in together] == [(d.taken, d.dropped) for d in alone]
    assert together[1].dropped > 20


def test_a_wrong_state_is_as_if_it_had_not_been():
    sensors, state = SimulatedSensors(ROBOT, devices()[:2]), np.ones((3, ROBOT.n))
    for wrong in (state[:, 1:], state * np.nan):
        with pytest.raises(ValueError, match='a state'):
            sensors.read(1000 * MS, *wrong)
    assert len(sensors.read(1000 * MS, *state)) == 2
