"""Which nodes read the sensors of a run."""

import pytest

from mb_bringup.sensor_nodes import sensor_nodes
from mb_model import load_mechanism
from mb_sensors import SensorError, sensors_of

PLACES = """\
extends: four_bar
name: four_bar
sensors:
  wire: {kind: distance, points: [A, P2], sigma: 0.0}
  antenna: {kind: position, point: P2, sigma: 0.0}
"""


def nodes(mechanism, names, source='emulated'):
    return sensor_nodes(sensors_of(load_mechanism(str(mechanism)), names), 3, source, '/tmp/run', 7)


def test_a_crane_has_its_encoder_and_pressures_on_one_bus():
    names = ['cylinder_encoder', 'pressure1', 'pressure2']
    drivers, (bus,) = nodes('crane', names)
    assert {driver.executable: driver.parameters['sensors'] for driver in drivers} == {
        'encoder_driver': ['cylinder_encoder'], 'pressure_driver': ['pressure1', 'pressure2']}
    assert (bus.executable, bus.parameters['device']) == ('emulate', 'can')
    assert bus.parameters['sensors'] == names
    ids = [bus.parameters[f'{name}.can.node_id'] for name in names]
    assert len(set(ids)) == 3
    for driver in drivers:
        shared = driver.parameters.keys() & bus.parameters.keys() - {'sensors'}
        assert {key: driver.parameters[key] for key in shared} == {
            key: bus.parameters[key] for key in shared}
        assert driver.parameters['source'] == 'can'


def test_every_body_has_an_imu_of_its_own():
    drivers, emulators = nodes('four_bar', ['crank_gyro', 'crank_accelerometers', 'coupler_gyro'])
    assert [driver.parameters['sensors'] for driver in drivers] == [
        ['crank_gyro', 'crank_accelerometers'], ['coupler_gyro']]
    ports = [one.parameters['serial_imu.port'] for one in (*drivers, *emulators)]
    assert ports[:2] == ports[2:]
    assert ports[0] != ports[1]


def test_a_distance_is_on_the_bus_and_a_position_has_no_device(tmp_path):
    file = tmp_path / 'four_bar.yaml'
    file.write_text(PLACES)
    drivers, _ = nodes(file, ['wire'])
    assert [driver.executable for driver in drivers] == ['range_driver']
    with pytest.raises(SensorError, match='antenna: there is no emulated device of kind position'):
        nodes(file, ['antenna'])


def test_one_node_simulates_sensors_of_all_kinds(tmp_path):
    file = tmp_path / 'four_bar.yaml'
    file.write_text(PLACES)
    names = ['wire', 'antenna', 'crank_gyro']
    (driver,), emulators = nodes(file, names, 'simulated')
    assert (driver.executable, driver.parameters['sensors']) == ('sensor_driver', names)
    assert emulators == []
