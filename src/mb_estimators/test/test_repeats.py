"""Messages that repeat themselves exactly: where noise forbids it they are left out, and named."""

from dataclasses import replace

from hypothesis import given, settings, strategies as st
import numpy as np
from planar_machines import flap
import pytest
from streamed import stream_of

from mb_estimators import available_filters
from mb_estimators.watches.repeats import RepeatState, RepeatWatch
from mb_model import load_mechanism
from mb_sensors import sensors_of

START, STEP, COUNT = 1_000_000_000, 5_000_000, 120
FROZEN = slice(60, 90)      # readings that repeat the one before them
FLAP = flap("""
  gyro: {kind: gyroscope, body: flap, sigma: 0.003, topic: imu}
  acc: {kind: accelerometer, body: flap, at: [0, 0, 0], sigma: 0.03, topic: imu}
  encoder: {kind: angle_encoder, coordinate: pitch, sigma: 0.001}
""", inertia=0.1, more='start_velocity: {pitch: 0.2}')
FLAT = """
name: arm
gravity: [0, 0]
points: {A: {fixed: [0, 0]}, P: {start: [1, 0]}}
bodies: {arm: {points: {A: [0, 0], P: [1, 0]}, mass: 1.0, centre_of_gravity: [0, 0], inertia: 0.5}}
coordinates: {pitch: {kind: angle, body: arm}}
independent: [pitch]
start_velocity: {pitch: 0.2}
sensors:
  gyro: {kind: gyroscope, body: arm, sigma: 0.003}
  encoder: {kind: angle_encoder, body: arm, sigma: 0.001}
"""


@pytest.fixture(scope='module', params=['plane', 'space'])
def machine(request, tmp_path_factory):
    path = tmp_path_factory.mktemp('machines') / 'machine.yaml'
    path.write_text(FLAP if request.param == 'space' else FLAT)
    return load_mechanism(str(path))


def measured(machine):
    """Return {sensor: readings (k, channels)} of a machine that turns with .2 rad/s."""
    rng, angle = np.random.default_rng(3), 0.2 * STEP * 1e-9 * np.arange(COUNT)
    none = 0.0 * angle
    true = {'encoder': angle[:, None], 'gyro': np.full((COUNT, 1), 0.2)}
    if machine.dimension == 3:
        true['gyro'] = np.c_[none, none + 0.2, none]
        true['acc'] = 9.81 * np.c_[-np.sin(angle), none, np.cos(angle)]
    sigmas = {sensor.name: sensor.settings.sigma for sensor in sensors_of(machine, list(true))}
    return {name: values + sigmas[name] * rng.normal(size=values.shape)
            for name, values in true.items()}


def run(machine, name, readings, left_out=(), **values):
    """Return a stream, its Steps and reports; of left_out come no FROZEN readings but the first."""
    reports, steps = [], []
    stream = stream_of(machine, list(readings), name, problems=reports, **values)
    for k in range(COUNT):
        of_instant = [(sensor, tuple(rows[k].tolist())) for sensor, rows in readings.items()
                      if sensor not in left_out or k not in range(FROZEN.start + 1, FROZEN.stop)]
        steps += stream.add_all(START + k * STEP, of_instant)
    return stream, steps, reports


def frozen(readings, *names):
    """Return readings that repeat one, of some sensors."""
    readings = {name: rows.copy() for name, rows in readings.items()}
    for name in names:
        readings[name][FROZEN] = readings[name][FROZEN.start - 1]
    return readings


@pytest.fixture(scope='module')
def filters(machine):
    return [name for name in available_filters(machine) if 'hydraulic' not in name]


def test_repeats_are_as_if_they_had_not_come_to_any_filter(machine, filters):
    right = measured(machine)
    names = [name for name in right if name != 'encoder']
    for name in filters:
        stream, steps, reports = run(machine, name, frozen(right, *names))
        _, without, _ = run(machine, name, frozen(right, *names), names)
        np.testing.assert_array_equal([step.estimate.z for step in steps],
                                      [step.estimate.z for step in without], err_msg=name)
        # one repeat may be chance; the third equal message is left out, and named
        found = [text for text in reports if 'repeats itself exactly' in text]
        at = 1.0 + 1e-9 * STEP * (FROZEN.start + 1)
        assert found == [f'{", ".join(names)}: frozen at {at:.6f} s: repeats itself exactly, left '
                         'out until it changes'], name
        count = FROZEN.stop - FROZEN.start - 1
        assert stream.state.left_out == dict.fromkeys(names, (count, COUNT)), name
        assert steps[FROZEN.start + 1].innovation.rejected.size == sum(
            right[sensor].shape[1] for sensor in names)
        assert 'gyro repeats itself exactly' in steps[FROZEN.start + 5].distrust


