"""Simulated sensors that fail on demand, and readings that arrive late, live and offline."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from mb_model import load_mechanism, simulate
from mb_sensors import sensors_of
from mb_sensors.faults import FaultSettings, SensorDelay
from mb_sensors.readings import true_values
from mb_sensors.recorded import RecordedSensor, in_order_of_arrival
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import NoiseSettings
from mb_sensors.simulated_sensor import SimulatedSensor

SEED, FIRST = 3, 10 ** 9          # ns
# Begin and end between readings.
FAULTS = FaultSettings(dead_from=1.095, dead_for=0.1, stuck_from=1.295, stuck_for=0.1,
                       spike_from=1.495, spike_for=0.2, spike_size=50.0, spike_share=0.25,
                       offset_from=1.695, offset_for=0.05, offset_size=-3.0)


@pytest.fixture(scope='module')
def run():
    return simulate(load_mechanism('four_bar'), 0.8, 5e-3)


@pytest.fixture(scope='module')
def stamps(run):
    return [FIRST + round(1e9 * t) for t in run.t]


@pytest.fixture(scope='module')
def sensor(run):
    encoder, = sensors_of(run.mechanism, ['crank_encoder'])
    return encoder.with_settings(replace(encoder.settings, rate=100.0))


def test_each_fault_shows_while_it_lasts_and_only_then(run, stamps, sensor):
    recorded = RecordedSensor(sensor, run, stamps)
    plain, failing = recorded.readings(SEED)[:, 0], recorded.readings(SEED, FAULTS)[:, 0]
    due = np.isfinite(plain)
    when = np.array(stamps) / 1e9

    def during(begin, end):
        return due & (when > begin - 5e-3) & (when < end - 5e-3)
    assert np.isnan(failing[during(1.1, 1.2)]).all()
    before = plain[during(1.29, 1.3)]
    assert (failing[during(1.3, 1.4)] == before).all()
    off = np.abs(failing - plain)[during(1.5, 1.7)]
    hit = off > 1.0
    assert 0 < hit.sum() < len(off)
    assert off[hit] == pytest.approx(50.0)
    assert not off[~hit].any()
    assert (failing - plain)[during(1.7, 1.75)] == pytest.approx(-3.0)
    healthy = due & ~during(1.1, 1.2) & ~during(1.3, 1.4) & ~during(1.5, 1.75)
    assert (failing[healthy] == plain[healthy]).all()


def test_recorded_and_live_sensors_fail_alike(run, stamps, sensor):
    live = SimulatedSensor(sensor, SEED, FAULTS)
    truth = true_values(run.mechanism, sensor, run.q, run.qd, run.qdd)
    for stamp, values in zip(stamps, truth, strict=True):
        live.take(stamp, values)
    readings = RecordedSensor(sensor, run, stamps).readings(SEED, FAULTS)
    present = np.isfinite(readings[:, 0])
    released = live.release_all()
    assert [stamp for _, stamp, _ in released] == np.array(stamps)[present].tolist()
    assert [values for _, _, values in released] == readings[present].tolist()


def test_settings_may_change_on_the_way(run, stamps, sensor):
    """Readings before have the old settings, readings since the new ones."""
    truth = true_values(run.mechanism, sensor, run.q, run.qd, run.qdd)
    noise = replace(sensor.settings, sigma=2.0 * sensor.settings.sigma, bias=0.1, delay=0.02)
    live, half = SimulatedSensor(sensor, SEED), len(stamps) // 2
    for stamp, values in zip(stamps[:half], truth[:half], strict=True):
        live.take(stamp, values)
    other = live.with_settings(noise).with_settings(faults=FAULTS)
    for stamp, values in zip(stamps[half:], truth[half:], strict=True):
        other.take(stamp, values)
    before = RecordedSensor(sensor, run, stamps).readings(SEED)
    since = RecordedSensor(sensor.with_settings(noise), run, stamps).readings(SEED, FAULTS)
    readings = np.concatenate([before[:half], since[half:]])[:, 0]
    present = np.isfinite(readings)
    released = other.release_all()
    assert [stamp for _, stamp, _ in released] == np.array(stamps)[present].tolist()
    assert [values[0] for _, _, values in released] == readings[present].tolist()
    assert other.taken == present.sum()


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
