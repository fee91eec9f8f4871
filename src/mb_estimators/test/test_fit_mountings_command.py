"""The command fit, on bags with IMUs: mountings, delays and biases."""

from dataclasses import fields

from message_bags import write_messages
import numpy as np
from planar_machines import flap
import pytest
from robot_readings import PERIOD, ROBOT, START, encoder_readings, imu_readings, motion
from sensor_msgs.msg import Imu, JointState
import yaml

from mb_estimators.commands import fit
from mb_estimators.fitting.by_readings.reading_settings import ReadingSettings
from mb_model import load_mechanism
from mb_ros.stamps import stamp as to_stamp
from mb_sensors.command_api import import_log

PLACE, ORIENTATION, DELAY = (-0.06, 0.05), -0.7, 3.5e-3
BIASES = (0.2, -0.1, 0.01)
SETTING = fields(ReadingSettings)[0]
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


def fitted(bag, file, *options, free=('mountings', 'delays', 'biases')):
    """Run the command; return its exit code."""
    return fit.main([str(bag), '--free', *free, '--sensors', 'drive_encoders', '--output',
                     str(file), *options])


def test_encoders_and_an_imu_become_a_mechanism_with_its_mounting(bag, tmp_path, capsys):
    file = tmp_path / 'mine.yaml'
    assert fitted(bag, file) == 0
    shown = capsys.readouterr().out
    assert 'sensors.platform_accelerometer.orientation' in shown
    assert 'platform_accelerometer.x, held out' in shown
    mine = load_mechanism(str(file))
    entry = mine.sensors['platform_accelerometer']
    assert entry['at'] == pytest.approx(PLACE, abs=2e-3)
    assert entry['orientation'] == pytest.approx(ORIENTATION, abs=5e-3)
    assert entry['sigma'] == ROBOT.sensors['platform_accelerometer']['sigma']
    for name in ('platform_accelerometer', 'platform_gyro'):
        assert mine.sensors[name]['delay'] == pytest.approx(DELAY, abs=PERIOD / 10)
    assert '# known: sensors.platform_accelerometer.at.x = ' in file.read_text(encoding='utf-8')
    biases = yaml.safe_load((tmp_path / 'mine_calibration.yaml').read_text(encoding='utf-8'))
    assert biases['platform_gyro']['bias'] == pytest.approx(BIASES[2], abs=1e-3)
    page = file.with_suffix('.html').read_text(encoding='utf-8')
    assert page.count('<svg') == 1
    assert 'platform_accelerometer.y [m/s^2]' in page


def test_a_mounting_alone_leaves_delay_and_biases_out_of_the_file(bag, tmp_path, capsys):
    """They are found all the same, and a delay is reported."""
    file = tmp_path / 'mine.yaml'
    assert fitted(bag, file, free=['sensors.*accelerometer.at', 'sensors.*.orientation']) == 0
    assert 'platform_accelerometer: stamps are 0.003' in capsys.readouterr().out
    entry = load_mechanism(str(file)).sensors['platform_accelerometer']
    assert entry['at'] == pytest.approx(PLACE, abs=2e-3)
    assert 'delay' not in entry
    assert not (tmp_path / 'mine_calibration.yaml').exists()


def test_damaged_messages_are_left_out(bag, damaged_copy, tmp_path, said):
    assert fitted(damaged_copy(bag, tmp_path / 'bag'), tmp_path / 'mine.yaml') == 0
    entry = load_mechanism(str(tmp_path / 'mine.yaml')).sensors['platform_accelerometer']
    assert entry['at'] == pytest.approx(PLACE, abs=2e-3)
    for topic in ('drive_encoders', 'imu'):
        assert f'/{topic}: 3 of' in said()


@pytest.mark.parametrize(('options', 'words'), [
    (['--states', 'estimator/state'], 'estimator/state: expected one topic of this name'),
    (['--sensors', 'imu'], 'platform_gyro: reads no coordinate of three_rrr'),
    ([], '--sensors: missing, expected encoders'),
    (['--sensors', 'drive_encoders', '--fit', 'imu_knot_spacing=-1'],
     '--fit imu_knot_spacing: -1.0 must'),
    (['--sensors', 'drive_encoders', '--output', '/nowhere/a.yaml'], '/nowhere/a.yaml: no such')])
