"""The motion found from encoders afterwards, against the true motion."""

import numpy as np
import pytest
from robot_readings import ROBOT, START, encoder_readings, truth

from mb_sensors import SensorError, sensors_of
from mb_sensors.recorded_motion import EncoderMotion, motion_of_encoders

ENCODERS = sensors_of(ROBOT, 'drive_encoders')


def test_motion_is_found_with_an_honest_covariance():
    t = np.arange(0.0, 1.5, 1e-3)
    stamps = START + np.round(1e9 * t).astype(int)
    read = encoder_readings(t, 7e-5)
    read[::50, 1] = np.nan
    motion = motion_of_encoders(ROBOT, ENCODERS, stamps, read, 0.02)
    assert np.isin(motion.stamps, stamps).all()
    assert motion.stamps[0] > stamps[20]
    assert not np.isin(motion.stamps, stamps[::50]).any()
    expected = truth((motion.stamps - START) / 1e9)
    deviations = np.sqrt(np.diagonal(motion.covariance[0])).reshape(3, 3)
    for found, true, deviation in zip((motion.z, motion.zd, motion.zdd), expected, deviations,
                                      strict=True):
        ratio = np.sqrt(np.mean((found - true) ** 2, axis=0)) / deviation
        assert ((ratio > 0.7) & (ratio < 1.3)).all()


@pytest.mark.parametrize(('names', 'words'), [
    (['drive_encoder1', 'drive_encoder2'], 'expected encoders of 3 coordinates'),
    (['imu'], 'platform_gyro: reads no coordinate of three_rrr')])
def test_what_encoders_cannot_determine_is_reported(names, words):
    with pytest.raises(SensorError, match=words):
        motion_of_encoders(ROBOT, sensors_of(ROBOT, names), np.arange(100) * 1_000_000,
                           np.zeros((100, 3)), 0.01)


def test_few_readings_are_reported():
    with pytest.raises(SensorError, match='30 whole readings are too few'):
        motion_of_encoders(ROBOT, ENCODERS, np.arange(30) * 1_000_000, np.zeros((30, 3)), 0.02)


def test_other_zeros_move_the_motion_of_a_closed_loop():
    """As the motion of the changed readings: the encoders read no degree of freedom."""
    t = np.arange(0.0, 0.5, 2e-3)
    stamps, read = START + np.round(1e9 * t).astype(int), encoder_readings(t, 0.0)
    change = np.broadcast_to([0.02, -0.01, 0.03], read.shape)
    source = EncoderMotion(ROBOT, ENCODERS, stamps, read, 0.02)
    moved = motion_of_encoders(ROBOT, ENCODERS, stamps, read + change, 0.02)
    assert not source.is_direct
    expected = np.concatenate([getattr(moved, name) - getattr(source.motion, name)
                               for name in ('z', 'zd', 'zdd')], axis=1)
    assert np.abs(expected[:, :3]).max() > 1e-3
    np.testing.assert_allclose(source.changed(change), expected, atol=1e-6)
