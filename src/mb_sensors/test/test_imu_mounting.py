"""The mounting of an IMU against rigid-body kinematics in closed form."""

import numpy as np
import pytest
from robot_readings import ROBOT, imu_readings, motion

from mb_sensors import SensorError, sensors_of
from mb_sensors.imu_mounting.body_motion import BodyMotion
from mb_sensors.imu_mounting.fit import MountingFitSettings, fit_mounting

IMU = sensors_of(ROBOT, 'imu')
PLACE, ORIENTATION, BIASES = (0.075, -0.054), 2.1, (0.3, -0.2, 0.02)
WHOLE = MountingFitSettings(settling_time=0.0)


def fit(read, seed=0, settings=WHOLE, moved=None, sensors=IMU, columns=slice(None)):
    """Return the MountingFit by the exact motion."""
    moved = moved or motion(4.0)
    return fit_mounting(BodyMotion(ROBOT, 'platform', moved), sensors, moved.stamps,
                        read[:, columns], settings)


@pytest.mark.parametrize('orientation', [0.0, 1.5, 2.1, -3.1])
def test_any_mounting_is_found_without_a_start(orientation):
    read = imu_readings(motion(4.0), PLACE, orientation, BIASES, delay=3.5e-3)
    found = fit(read)
    assert found.offset == pytest.approx(PLACE, abs=1e-5)
    assert found.orientation == pytest.approx(orientation, abs=1e-5)
    assert found.delay == pytest.approx(3.5e-3, abs=2e-6)
    assert list(found.biases.values()) == pytest.approx(
        [BIASES[2], *BIASES[:2]], abs=1e-3)
    assert found.scale == pytest.approx(1.0, abs=0.02)
    assert found.doubts == ()


def test_deviations_are_those_of_many_recordings():
    """95 % intervals of 4 x 40 numbers: 0.95 +- 0.017."""
    moved, held = motion(3.0), []
    body, true = BodyMotion(ROBOT, 'platform', moved), np.r_[PLACE, ORIENTATION, 3e-3]
    for seed in range(40):
        read = imu_readings(moved, PLACE, ORIENTATION, BIASES, delay=3e-3, seed=seed)
        found = fit_mounting(body, IMU, moved.stamps, read, WHOLE)
        deviations = np.r_[np.sqrt(np.diagonal(found.covariance)), found.delay_deviation]
        errors = np.r_[found.offset, found.orientation, found.delay] - true
        held += list(np.abs(errors) < 1.96 * deviations)
        assert (deviations < [3e-3, 3e-3, 0.02, 1e-4]).all()
    assert 0.89 <= np.mean(held) <= 0.99


def test_one_axis_without_gyroscope_and_without_delay_is_enough():
    one = ROBOT.replace(sensors={'platform_accelerometer': {'axes': ['y', 'z']}})
    read = imu_readings(motion(4.0), PLACE, ORIENTATION, BIASES)
    read[:, 1] = 0.1        # its z axis
    found = fit(read, settings=MountingFitSettings(settling_time=0.0, estimate_delay=False),
                sensors=sensors_of(one, 'platform_accelerometer'), columns=[2, 1])
    assert found.offset == pytest.approx(PLACE, abs=1e-5)
    assert found.orientation == pytest.approx(ORIENTATION, abs=1e-5)
    assert found.biases['platform_accelerometer.z'] == pytest.approx(0.1)


def test_a_body_that_does_not_turn_does_not_determine_the_place():
    straight = motion(4.0, turning=0.0)
    found = fit(imu_readings(straight, PLACE, ORIENTATION, BIASES, seed=1), moved=straight)
    assert found.orientation == pytest.approx(ORIENTATION, abs=0.01)
    assert [doubt.split(':')[0] for doubt in found.doubts] == ['x', 'y']
    assert 'turn the body faster' in found.doubts[0]


def test_a_delay_beyond_what_may_be_is_reported():
    found = fit(imu_readings(motion(4.0), PLACE, ORIENTATION, BIASES, delay=0.05))
    assert found.doubts[-1].startswith('delay: 0.02 s or more')


@pytest.mark.parametrize(('names', 'words'), [
    (['platform_gyro'], 'must be one accelerometer'),
    (['imu', 'drive_encoders'], 'must be one accelerometer')])
def test_what_is_no_imu_is_reported(names, words):
    read = imu_readings(motion(4.0), PLACE, ORIENTATION, BIASES)
    with pytest.raises(SensorError, match=words):
        fit(read, sensors=sensors_of(ROBOT, names))


def test_few_readings_are_reported():
    read = imu_readings(motion(4.0), PLACE, ORIENTATION, BIASES)
    read[20:, 0] = np.nan
    with pytest.raises(SensorError, match='at least 50 are needed'):
        fit(read)