def test_what_is_wrong_is_reported_in_a_line(bag, options, words, capsys):
    assert fit.main([str(bag), '--free', 'mountings', *options]) == 2
    assert words in capsys.readouterr().err


UPSIDE_DOWN = """
  gyro: {kind: gyroscope, body: flap, sigma: 0.003, rate: 100.0, topic: imu}
  acc: {kind: accelerometer, body: flap, at: O, sigma: 0.03, rate: 100.0, topic: imu}
  spare: {kind: accelerometer, body: flap, at: O, sigma: 0.03, rate: 100.0, topic: spare}
  encoder: {kind: angle_encoder, coordinate: pitch, sigma: 0.0005, rate: 100.0}
"""


def test_an_imu_upside_down_on_a_hinge(tmp_path, capsys):
    """A table of a log; the file has it upright at the axis, and one that is not in the log."""
    (tmp_path / 'flap.yaml').write_text(flap(UPSIDE_DOWN))
    (tmp_path / 'columns.yaml').write_text(
        'mechanism: flap.yaml\ntime: {column: t}\n'
        'sensors: {gyro: [wx, wy, wz], acc: [fx, fy, fz], encoder: pitch}\n')
    random, t = np.random.default_rng(2), np.arange(0.0, 12.0, 0.01)
    angle, speed, turning = (0.3 * np.sin(1.5 * t), 0.45 * np.cos(1.5 * t),
                             -0.675 * np.sin(1.5 * t))
    none = np.zeros(len(t))
    read = np.column_stack([        # at [0.1, 0, 0.05], turned by pi about y
        none, speed, none, -(-9.81 * np.sin(angle) + turning * 0.05 - speed ** 2 * 0.1), none,
        -(9.81 * np.cos(angle) - turning * 0.1 - speed ** 2 * 0.05)])
    read += random.standard_normal(read.shape) * [*3 * [0.003], *3 * [0.03]]
    angle = angle + 0.0005 * random.standard_normal(len(t))
    np.savetxt(tmp_path / 'log.csv', np.column_stack([t + 3.0, read, angle]), delimiter=',',
               header='t,wx,wy,wz,fx,fy,fz,pitch', comments='')
    import_log(tmp_path / 'log.csv', tmp_path / 'columns.yaml', tmp_path / 'run/bag')
    assert fit.main([str(tmp_path / 'run/bag'), '--sensors', 'encoder', '--free', 'mountings',
                     '--output', str(tmp_path / 'mine.yaml')]) == 0
    shown = ' '.join(capsys.readouterr().out.split())
    assert 'of the body against the file, upside down' in shown
    assert 'the position along (0, 1, 0) of the body: not shown' in shown
    assert 'left as in the file: spare: no readings in the bags' in shown
    mine = load_mechanism(str(tmp_path / 'mine.yaml')).sensors
    assert mine['acc']['at'] == pytest.approx([0.1, 0.0, 0.05], abs=0.02)
    axes = np.cos(mine['acc']['rpy'])           # pi about y: roll and yaw pi, pitch 0, or so
    assert axes[0] * axes[1] == pytest.approx(-1.0, abs=1e-3)
    assert axes[1] * axes[2] == pytest.approx(-1.0, abs=1e-3)


@pytest.mark.parametrize('option', [
    ['--prior', 'bodies.platform.mass=0.2'], ['--residual'], ['--known', 'bodies.platform.mass=1'],
    ['--readings', f'{SETTING.name}={SETTING.default}'], ['--suggest', 'motion.csv']])
def test_options_that_mountings_do_not_take_are_refused(option, bag, tmp_path, monkeypatch, capsys):
    """In place of a fit that seems to have used them."""
    monkeypatch.chdir(tmp_path)
    assert fitted(bag, tmp_path / 'mine.yaml', *option) == 2
    said = capsys.readouterr().err
    assert f'{option[0]}: not taken by a fit to mountings' in said
    assert not list(tmp_path.iterdir())
