"""The mounting of an IMU on the hand of an arm in space, by the arm's encoders alone."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mb_model import load_mechanism
from mb_sensors import (
    BodyMotion,
    ImuRecording,
    SensorError,
    fit_mounting,
    mounting_overrides,
    sensors_of,
)
from mb_sensors.imu_mounting.problem import FREE
from mb_sensors.recorded_motion import RecordedMotion

ARM = load_mechanism('six_axis_arm')
IMU = sensors_of(ARM, 'imu')
START, PERIOD, DELAY = 5_000_000_000, 4e-3, 3.5e-3         # ns, s
RATES, SIZES = np.array([2.0, 3.1, 4.3, 5.2, 6.1, 7.3]), 0.2
PLACE, BIASES = np.array([0.03, -0.05, 0.02]), np.array([0.02, -0.01, 0.03, 0.2, -0.1, 0.15])


def at(t):
    """Return z, zd, zdd (6) at t [s]: each joint oscillates by itself."""
    phase = RATES * t
    return (ARM.z0 + SIZES * np.sin(phase), SIZES * RATES * np.cos(phase),
            -SIZES * RATES ** 2 * np.sin(phase))


def hand(t):
    """Return the pose of the hand: where its frame is (3), how it is turned."""
    motion = ARM.body_motion('wrist3', ARM.assemble(at(t)[0]))
    return motion.position, Rotation.from_matrix(motion.rotation)


@pytest.fixture(scope='module')
def moved():
    t = np.arange(0.0, 4.0, PERIOD)
    return RecordedMotion(START + np.round(1e9 * t).astype(int),
                          *(np.array(part) for part in zip(*map(at, t), strict=True)))


@pytest.fixture(scope='module')
def body(moved):
    return BodyMotion(ARM, 'wrist3', moved)


def readings(moved, rpy, seed=None, gains=1.0):
    """Return rates and specific forces (k, 6), by differences of the pose alone."""
    turn, h, rows = Rotation.from_euler('xyz', rpy), 1e-3, []
    for stamp in moved.stamps:
        t = (stamp - START) / 1e9 - DELAY
        (p0, r0), (p1, r1), (p2, r2) = (hand(t + step) for step in (-h, 0.0, h))
        places = [p + r.apply(PLACE) for p, r in ((p0, r0), (p1, r1), (p2, r2))]
        force = (places[0] - 2.0 * places[1] + places[2]) / h ** 2 + [0.0, 0.0, 9.81]
        rate = (r0.inv() * r2).as_rotvec() / (2.0 * h)
        rows.append(np.r_[turn.inv().apply(rate), gains * turn.inv().apply(r1.inv().apply(force))])
    read = np.array(rows) + BIASES
    if seed is not None:
        read += [*3 * [2.7e-3], *3 * [3.9e-2]] * np.random.default_rng(seed).standard_normal(
            read.shape)
    return read


def fit(moved, body, read, imu=IMU, arm=ARM, **options):
    """Return the MountingFit of readings."""
    return fit_mounting(arm, imu, [ImuRecording(body, moved.stamps, read)], **options)


@pytest.mark.parametrize('rpy', [(0.4, -0.7, 1.1), (-3.0, 0.2, 2.9)])
def test_any_mounting_is_found_without_a_start(moved, body, rpy):
    found = fit(moved, body, readings(moved, rpy))
    assert found.values('at') == pytest.approx(PLACE, abs=1e-4)
    assert found.values('rpy') == pytest.approx(rpy, abs=1e-4)
    assert found.values('delay') == pytest.approx(DELAY, abs=1e-5)
    assert found.values('bias') == pytest.approx(BIASES, abs=2e-3)


def test_noise_leaves_errors_of_the_size_that_the_fit_says(moved, body):
    rpy = (0.4, -0.7, 1.1)
    ideal, held = readings(moved, rpy), []
    true = np.r_[PLACE, rpy, DELAY, BIASES]
    for seed in range(20):
        noise = np.random.default_rng(seed).standard_normal(ideal.shape)
        found = fit(moved, body, ideal + noise * [*3 * [2.7e-3], *3 * [3.9e-2]])
        values, deviations = (np.array([getattr(number, name) for number in found.numbers])
                              for name in ('value', 'deviation'))
        assert (deviations[:6] < [*3 * [5e-3], *3 * [0.01]]).all()
        held += list(np.abs(values - true) < 1.96 * deviations)
    assert 0.9 <= np.mean(held) <= 0.99


def test_the_scale_of_an_accelerometer_is_found(moved, body):
    found = fit(moved, body, readings(moved, (0.4, -0.7, 1.1), gains=1.04), free=FREE)
    assert found.values('scale') == pytest.approx([0.0, 0.04], abs=0.01)


def test_two_recordings_count_together(moved, body):
    """Each by itself has less, and stamps of its own."""
    read = readings(moved, (0.4, -0.7, 1.1), seed=4)
    halves = [ImuRecording(body, moved.stamps[part], read[part])
              for part in (slice(None, 500), slice(500, None))]
    both, one = fit_mounting(ARM, IMU, halves), fit_mounting(ARM, IMU, halves[:1])
    assert (both.deviations('at') < one.deviations('at')).all()
    assert both.values('at') == pytest.approx(PLACE, abs=4e-3)
    assert set(both.residuals.recording) == {0, 1}


def test_a_gyroscope_alone_gives_the_direction(moved, body):
    found = fit(moved, body, readings(moved, (0.4, -0.7, 1.1), seed=1)[:, :3],
                sensors_of(ARM, 'tool_gyro'))
    assert found.values('rpy') == pytest.approx((0.4, -0.7, 1.1), abs=0.01)
    assert not len(found.values('at'))


def test_a_wrong_sign_of_an_axis_is_reported(moved, body):
    read = readings(moved, (0.4, -0.7, 1.1), seed=1) * [1, 1, -1, 1, 1, -1]
    with pytest.raises(SensorError, match='one axis has the wrong sign'):
        fit(moved, body, read)


def test_a_fit_becomes_a_mechanism(moved, body):
    rpy = (0.4, -0.7, 1.1)
    found = fit(moved, body, readings(moved, rpy, seed=1))
    mine = ARM.replace(**mounting_overrides(ARM, IMU, found, FREE))
    for sensor in sensors_of(mine, 'imu'):
        assert mine.sensors[sensor.name]['rpy'] == pytest.approx(rpy, abs=5e-3)
        assert mine.sensors[sensor.name]['at'] == pytest.approx(PLACE, abs=5e-3)
        assert sensor.settings.delay == pytest.approx(DELAY, abs=1e-3)