def test_the_deviation_grows_while_the_only_sensor_is_frozen(machine):
    right = {name: rows for name, rows in measured(machine).items() if name == 'gyro'}
    _, steps, _ = run(machine, 'error_ekf_fe', frozen(right, 'gyro'))
    rates = np.array([step.estimate.covariance[1, 1] for step in steps])
    assert np.all(np.diff(rates[FROZEN]) > 0.0)
    assert rates[FROZEN.stop] < rates[FROZEN.stop - 1]


def test_a_sensor_that_stays_frozen_is_an_error(machine):
    right = measured(machine)
    names = [name for name in right if name != 'encoder']
    stream = stream_of(machine, list(right))
    lost = []
    for k in range(400):
        row = min(k, FROZEN.start)
        for step in stream.add_all(START + k * STEP, [
                (name, tuple(rows[row if name in names else k % COUNT].tolist()))
                for name, rows in right.items()]):
            lost.append(step.lost)
    assert any(text.endswith(f'{", ".join(names)}: all readings left out') for text in lost)


def test_all_may_be_used_again(machine):
    readings = frozen(measured(machine), 'gyro', *(['acc'] if machine.dimension == 3 else []))
    stream, _, reports = run(machine, 'error_ekf', readings, leave_out_repeats=False)
    assert not stream.state.left_out
    assert not reports


def watched(rows, sigma, sensors=('gyro',), **changes):
    """Return at which of the rows (k, channels) of one sensor something is left out."""
    machine = load_mechanism('pendulum')
    sensor, = sensors_of(machine, list(sensors))
    sensor = sensor.with_settings(replace(sensor.settings, sigma=sigma, **changes))
    watch, state = RepeatWatch([sensor]), RepeatState()
    return [k for k, value in enumerate(rows.tolist())
            if watch.look(state, {sensor.name: (value,)})[0]]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10 ** 6), st.floats(0.2, 10.0), st.booleans())
def test_a_coarse_sensor_is_never_accused(seed, resolution, moves):
    """Of a machine that moves and stands: with noise of less than a fifth of a step, or without."""
    rng, t = np.random.default_rng(seed), np.linspace(0.0, 3.0, 300)
    motion = 100.0 * np.sin(np.minimum(t, 1.5)) if moves else 0.0 * t
    for noise in (0.0, 1.0):
        rows = np.rint((motion + noise * rng.normal(size=t.size)) / resolution) * resolution
        assert watched(rows, 1.0) == []
        if resolution >= 1.0:
            assert watched(np.round(rows, 2), 1.0) == []      # as a log writes it


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10 ** 6), st.floats(0.1, 20.0), st.floats(1.0, 1e5))
def test_a_drive_without_noise_that_comes_to_rest_is_not_accused(seed, speed, large):
    """Its motion is smooth; it slows down over half a second, and stands to the last digit."""
    rng, t = np.random.default_rng(seed), 0.01 * np.arange(300)
    left = np.clip((2.0 - t) / 0.5, 0.0, 1.0)
    rows = rng.normal() + large * speed * (1.0 - left ** 3)
    assert watched(rows, 1.0) == []
    assert watched(np.gradient(rows), 1.0) == []       # its rate, which is zero then


def test_what_stands_from_the_start_and_zeros_of_a_drive_are_not_accused():
    noise = np.random.default_rng(5).normal(size=100)
    assert watched(np.full(100, 0.3), 1.0) == []
    assert watched(np.r_[noise, np.zeros(100)], 1.0) == []
    assert watched(np.r_[noise, np.full(50, noise[-1])], 1.0) == list(range(101, 150))


def test_a_message_of_which_one_channel_lives_is_no_repeat(machine):
    if machine.dimension == 2:
        pytest.skip('has no message of several sensors')
    stream, _, reports = run(machine, 'error_ekf', frozen(measured(machine), 'acc'))
    assert not stream.state.left_out
    assert not reports


def test_an_encoder_of_12_bit_in_a_log_of_three_decimals_is_not_accused():
    rng = np.random.default_rng(5)
    step = 360.0 / 4096.0       # deg, 1.6 deviations
    rows = np.round(np.rint((20.0 + 0.05 * rng.normal(size=20_000)) / step) * step, 3)
    assert watched(rows, 0.05) == []


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10 ** 6), st.floats(1e-3, 0.12))
def test_good_readings_of_a_fine_sensor_are_seldom_left_out(seed, resolution):
    rng = np.random.default_rng(seed)
    rows = np.rint(rng.normal(size=2000) / resolution) * resolution
    assert len(watched(rows, 1.0)) <= 2      # 2000 * 1e-6 expected at the most
