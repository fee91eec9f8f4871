"""An IMU on a body that turns about one axis alone: gravity and rates say together how it hangs."""

import numpy as np
from planar_machines import flap
import pytest
from scipy.spatial.transform import Rotation

from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.command_api import import_log
from mb_sensors.commands import calibrate_imu
from mb_sensors.imu_mounting.body_motion import BodyMotion
from mb_sensors.imu_mounting.fit import MountingFitSettings, fit_mounting
from mb_sensors.recorded_motion import RecordedMotion

FLAP = flap("""
  gyro: {kind: gyroscope, body: flap, sigma: 0.003, rate: 100.0, topic: imu}
  acc: {kind: accelerometer, body: flap, at: [0.1, 0, 0.05], sigma: 0.03, rate: 100.0, topic: imu}
  encoder: {kind: angle_encoder, coordinate: pitch, sigma: 0.0005, rate: 100.0}
""")
PLACE = np.array([0.1, 0.0, 0.05])
T = np.arange(0.0, 8.0, 0.01)
SIZE, RATE = 0.25, 0.6 * np.pi
PITCH = [SIZE * np.sin(RATE * T), SIZE * RATE * np.cos(RATE * T),
         -SIZE * RATE ** 2 * np.sin(RATE * T)]
UPSIDE_DOWN = [0.0, np.pi, 0.0]
OPEN = 'y: this motion says nothing of it: turn the body faster'


@pytest.fixture(scope='module')
def flap(tmp_path_factory):
    """The mechanism, in a file."""
    file = tmp_path_factory.mktemp('flap') / 'flap.yaml'
    file.write_text(FLAP)
    return load_mechanism(str(file))


def readings(rpy, biases=0.0, seed=1):
    """Return rates and specific forces (k, 6) of an IMU at PLACE, in closed form, with noise."""
    angle, rate, acceleration = PITCH
    x, _, z = PLACE
    none = np.zeros(len(T))
    force = np.column_stack([
        -9.81 * np.sin(angle) + acceleration * z - rate ** 2 * x, none,
        9.81 * np.cos(angle) - acceleration * x - rate ** 2 * z])
    turn = Rotation.from_euler('xyz', rpy)
    read = np.hstack([turn.inv().apply(np.column_stack([none, rate, none])),
                      turn.inv().apply(force)])
    noise = np.random.default_rng(seed).standard_normal(read.shape) * [*3 * [0.003], *3 * [0.03]]
    return read + noise + biases


def fitted(flap, names, read, **known):
    """Return the MountingFit of sensors by name, gyro before acc."""
    stamps = (10 ** 9 * (3 + T)).round().astype(np.int64)
    motion = RecordedMotion(stamps, *(one[:, np.newaxis] for one in PITCH))
    columns = [k for k, name in enumerate([*3 * ['gyro'], *3 * ['acc']]) if name in names]
    return fit_mounting(BodyMotion(flap, 'flap', motion), sensors_of(flap, names), stamps,
                        read[:, columns], MountingFitSettings(), **known)


def off(found, rpy):
    """Return by what angle an orientation is off [rad]."""
    return (Rotation.from_euler('xyz', found.orientation)
            * Rotation.from_euler('xyz', rpy).inv()).magnitude()


@pytest.mark.parametrize('rpy', [
    UPSIDE_DOWN, [np.pi, 0.0, 0.0], [0.0, 0.0, 0.0], [0.4, -0.7, 2.1], [-2.5, 0.3, -1.0],
    [1.6, 1.2, 0.2]])
@pytest.mark.parametrize('names', [['gyro', 'acc'], ['acc']])
def test_the_turn_is_found_and_what_is_open_is_said(flap, rpy, names):
    """Not the place along the axis, which no reading depends on."""
    found = fitted(flap, names, readings(rpy))
    assert off(found, rpy) < (0.015 if 'gyro' in names else 0.03)
    assert found.scale == pytest.approx(1.0, abs=0.02)
    deviations = np.sqrt(np.diagonal(found.covariance))
    assert np.isfinite(deviations).all()
    assert (abs(found.offset - PLACE)[[0, 2]] < 4.0 * deviations[[0, 2]]).all()
    assert deviations[[0, 2]].max() < 0.02
    assert (found.offset[1], deviations[1]) == (0.0, pytest.approx(0.5, rel=0.01))
    assert any(doubt.startswith(OPEN) for doubt in found.doubts)


@pytest.mark.parametrize('seed', range(4))
def test_biases_do_not_turn_it(flap, seed):
    """Nor is any deviation less than the error."""
    rng = np.random.default_rng(seed)
    rpy = Rotation.random(random_state=seed).as_euler('xyz')
    biases = np.r_[rng.normal(0.0, 0.01, 3), rng.normal(0.0, 0.05, 3)]
    found = fitted(flap, ['gyro', 'acc'], readings(rpy, biases, seed))
    assert off(found, rpy) < 0.01
    for value, true, deviation in zip(found.biases.values(), biases,
                                      found.bias_deviations.values(), strict=True):
        assert abs(value - true) < 4.0 * deviation + 1e-3


def test_a_known_place_is_kept(flap):
    found = fitted(flap, ['gyro', 'acc'], readings(UPSIDE_DOWN), offset=PLACE)
    np.testing.assert_array_equal(found.offset, PLACE)
    np.testing.assert_array_equal(np.diagonal(found.covariance)[:3], np.zeros(3))
    assert off(found, UPSIDE_DOWN) < 0.003
    assert found.doubts == ()


def test_the_command_reads_parameters_beside_the_bag(tmp_path, capsys):
    """And writes the direction once the place is known."""
    read = readings(UPSIDE_DOWN)
    (tmp_path / 'flap.yaml').write_text(FLAP)
    (tmp_path / 'columns.yaml').write_text(
        'mechanism: flap.yaml\ntime: {column: t}\n'
        'sensors: {gyro: [wx, wy, wz], acc: [fx, fy, fz], encoder: pitch}\n')
    angles = PITCH[0] + 0.0005 * np.random.default_rng(2).standard_normal(len(T))
    np.savetxt(tmp_path / 'log.csv', np.column_stack([T + 3.0, read, angles]), delimiter=',',
               header='t,wx,wy,wz,fx,fy,fz,pitch', comments='')
    import_log(tmp_path / 'log.csv', tmp_path / 'columns.yaml', tmp_path / 'run/bag')
    words = [str(tmp_path / 'run/bag'), '--imu', 'acc', 'gyro', '--sensors', 'encoder', '--output',
             str(tmp_path / 'imu.yaml'), '--fit', 'knot_spacing=0.2']
    assert calibrate_imu.main(words) == 1
    assert OPEN in capsys.readouterr().err
    assert calibrate_imu.main([*words, '--known', 'at']) == 0
    mine = load_mechanism(str(tmp_path / 'imu.yaml'))
    assert mine.sensors['acc']['at'] == list(PLACE)
    found = Rotation.from_euler('xyz', mine.sensors['acc']['rpy'])
    assert (found * Rotation.from_euler('xyz', UPSIDE_DOWN).inv()).magnitude() < 0.01


def test_a_place_without_numbers_is_not_known(tmp_path, capsys):
    """It must be in the frame of the body."""
    (tmp_path / 'flap.yaml').write_text(FLAP.replace('at: [0.1, 0, 0.05]', 'at: O'))
    assert calibrate_imu.main([str(tmp_path), '--mechanism', str(tmp_path / 'flap.yaml'), '--imu',
                               'acc', '--sensors', 'encoder', '--known', 'at']) == 2
    assert 'sensors.acc.at: O must be numbers in the frame of the body' in capsys.readouterr().err
