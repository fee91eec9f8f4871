"""The command calibrate_imu, on a bag."""

import re

from message_bags import write_messages
import numpy as np
import pytest
from robot_readings import PERIOD, ROBOT, START, encoder_readings, imu_readings, motion
from sensor_msgs.msg import Imu, JointState

from mb_model import load_mechanism
from mb_ros.stamps import stamp as to_stamp
from mb_sensors.commands import calibrate_imu

PLACE, ORIENTATION, DELAY = (-0.06, 0.05), -0.7, 3.5e-3
BIASES = (0.2, -0.1, 0.01)
DRIVES = [f'drive_encoder{k}' for k in (1, 2, 3)]


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    """A bag of encoders and of an IMU with noise, biases, a resolution, stamped when it arrives."""
    moved = motion(4.0)
    angles = np.round(encoder_readings((moved.stamps - START) / 1e9, 7e-6) / 7e-6) * 7e-6
    read = imu_readings(moved, PLACE, ORIENTATION, BIASES, DELAY, seed=3)
    read[:, 1:] = 0.02 * np.round(read[:, 1:] / 0.02)
    sent = []
    for stamp, turned, (rate, x, y) in zip(moved.stamps.tolist(), angles, read, strict=True):
        imu = Imu()
        imu.header.frame_id = 'platform'
        imu.angular_velocity.z = rate
        imu.linear_acceleration.x, imu.linear_acceleration.y = x, y
        for topic, message in (
                ('/drive_encoders', JointState(name=DRIVES, position=turned)), ('/imu', imu)):
            message.header.stamp = to_stamp(stamp)
            sent.append((topic, message))
    return write_messages(tmp_path_factory.mktemp('recorded') / 'bag', sent)


def test_encoders_and_an_imu_become_a_mechanism_with_its_mounting(bag, tmp_path, capsys):
    file, picture = tmp_path / 'mine.yaml', tmp_path / 'mine.svg'
    assert calibrate_imu.main([str(bag), '--imu', 'imu', '--sensors', 'drive_encoders',
                               '--output', str(file), '--plot', str(picture)]) == 0
    before, after = (
        [float(value) for value in re.findall(rf'{when}, ([\d.e+-]+) ', picture.read_text())]
        for when in ('before', 'after'))
    assert len(before) == len(after) == 3
    assert after[0] < 0.5 * before[0]           # of the rate, whose bias and delay are found
    assert all(b < 0.1 * a for a, b in zip(before[1:], after[1:], strict=True))
    shown = capsys.readouterr().out
    assert 'orientation' in shown
    assert 'hardly' not in shown
    entry = load_mechanism(str(file)).sensors['platform_accelerometer']
    assert entry['at'] == pytest.approx(PLACE, abs=2e-3)
    assert entry['orientation'] == pytest.approx(ORIENTATION, abs=5e-3)
    assert entry['sigma'] == ROBOT.sensors['platform_accelerometer']['sigma']
    text = file.read_text(encoding='utf-8')
    delay = float(text.split('# delay ')[1].split()[0])
    assert delay == pytest.approx(DELAY, abs=PERIOD / 10)


def test_damaged_messages_are_left_out(bag, damaged_copy, tmp_path, said):
    assert calibrate_imu.main([str(damaged_copy(bag, tmp_path / 'bag')), '--imu', 'imu',
                               '--sensors', 'drive_encoders', '--output',
                               str(tmp_path / 'mine.yaml')]) == 0
    entry = load_mechanism(str(tmp_path / 'mine.yaml')).sensors['platform_accelerometer']
    assert entry['at'] == pytest.approx(PLACE, abs=2e-3)
    for topic in ('drive_encoders', 'imu'):
        assert f'/{topic}: 3 of' in said()


def test_a_doubtful_mounting_is_written_by_force_only(bag, tmp_path, capsys):
    """Here the delay is beyond the longest that was looked for."""
    file = tmp_path / 'mine.yaml'
    asked = [str(bag), '--imu', 'imu', '--sensors', 'drive_encoders', '--fit',
             'longest_delay=0.001', '--output', str(file)]
    assert calibrate_imu.main(asked) == 1
    assert 'delay: ' in capsys.readouterr().err
    assert not file.exists()
    assert calibrate_imu.main([*asked, '--force']) == 0
    assert '# DISOWNED, written by --force: delay: ' in file.read_text(encoding='utf-8')


@pytest.mark.parametrize(('options', 'words'), [
    (['--states', 'estimator/state'], 'estimator/state: expected one topic of this name'),
    (['--sensors', 'imu'], 'platform_gyro: reads no coordinate of three_rrr'),
    (['--sensors', 'drive_encoders', '--fit', 'knot_spacing=-1'], '--fit knot_spacing: -1.0 must'),
    (['--sensors', 'drive_encoders', '--output', '/nowhere/a.yaml'], '/nowhere/a.yaml: no such')])
def test_what_is_wrong_is_reported_in_a_line(bag, options, words, capsys):
    assert calibrate_imu.main([str(bag), '--imu', 'imu', *options]) == 2
    assert words in capsys.readouterr().err
