"""An IMU on a body that turns about one axis alone: gravity and rates say together how it hangs."""

import numpy as np
from planar_machines import flap
import pytest
from scipy.spatial.transform import Rotation
import yaml

from mb_model import Mechanism, load_mechanism
from mb_sensors import BodyMotion, ImuRecording, RecordedMotion, fit_mounting, sensors_of

FLAP = flap("""
  gyro: {kind: gyroscope, body: flap, sigma: 0.003, rate: 100.0, topic: imu}
  acc: {kind: accelerometer, body: flap, at: [0, 0.07, 0], sigma: 0.03, rate: 100.0, topic: imu}
  encoder: {kind: angle_encoder, coordinate: pitch, sigma: 0.0005, rate: 100.0}
""")
PLACE = np.array([0.1, 0.0, 0.05])
T = np.arange(0.0, 8.0, 0.01)
SIZE, RATE = 0.25, 0.6 * np.pi
PITCH = [SIZE * np.sin(RATE * T), SIZE * RATE * np.cos(RATE * T),
         -SIZE * RATE ** 2 * np.sin(RATE * T)]
UPSIDE_DOWN = [0.0, np.pi, 0.0]
OPEN = 'the position along (0, 1, 0) of the body: not shown by this motion, the file decides'


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


def fitted(flap, names, read, **options):
    """Return the MountingFit of sensors by name, gyro before acc."""
    stamps = (10 ** 9 * (3 + T)).round().astype(np.int64)
    motion = RecordedMotion(stamps, *(one[:, np.newaxis] for one in PITCH))
    columns = [k for k, name in enumerate([*3 * ['gyro'], *3 * ['acc']]) if name in names]
    return fit_mounting(flap, sensors_of(flap, names), [ImuRecording(
        BodyMotion(flap, 'flap', motion), stamps, read[:, columns])], **options)


def off(found, rpy):
    """Return by what angle an orientation is off [rad]."""
    return (Rotation.from_euler('xyz', found.values('rpy'))
            * Rotation.from_euler('xyz', rpy).inv()).magnitude()


@pytest.mark.parametrize('rpy', [
    UPSIDE_DOWN, [np.pi, 0.0, 0.0], [0.0, 0.0, 0.0], [0.4, -0.7, 2.1], [-2.5, 0.3, -1.0],
    [1.6, 1.2, 0.2]])
@pytest.mark.parametrize('names', [['gyro', 'acc'], ['acc']])
def test_the_turn_is_found_and_what_is_open_is_said(flap, rpy, names):
    """Not the position along the axis, which no reading depends on: the file's stays."""
    found = fitted(flap, names, readings(rpy))
    assert off(found, rpy) < (0.015 if 'gyro' in names else 0.03)
    values, deviations = found.values('at'), found.deviations('at')
    assert (abs(values - PLACE)[[0, 2]] < 4.0 * deviations[[0, 2]]).all()
    assert deviations[[0, 2]].max() < 0.02
    assert (values[1], deviations[1]) == pytest.approx((0.07, 0.5), abs=1e-3)
    assert [number.is_known for number in found.numbers[:3]] == [True, False, True]
    assert any(OPEN in note for note in found.notes)
    assert any('upside down' in note for note in found.notes) == (
        Rotation.from_euler('xyz', rpy).as_matrix()[2, 2] < -0.9)


def test_about_an_upright_axis_the_turn_is_open_with_the_position():
    """Readings say how far from the axis it is, and how it leans."""
    door = Mechanism(yaml.safe_load(FLAP.replace('axis: [0, 1, 0]', 'axis: [0, 0, 1]')), 'door')
    angle, rate, acceleration = PITCH
    stamps = (10 ** 9 * (3 + T)).round().astype(np.int64)
    motion = RecordedMotion(stamps, *(one[:, np.newaxis] for one in (
        4.0 * angle, 4.0 * rate, 4.0 * acceleration)))
    none = np.zeros(len(T))
    read = np.column_stack([none, none, 4.0 * rate, -16.0 * rate ** 2 * 0.3, 4.0 * acceleration
                            * 0.3, none + 9.81])        # 0.3 m out along x
    read += 0.01 * np.random.default_rng(1).standard_normal(read.shape)
    found = fit_mounting(door, sensors_of(door, ['gyro', 'acc']), [ImuRecording(
        BodyMotion(door, 'flap', motion), stamps, read)])
    assert np.hypot(*found.values('at')[:2]) == pytest.approx(0.3, abs=0.01)
    assert [number.is_known for number in found.numbers[3:6]] == [True, True, False]
    assert any('and the turn about (0, 0, 1) of its own axes: not shown' in note
               for note in found.notes)


@pytest.mark.parametrize('seed', range(4))
def test_biases_do_not_turn_it(flap, seed):
    """Nor is any deviation less than the error."""
    rng = np.random.default_rng(seed)
    rpy = Rotation.random(random_state=seed).as_euler('xyz')
    biases = np.r_[rng.normal(0.0, 0.01, 3), rng.normal(0.0, 0.05, 3)]
    found = fitted(flap, ['gyro', 'acc'], readings(rpy, biases, seed))
    assert off(found, rpy) < 0.01
    assert (abs(found.values('bias') - biases) < 4.0 * found.deviations('bias') + 1e-3).all()


def test_a_position_that_is_not_free_is_kept(flap):
    mine = flap.replace(sensors={'acc': {'at': PLACE.tolist()}})
    found = fitted(mine, ['gyro', 'acc'], readings(UPSIDE_DOWN),
                   free=('orientation', 'delay', 'biases'))
    np.testing.assert_array_equal(found.x[:3], PLACE)
    assert off(found, UPSIDE_DOWN) < 0.003
    assert not any('not shown' in note for note in found.notes)
