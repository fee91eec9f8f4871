"""Readings that arrive late, in the drivers and offline."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from mb_model import load_mechanism, simulate
from mb_sensors import sensors_of
from mb_sensors.faults import SensorDelay
from mb_sensors.readings import true_values
from mb_sensors.recorded import RecordedSensor, in_order_of_arrival
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import NoiseSettings
from mb_sensors.simulated_sensor import SimulatedSensor

MS = NANOSECONDS // 1000
RUN = simulate(load_mechanism('four_bar'), 0.2, 0.005)
STAMPS = [NANOSECONDS + k * 5 * MS for k in range(len(RUN.t))]


def test_delays_are_spread_evenly_and_decided_by_seed_and_number():
    settings = NoiseSettings(sigma=1.0, delay=3e-3, delay_spread=1e-3)
    delay = SensorDelay(settings, 1, 'imu')
    late = np.array([delay.arrival(k * MS, k) - k * MS for k in range(20_000)])
    assert stats.kstest(late / MS - 3.0, 'uniform').pvalue > 1e-3
    again = SensorDelay(settings, 1, 'imu')
    assert [again.arrival(k * MS, k) - k * MS for k in range(50, 60)] == late[50:60].tolist()


def test_no_reading_overtakes_another():
    delay = SensorDelay(NoiseSettings(sigma=1.0, delay=1e-3, delay_spread=9e-3), 1, 'imu')
    arrivals = np.array([delay.arrival(k * MS, k) for k in range(2000)])
    assert (np.diff(arrivals) >= 0).all()
    late = arrivals - MS * np.arange(2000)
    assert late.min() >= MS
    assert late.max() <= 10 * MS


@pytest.mark.parametrize('at_arrival', [False, True])
def test_readings_arrive_offline_as_in_a_driver(at_arrival):
    """The same readings at the same time with the same stamps, whichever way they are made."""
    late = {'crank_gyro': {'delay': 7e-3, 'delay_spread': 12e-3, 'drop_out': 0.1,
                           'drawn_bias': 0.3, 'stamped_at_arrival': at_arrival},
            'crank_encoder': {'delay': 1e-3}}
    sensors = [sensor.with_settings(replace(sensor.settings, **late[sensor.name]))
               for sensor in sensors_of(RUN.mechanism, list(late))]
    offline = [(arrival, name, stamp, values.tolist()) for arrival, name, stamp, values
               in in_order_of_arrival([RecordedSensor(s, RUN, STAMPS) for s in sensors], seed=5)]
    assert offline == sorted(offline, key=lambda reading: reading[0])
    for sensor in sensors:
        device, received = SimulatedSensor(sensor, 5), []
        truth = true_values(RUN.mechanism, sensor, RUN.q, RUN.qd, RUN.qdd)
        waiting = dict(zip(STAMPS, truth, strict=True))
        for now in range(STAMPS[0], STAMPS[-1] + 30 * MS, MS // 10):
            if now in waiting:
                device.take(now, waiting[now])
            received += [(now, stamp, values) for _, stamp, values in device.release(now)]
        expected = [(arrival, stamp, values) for arrival, name, stamp, values in offline
                    if name == sensor.name]
        assert [reading[1:] for reading in received] == [reading[1:] for reading in expected]
        assert all(0 <= now - arrival < MS // 10 for (now, *_), (arrival, *_)
                   in zip(received, expected, strict=True))
        if not at_arrival:
            assert {stamp for _, stamp, _ in expected} <= set(STAMPS)
