"""Orientations and accelerations in logs: what they are is named, or refused."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mb_sensors.imported.column_settings import ColumnsError
from mb_sensors.imported.columns import read_columns
from mb_sensors.imported.log import read_log
from mb_sensors.imported.table import LogError

ROD = """
name: rod
dimension: 3
ground: {O: [0, 0, 0]}
bodies:
  rod: {mass: 1.0, centre_of_gravity: [0, 0, 0], inertia: [1, 1, 1], points: {O: [0, 0, 0]}}
joints: {ball: {kind: spherical, bodies: [ground, rod], at: O}}
coordinates: {turn: {kind: orientation, body: rod}}
independent: [turn.x, turn.y, turn.z]
sensors:
  acc: {kind: accelerometer, body: rod, at: [0, 0, 0], sigma: 0.05}
  gyro: {kind: gyroscope, body: rod, sigma: 0.01}
  turned: {kind: orientation, body: rod, sigma: 0.02}
"""
TURNS = st.tuples(st.floats(-3.0, 3.0), st.floats(-1.4, 1.4), st.floats(-3.0, 3.0))
EARTH = 'quaternion: [qw, qx, qy, qz]'
FREE = f'[fx, fy, fz], gravity: left_out, orientation: {{{EARTH}}}'


def log_of(folder, columns, sensors):
    """Return the Log of {name: numbers (k)}; sensors: of the file of columns."""
    (folder / 'rod.yaml').write_text(ROD)
    (folder / 'columns.yaml').write_text(
        f'mechanism: rod.yaml\ntime: {{rate: 100.0}}\nsensors: {sensors}\n')
    rows = zip(*columns.values(), strict=True)
    (folder / 'log.csv').write_text(','.join(columns) + '\n' + ''.join(
        ','.join(map(repr, map(float, row))) + '\n' for row in rows))
    return read_log(folder / 'log.csv', read_columns(folder / 'columns.yaml'))


def named(names, numbers):
    """Return {name: numbers (k)} of numbers (k, names)."""
    return dict(zip(names, np.asarray(numbers).T, strict=True))


@given(turns=st.lists(TURNS, min_size=1, max_size=3), data=st.data(), inverse=st.booleans())
@settings(max_examples=40, deadline=None)
def test_all_ways_of_an_orientation_are_the_same_turn(folder, turns, data, inverse):
    """Quaternions of both orders, matrices, Euler angles, rotation vectors."""
    truth = Rotation.from_euler('ZYX', turns)
    given_ = truth.inv() if inverse else truth
    matrices = given_.as_matrix().reshape(-1, 9)
    way = data.draw(st.sampled_from(['wxyz', 'xyzw', 'names', 'rows', 'columns', 'indices', 'ZYX',
                                     'xyz', 'vector']))
    by = {'wxyz': (list('abcd'), np.roll(given_.as_quat(), 1, axis=1),
                   'quaternion: [a, b, c, d], order: wxyz'),
          'xyzw': (list('abcd'), given_.as_quat(), 'quaternion: [a, b, c, d], order: xyzw'),
          'names': (['q_x', 'q_y', 'q_z', 'q_w'], given_.as_quat(),
                    'quaternion: [q_x, q_y, q_z, q_w]'),
          'rows': (list('abcdefghi'), matrices, 'matrix: [a, b, c, d, e, f, g, h, i], order: rows'),
          'columns': (list('adgbehcfi'), matrices,
                      'matrix: [a, b, c, d, e, f, g, h, i], order: columns'),
          'indices': ([f'm{i}{j}' for i in '123' for j in '123'], matrices,
                      'matrix: [m11, m21, m31, m12, m22, m32, m13, m23, m33]'),
          'ZYX': (['yaw', 'pitch', 'roll'], given_.as_euler('ZYX', degrees=True),
                  'euler: [yaw, pitch, roll], order: ZYX, unit: deg'),
          'xyz': (['Euler_X', 'Euler_Y', 'Euler_Z'], given_.as_euler('xyz'),
                  'euler: [Euler_X, Euler_Y, Euler_Z], order: xyz, unit: rad'),
          'vector': (list('abc'), given_.as_rotvec(), 'rotation_vector: [a, b, c], unit: rad')}
    names, numbers, entry = by[way]
    log = log_of(folder, named(names, numbers),
                 f'{{turned: {{{entry}, inverse: {str(inverse).lower()}}}}}')
    found = Rotation.from_rotvec(log.readings['turned'])
    assert (found * truth.inv()).magnitude().max() < 1e-6


def test_names_that_say_their_order_are_enough(tmp_path):
    log = log_of(tmp_path, named('WXYZ', [[0.7071068, 0.7071068, 0.0, 0.0]]),
                 "{turned: [W, X, 'Y', Z]}")
    np.testing.assert_allclose(log.readings['turned'], [[np.pi / 2, 0.0, 0.0]], atol=1e-9)


@pytest.mark.parametrize(('entry', 'words'), [
    ('[a, b, c]', 'sensors.turned: 3 columns of an orientation: expected quaternion: .* euler: '),
    ('[{column: a, unit: deg}, {column: b, unit: deg}, {column: c, unit: deg}]', '3 columns of an'),
    ('[a, b, c, d]', '4 columns of an orientation: expected quaternion'),
    ('a', '1 columns of an orientation'),
    ('{euler: [a, b, c], order: ZYX}', 'euler: unit: missing: expected one of rad'),
    ('{euler: [a, b, c], unit: deg}', "euler: order: '': expected the axes"),
    ('{euler: [a, b, c], order: ZZX, unit: deg}', "euler: order: 'ZZX'"),
    ('{euler: [roll, pitch, yaw], order: ZYX, unit: deg}', "'ZYX' is not of roll, pitch, yaw"),
    ('{quaternion: [a, b, c, d]}', "order: '' of a, b, c, d: expected wxyz or xyzw"),
    ('{quaternion: [w, x, y, z], order: xyzw}', 'by their names wxyz'),
    ('{quaternion: [a, b, c], order: wxyz}', 'quaternion: 3 columns, expected 4'),
    ('{matrix: [a, b, c, a, b, c, a, b, c]}', "order: '': expected rows or columns"),
    ('{rotation_vector: [a, b, c]}', 'rotation_vector: unit: missing'),
    ('{rotation_vector: [a, b, c], unit: rad, euler: [a, b, c]}', 'expected quaternion')])
def test_what_is_not_named_is_refused(tmp_path, entry, words):
    names = ['a', 'b', 'c', 'd', 'w', 'x', 'y', 'z', 'roll', 'pitch', 'yaw']
    with pytest.raises(ColumnsError, match=words):
        log_of(tmp_path, named(names, np.ones((1, len(names)))),
               f"{{turned: {entry.replace('y,', chr(39) + 'y' + chr(39) + ',')}}}"
               if ' y,' in entry else f'{{turned: {entry}}}')


@pytest.mark.parametrize(('entry', 'words'), [
    ('{quaternion: [a, b, c, d], order: wxyz}', 'csv: line 3: turned: a quaternion of length 2'),
    ('{matrix: [a, b, c, d, a, b, c, d, a], order: rows}', 'line 3: turned: no matrix')])
def test_numbers_that_are_no_orientation_are_refused(tmp_path, entry, words):
    with pytest.raises(LogError, match=words):
        log_of(tmp_path, named('abcd', [[1, 0, 0, 0], [2, 0, 0, 0]]), f'{{turned: {entry}}}')


@given(turns=st.lists(TURNS, min_size=3, max_size=5))
@settings(max_examples=20, deadline=None)
def test_gravity_that_was_left_out_is_added(folder, turns):
    """In the axes of the sensor and of the earth: the specific force is R' (a - g)."""
    turned = Rotation.from_euler('ZYX', turns)
    free = np.random.default_rng(5).normal(0.0, 1.0, (len(turns), 3))       # in earth axes
    quaternions = named(['qw', 'qx', 'qy', 'qz'], np.roll(turned.as_quat(), 1, axis=1))
    expected = turned.inv().apply(free - np.array([0.0, 0.0, -9.81]))
    for axes, numbers in (('earth', free), ('sensor', turned.inv().apply(free))):
        log = log_of(folder, {**named(['fx', 'fy', 'fz'], numbers), **quaternions},
                     f'{{acc: {{columns: {FREE}, axes: {axes}}}}}')
        np.testing.assert_allclose(log.readings['acc'], expected, atol=1e-9)


