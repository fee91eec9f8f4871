"""The motion that encoders tell afterwards, against the motion they were read along."""

import numpy as np
import pytest

from mb_model import load_mechanism
from mb_sensors import SensorError, sensors_of
from mb_sensors.recording.encoder_motion import motion_of_encoders

ROBOT = load_mechanism('three_rrr')
ENCODERS = sensors_of(ROBOT, 'drive_encoders')
RATES, SIZES = np.array([11.0, 8.0, 13.0]), np.array([0.05, 0.06, 0.2])


def truth(t):
    """Return z, zd, zdd (k, g): a different oscillation of each degree of freedom."""
    phase = np.outer(t, RATES)
    return (SIZES * np.sin(phase), SIZES * RATES * np.cos(phase),
            -SIZES * RATES ** 2 * np.sin(phase))


def readings(t, sigma, seed=0):
    """Return the angles of the drives (k, g), within a turn as absolute encoders tell them."""
    places, q, rows = ROBOT.places(ROBOT.drives), ROBOT.q0, []
    for z in truth(t)[0]:
        q = ROBOT.assemble(z, q)
        rows.append(q[places])
    noise = sigma * np.random.default_rng(seed).standard_normal((len(t), 3))
    return np.mod(np.array(rows) + noise, 2.0 * np.pi)


def test_motion_is_found_with_an_honest_covariance():
    t = np.arange(0.0, 1.5, 1e-3)
    stamps = 5_000_000_000 + np.round(1e9 * t).astype(int)
    read = readings(t, 7e-5)
    read[::50, 1] = np.nan
    motion = motion_of_encoders(ROBOT, ENCODERS, stamps, read, 0.02)
    assert np.isin(motion.stamps, stamps).all()
    assert motion.stamps[0] > stamps[20]
    assert not np.isin(motion.stamps, stamps[::50]).any()
    expected = truth((motion.stamps - 5_000_000_000) / 1e9)
    deviations = np.sqrt(np.diagonal(motion.covariance[0])).reshape(3, 3)
    for found, true, deviation in zip((motion.z, motion.zd, motion.zdd), expected, deviations,
                                      strict=True):
        ratio = np.sqrt(np.mean((found - true) ** 2, axis=0)) / deviation
        assert ((ratio > 0.7) & (ratio < 1.3)).all()


@pytest.mark.parametrize(('names', 'words'), [
    (['drive_encoder1', 'drive_encoder2'], 'expected those of 3 coordinates'),
    (['imu'], 'platform_gyro: reads no coordinate of three_rrr')])
def test_what_encoders_cannot_tell_is_told(names, words):
    with pytest.raises(SensorError, match=words):
        motion_of_encoders(ROBOT, sensors_of(ROBOT, names), np.arange(100) * 1_000_000,
                           np.zeros((100, 3)), 0.01)


def test_few_readings_are_told():
    with pytest.raises(SensorError, match='30 whole readings are too few'):
        motion_of_encoders(ROBOT, ENCODERS, np.arange(30) * 1_000_000, np.zeros((30, 3)), 0.02)
