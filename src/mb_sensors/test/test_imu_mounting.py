"""The mounting of an IMU against rigid-body kinematics in closed form."""

import numpy as np
import pytest
from robot_readings import ROBOT, imu_readings, motion

from mb_sensors import BodyMotion, ImuRecording, SensorError, fit_mounting, sensors_of
from mb_sensors.imu_mounting.outcome import mounting_overrides
from mb_sensors.imu_mounting.settings import MountingFitSettings

IMU = sensors_of(ROBOT, 'imu')
PLACE, ORIENTATION, BIASES = (0.075, -0.054), 2.1, (0.3, -0.2, 0.02)
TURNED = 'turned by 2.1 rad about (0, 0, 1) of the body against the file'


def fit(read, moved=None, sensors=IMU, columns=slice(None), settings=None, **options):
    """Return the MountingFit by the exact motion."""
    moved = moved or motion(4.0)
    recording = ImuRecording(BodyMotion(ROBOT, 'platform', moved), moved.stamps, read[:, columns])
    return fit_mounting(ROBOT, sensors, [recording], settings, **options)


@pytest.mark.parametrize(('orientation', 'delay'), [
    (0.0, 3.5e-3), (1.5, -0.05), (2.1, 0.09), (-3.1, 0.0)])
def test_any_mounting_and_delay_are_found_without_a_start(orientation, delay):
    found = fit(imu_readings(motion(4.0), PLACE, orientation, BIASES, delay=delay))
    assert found.values('at') == pytest.approx(PLACE, abs=1e-5)
    assert found.values('orientation') == pytest.approx(orientation, abs=1e-5)
    assert found.values('delay') == pytest.approx(delay, abs=3e-6)
    assert found.values('bias') == pytest.approx([BIASES[2], *BIASES[:2]], abs=1e-3)
    assert all(number.is_known for number in found.numbers)


def test_intervals_hold():
    """95 % intervals of 7 numbers of 20 recordings."""
    moved, held = motion(3.0), []
    true = np.r_[PLACE, ORIENTATION, 0.03, BIASES[2], BIASES[:2]]
    for seed in range(20):
        found = fit(imu_readings(moved, PLACE, ORIENTATION, BIASES, 0.03, seed), moved)
        assert found.notes == (f'platform_gyro, platform_accelerometer: {TURNED}',)
        errors = np.array([number.value for number in found.numbers]) - true
        deviations = np.array([number.deviation for number in found.numbers])
        held += list(np.abs(errors) < 1.96 * deviations)
        assert (deviations[:4] < [3e-3, 3e-3, 0.02, 1e-4]).all()
    assert 0.9 <= np.mean(held) <= 0.99


def test_one_axis_without_gyroscope_and_without_delay_is_enough():
    one = ROBOT.replace(sensors={'platform_accelerometer': {'axes': ['y', 'z']}})
    read = imu_readings(motion(4.0), PLACE, ORIENTATION, BIASES)
    read[:, 1] = 0.1        # its z axis
    found = fit(read, None, sensors_of(one, 'platform_accelerometer'), [2, 1],
                free=('position', 'orientation', 'biases'))
    assert found.values('at') == pytest.approx(PLACE, abs=1e-5)
    assert found.values('orientation') == pytest.approx(ORIENTATION, abs=1e-5)
    assert found.bias('platform_accelerometer.z') == pytest.approx(0.1)


def test_the_scale_is_found_where_it_is_free():
    read = imu_readings(motion(4.0), PLACE, ORIENTATION, (0.0, 0.0, 0.0), seed=2)
    read[:, 1:] *= 1.05
    found = fit(read, free=('position', 'orientation', 'delay', 'biases', 'scales'))
    assert found.values('scale') == pytest.approx([0.0, 0.05], abs=0.01)
    assert found.values('at') == pytest.approx(PLACE, abs=1e-3)


def test_a_body_that_does_not_turn_leaves_the_position_to_the_file():
    """And says so."""
    straight = motion(4.0, turning=0.0)
    found = fit(imu_readings(straight, PLACE, ORIENTATION, BIASES, seed=1), straight)
    assert found.values('orientation') == pytest.approx(ORIENTATION, abs=0.01)
    assert found.values('at') == pytest.approx([0.04, 0.03], abs=1e-9)      # of the file
    assert not found.is_known('at')
    said = [note for note in found.notes if 'not shown by this motion' in note]
    assert len(said) == 2
    for axis in ('(1, 0, 0)', '(0, 1, 0)'):
        assert f'the position along {axis} of the body: not shown' in ' '.join(said)
    assert mounting_overrides(ROBOT, IMU, found, ('position', 'orientation')) == {
        'sensors': {'platform_accelerometer': {
            'orientation': pytest.approx(ORIENTATION, abs=0.01)}}}


def test_only_what_is_free_is_fitted():
    read = imu_readings(motion(4.0), (0.0, 0.0), 0.0, BIASES, delay=0.03)
    found = fit(read, free=('delay', 'biases'))
    assert [number.path for number in found.numbers] == [
        'platform_accelerometer.delay', 'platform_gyro.bias.z', 'platform_accelerometer.bias.x',
        'platform_accelerometer.bias.y']
    assert found.values('delay') == pytest.approx(0.03, abs=1e-5)


def test_a_delay_beyond_what_may_be_is_reported():
    found = fit(imu_readings(motion(4.0), PLACE, ORIENTATION, BIASES, delay=0.05),
                settings=MountingFitSettings(longest_delay=0.02))
    assert any('delay: 0.02 s or more; stamps of IMU and motion' in note for note in found.notes)


@pytest.mark.parametrize(('factor', 'words'), [
    ([1.0, 1.0 / 9.80665, 1.0 / 9.80665], r'of what it should: in g in place of m/s\^2'),
    ([180.0 / np.pi, 1.0, 1.0], 'platform_gyro reads 57.3 of what it should: in degrees')])
def test_wrong_units_are_reported(factor, words):
    read = imu_readings(motion(4.0), (0.0, 0.0), 0.0, (0.0, 0.0, 0.0), seed=1) * factor
    with pytest.raises(SensorError, match=words):
        fit(read, free=('delay', 'biases'))


def test_what_is_no_imu_is_reported():
    read = imu_readings(motion(4.0), PLACE, ORIENTATION, BIASES)
    with pytest.raises(SensorError, match='must be accelerometers and gyroscopes of one body'):
        fit(read, sensors=sensors_of(ROBOT, ['imu', 'drive_encoders']))


def test_few_readings_are_reported():
    read = imu_readings(motion(4.0), PLACE, ORIENTATION, BIASES)
    read[80:, 0] = np.nan
    with pytest.raises(SensorError, match='at least 50 are needed'):
        fit(read)