@pytest.mark.parametrize(('names', 'size', 'words'), [
    (['FreeAcc_X', 'FreeAcc_Y', 'FreeAcc_Z'], 9.81, 'accelerations without gravity by their names'),
    (['LinAccX', 'LinAccY', 'LinAccZ'], 9.81, 'accelerations without gravity by their names'),
    (['a_x', 'a_y', 'a_z'], 0.1, r'half of the readings are less than 0\.1 m/s\^2 long'),
    (['a_x', 'a_y', 'a_z'], 1.0, 'or unit: g'),
    (['linear_acceleration.x', 'linear_acceleration.y', 'linear_acceleration.z'], 9.81, ''),
    (['a_x', 'a_y', 'a_z'], 9.7, '')])
def test_accelerations_without_gravity_are_not_taken_for_readings(tmp_path, names, size, words):
    columns = named(names, [[0.0, 0.0, size]] * 4)
    if not words:
        assert np.isfinite(log_of(tmp_path, columns, f'{{acc: {names}}}').readings['acc']).all()
        return
    with pytest.raises(ColumnsError, match=f'sensors.acc: .*{words}'):
        log_of(tmp_path, columns, f'{{acc: {names}}}')
    log = log_of(tmp_path, columns, f'{{acc: {{columns: {names}, gravity: included}}}}')
    np.testing.assert_allclose(log.readings['acc'], [[0.0, 0.0, size]] * 4)


def test_the_orientation_must_come_along(tmp_path):
    with pytest.raises(ColumnsError, match=r'sensors\.acc\.orientation: missing'):
        log_of(tmp_path, named('abc', [[0.0, 0.0, 0.1]]),
               '{acc: {columns: [a, b, c], gravity: left_out}}')
    with pytest.raises(ColumnsError, match='gravity: only of an accelerometer'):
        log_of(tmp_path, named('abc', [[0.0, 0.0, 0.1]]),
               '{gyro: {columns: [a, b, c], gravity: included}}')


def test_zeros_before_the_first_reading_are_none(tmp_path):
    """Of an accelerometer wherever they are, of a gyroscope at the beginning only."""
    columns = named('abcdef', [[0] * 6, [0, 0, 9.8, 1, 2, 3], [0] * 6, [0, 1, 9.8, 1, 2, 4]])
    log = log_of(tmp_path, columns, '{acc: [a, b, c], gyro: [d, e, f]}')
    assert np.isfinite(log.readings['acc'][:, 0]).tolist() == [False, True, False, True]
    assert np.isfinite(log.readings['gyro'][:, 0]).tolist() == [True] * 4
    assert 'acc: all zero in 2 rows (line 2, 4): no readings' in log.remarks
    log = log_of(tmp_path, {name: cells[[0, 1, 3]] for name, cells in columns.items()},
                 '{gyro: [d, e, f]}')
    assert np.isfinite(log.readings['gyro'][:, 0]).tolist() == [False, True, True]
