"""Sensors by name, and messages about names that cannot be."""

import pytest

from mb_model import load_mechanism
from mb_sensors import SensorError, sensors_of

FIVE_BAR = load_mechanism('five_bar')


def with_sensor(entry):
    return load_mechanism('four_bar').replace(sensors={'probe': entry})


def test_groups_stand_for_their_members_each_once():
    sensors = sensors_of(FIVE_BAR, ['crank_gyros', 'left_crank_gyro', 'coupler_gyros'])
    assert [sensor.name for sensor in sensors] == [
        'left_crank_gyro', 'right_crank_gyro', 'left_coupler_gyro', 'right_coupler_gyro']


def test_values_come_from_the_mechanism_file():
    sensor = sensors_of(load_mechanism('four_bar'), 'crank_encoder')[0]
    assert sensor.settings.sigma == 17.453e-3
    assert sensor.rate == 200.0
    assert (sensor.kind, sensor.body, sensor.unit) == ('angle_encoder', 'crank', 'rad')
    assert sensor.channels == ('crank_encoder',)


def test_numbers_may_be_expressions():
    mechanism = with_sensor({'kind': 'gyroscope', 'body': 'crank', 'sigma': 'pi / 180'})
    assert sensors_of(mechanism, 'probe')[0].settings.sigma == pytest.approx(0.017453292)


def test_an_unknown_sensor_is_reported_with_those_that_exist():
    expected = ('crank_encodr: unknown sensor of four_bar, expected one of '
                'crank_encoder, crank_gyro, coupler_gyro')
    with pytest.raises(SensorError, match=expected):
        sensors_of(load_mechanism('four_bar'), ['crank_encodr'])


@pytest.mark.parametrize(('entry', 'text'), [
    ({'kind': 'sundial', 'sigma': 1.0}, r"probe\.kind: 'sundial' must be one of accelerometer, "),
    ({'sigma': 1.0}, r'probe\.kind: None must be one of'),
    ({'kind': ['gyroscope'], 'sigma': 1.0}, r'probe\.kind: \['),
    ({'kind': 'gyroscope', 'sigma': 1.0}, r'probe\.body: missing, expected one of crank, coupler'),
    ({'kind': 'gyroscope', 'body': 'wheel', 'sigma': 1.0}, r"probe\.body: 'wheel' must be one of"),
    ({'kind': 'gyroscope', 'body': 'crank'}, r'probe\.sigma: missing'),
    ({'kind': 'gyroscope', 'body': 'crank', 'sigma': -1.0}, r'probe\.sigma: -1\.0 must be >= 0'),
    ({'kind': 'gyroscope', 'body': 'crank', 'sigma': 'pi +'}, r"probe\.sigma: 'pi \+' ends"),
    ({'kind': 'gyroscope', 'body': 'crank', 'sigma': True}, r'probe\.sigma: True must be a number'),
    ({'kind': 'relative_angle_encoder', 'bodies': ['crank', 'crank'], 'sigma': 1.0},
     r'probe\.bodies: .* must be a list of two'),
    ({'kind': 'relative_angle_encoder', 'bodies': ['crank', 'A'], 'sigma': 1.0},
     r"probe\.bodies\[1\]: 'A' must be one of crank, coupler"),
    ({'kind': 'accelerometer', 'body': 'crank', 'sigma': 1.0},
     r'probe\.at: missing, expected one of A, P1, \[x, y\]'),
    ({'kind': 'accelerometer', 'body': 'crank', 'at': 'P2', 'sigma': 1.0},
     r"probe\.at: 'P2' must be one of A, P1"),
    ({'kind': 'accelerometer', 'body': 'crank', 'at': [1.0, '2 *'], 'sigma': 1.0},
     r"probe\.at\[1\]: '2 \*'"),
    ({'kind': 'accelerometer', 'body': 'crank', 'at': 'P1', 'axes': ['x', 'x'], 'sigma': 1.0},
     r'probe\.axes: .* must be a list of some of x, y, z'),
    ({'kind': 'accelerometer', 'body': 'crank', 'at': 'P1', 'orientation': 'up', 'sigma': 1.0},
     r"probe\.orientation: 'up'"),
    ({'kind': 'distance', 'points': ['A', {'body': 'crank', 'att': 'P1'}], 'sigma': 1.0},
     r'probe\.points\[1\]\.at: missing'),
    ({'kind': 'distance', 'points': ['A', {'body': 'crank', 'at': 'P1', 'on': 1}], 'sigma': 1.0},
     r'probe\.points\[1\]\.on: unknown key'),
    ({'kind': 'position', 'point': 'C', 'sigma': 1.0}, r"probe\.point: 'C' must be one of A, B"),
    ({'kind': 'linear_encoder', 'coordinate': 'theta', 'sigma': 1.0},
     r"probe\.coordinate: 'theta' must be one of P1\.x, "),
    ({'kind': 'gyroscope', 'body': 'crank', 'sigma': 1.0, 'noise': 2.0},
     r'probe\.noise: unknown setting, expected one of sigma, bias'),
])
def test_a_sensor_described_wrongly_is_reported_by_its_place_in_the_file(entry, text):
    with pytest.raises(SensorError, match=text) as error:
        sensors_of(with_sensor(entry), 'probe')
    assert 'four_bar' in str(error.value)
