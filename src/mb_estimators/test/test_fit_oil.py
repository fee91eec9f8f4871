"""Numbers of the oil by readings: what they change, and what a motion does not show of them."""

from hydraulic_machines import CRANE, SENSORS
import numpy as np
import pytest

from mb_estimators import FitError, Recording, fit_readings
from mb_estimators.filters.hydraulic_kinematic_ekf import HydraulicKinematicEkf
from mb_estimators.fitting.by_readings.oil_path import OilTracer
from mb_estimators.fitting.oil_numbers import OilNumbers, oil_paths, oil_values
from mb_model import load_mechanism
from mb_model.file_api import parameter_overrides
from mb_sensors import sensors_of

LEAKING = CRANE.replace(hydraulics={'cylinders': {'lift': {'leakage': 2e-13}}})
OPENED = [0.3]


def test_the_group_has_what_a_circuit_has():
    paths = oil_paths(LEAKING, 'oil')
    assert {path.removeprefix('hydraulics.') for path in paths} == {
        'oil.bulk_modulus', 'volumes.v1.volume', 'volumes.v1.bulk_modulus', 'volumes.v2.volume',
        'volumes.v2.bulk_modulus', 'cylinders.lift.bulk_modulus', 'cylinders.lift.leakage',
        'valves.directional.flow', 'valves.directional.time_constant'}
    assert oil_values(LEAKING)['hydraulics.valves.directional.flow'] == 1e-4
    assert oil_paths(LEAKING, 'hydraulics.supplies.*') == [
        'hydraulics.supplies.pump', 'hydraulics.supplies.tank']
    assert 'hydraulics.cylinders.lift.leakage' not in oil_paths(CRANE, 'oil')
    assert not oil_paths(load_mechanism('four_bar'), 'oil')
    assert not oil_paths(LEAKING, 'friction')


@pytest.mark.parametrize('path', [*oil_paths(LEAKING, 'oil'), 'hydraulics.oil.air',
                                  'hydraulics.supplies.pump'])
def test_what_a_number_changes_is_what_an_observer_with_another_one_does(path):
    """In 20 ms, in which the spool opens."""
    def observer(factor):
        changed = parameter_overrides(LEAKING, {path: factor * oil_values(LEAKING)[path]})
        mechanism = LEAKING.replace(**changed)
        filter_ = HydraulicKinematicEkf(mechanism, sensors_of(mechanism, SENSORS), 1e-3,
                                        HydraulicKinematicEkf.Settings())
        filter_.reset(LEAKING.z0, [0.02])
        return filter_
    low, tracer, high = observer(0.999), observer(1.0), observer(1.001)
    tracer = OilTracer(tracer, 1, OilNumbers(LEAKING, {path: oil_values(LEAKING)[path]}))
    for filter_ in (low, tracer, high):
        for _ in range(20):
            filter_.predict(1e-3, OPENED)
    states = [one.state['filter'][0]['x'] for one in (high, low)]
    expected = (states[0] - states[1]) / np.log(1.001 / 0.999)
    found, size = tracer.path.transitions[0, :len(expected), -1], len(tracer.layout)
    assert np.abs(expected[3:5]).max() > 1e-6       # pressures [MPa]
    np.testing.assert_allclose(found[:size], expected[:size],
                               atol=0.03 * np.abs(expected).max())


def test_a_valve_that_stays_shut_shows_nothing_and_that_is_said():
    """Of a crane at rest that leaks nothing but noise."""
    random, count = np.random.default_rng(1), 200
    sensors = sensors_of(CRANE, SENSORS)
    truth = np.r_[CRANE.z0, CRANE.circuit.p0]
    sigmas = [np.sqrt(sensor.settings.variance) for sensor in sensors]
    still = Recording(10_000_000 * np.arange(count), truth + sigmas * random.standard_normal(
        (count, 3)))
    paths = oil_paths(CRANE, 'oil')
    found = fit_readings(CRANE, sensors, [still], 2e-3, (), dict.fromkeys(paths, 1.0), held_out=0.0)
    assert not any(one.is_known for one in found.numbers)
    assert not found.together
    note = next(note for note in found.notes if 'do not determine hydraulics' in note)
    assert all(path in note for path in paths)
    for path, value in oil_values(CRANE).items():
        if path in paths:
            assert 0.3 < found.values[path] / value < 3.0


def test_oil_and_masses_are_fitted_one_after_the_other():
    with pytest.raises(FitError, match='fit them, and the others, one after the other'):
        fit_readings(CRANE, sensors_of(CRANE, SENSORS), [], 2e-3, (),
                     {'hydraulics.oil.bulk_modulus': 1.0, 'bodies.arm.mass': 1.0})
