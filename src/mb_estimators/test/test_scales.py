"""Errors of the sensitivity of sensors and of their axes, estimated beside the motion."""

import numpy as np
import pytest
from test_mountings import ALL, DT, NOTHING, SENSORS, TWO_HINGES, known_parameters, tuned

from mb_estimators import FilterError, make_filter
from mb_estimators.observability.study import observability
from mb_estimators.plugins import filter_class
from mb_model import simulate
from mb_sensors import SensorError, SensorNoise, sensors_of, true_values

SIGMA, LEAN, SECONDS = 0.02, 0.01, 3.0
SCALED = TWO_HINGES.replace(sensors={
    'gyro': {'mounting_sigma': 0.0, 'scale_sigma': SIGMA, 'bias_sigma': 0.01},
    'accelerometer': {'mounting_sigma': 0.0}})
BOTH = TWO_HINGES.replace(sensors={
    name: {'scale_sigma': SIGMA, 'bias_sigma': 0.1} for name in ('gyro', 'accelerometer')})
LEANING = SCALED.replace(sensors={'gyro': {'misalignment_sigma': LEAN}})
CROSSED = BOTH.replace(sensors={'gyro': {'misalignment_sigma': LEAN},
                                'accelerometer': {'scale_sigma': 0.0, 'misalignment_sigma': LEAN}})
IMU = ['gyro', 'accelerometer']
OTHERS = 'x to y', 'x to z', 'y to x', 'y to z', 'z to x', 'z to y'


@pytest.mark.parametrize('machine', [SCALED, LEANING])
def test_it_is_found(machine):
    """As well as the filter says, of each axis of a gyroscope that has a bias, too."""
    true, shares = simulate(machine, SECONDS, DT), []
    lean = LEAN if machine is LEANING else 0.0
    names = [f'gyro.{one}' for one in (*'xyz', *(OTHERS if lean > 0.0 else ()))]
    limits = np.array([SIGMA] * 3 + [lean] * (len(names) - 3))
    for seed in range(4):
        wrong = machine.replace(sensors={'gyro': {
            'drawn_scale': 2.0 * SIGMA, 'misalignment': 1.7 * lean, 'bias': 5e-3}})
        readings, expected = [], None
        for sensor in sensors_of(wrong, list(wrong.sensors)):
            noise = SensorNoise(sensor.settings, seed, sensor.name)
            values = true_values(wrong, sensor, true.q, true.qd, true.qdd)
            readings.append(noise.readings(range(len(values)), values))
            if sensor.name == 'gyro':
                errors = noise.errors(3)[:, 1:] - np.eye(3)
                expected = np.array([*errors.diagonal(), *errors[~np.eye(3, dtype=bool)]])
        filter_ = make_filter('kinematic_kf', machine, sensors_of(machine, list(machine.sensors)),
                              DT, initial_variance=1e-6, **tuned('kinematic_kf'))
        for k, reading in enumerate(np.hstack(readings)):
            if k > 0:
                filter_.predict(DT)
            filter_.correct(reading)
        found = filter_.estimate
        assert list(found.scales) == list(found.scale_deviations) == names
        deviations = np.array(list(found.scale_deviations.values()))
        assert (deviations[:3] < 0.5 * SIGMA).all()
        assert (deviations <= limits).all()
        shares.append((np.array(list(found.scales.values())) - expected[:len(names)]) / deviations)
    assert np.abs(shares).max() < 3.5
    assert 0.3 < np.sqrt(np.mean(np.square(shares))) < 1.6


@pytest.mark.parametrize(('machine', 'scales'), [(BOTH, 6), (CROSSED, 15)])
def test_derivatives_are_exact(machine, scales):
    """Of readings by scales, axes, biases, mountings and the motion, far from zero."""
    filter_ = make_filter('kinematic_kf', machine, sensors_of(machine, IMU), DT, gate=0.0)
    record, bias, step = filter_._filters[0], filter_.layout['bias'], 1e-6
    own = np.random.default_rng(1).uniform(-0.3, 0.3, bias.stop - bias.start)
    assert len(own) == 6 + 3 + scales

    def observe(values, swing=0.8, readings=NOTHING):
        filter_.reset([0.3, swing], [1.2, -0.7])
        record['bias'][:len(own)] = values
        return readings - filter_.correct(readings).residual

    observe(own, readings=observe(own))         # without a correction, where H is of
    H = record['H'][:6].copy()
    for k, shift in enumerate(step * np.eye(len(own))):
        slope = (observe(own + shift) - observe(own - shift)) / (2.0 * step)
        np.testing.assert_allclose(H[:, bias.start + k], slope, atol=2e-8)
    by_swing = (observe(own, 0.8 + step) - observe(own, 0.8 - step)) / (2.0 * step)
    np.testing.assert_allclose(H[:, 1], by_swing, atol=3e-8)


def test_states_have_names():
    layout = make_filter('kinematic_kf', BOTH, sensors_of(BOTH, IMU), DT).layout
    assert layout.names[-6:] == tuple(f'scale of {name}.{axis}' for name in IMU for axis in 'xyz')
    assert layout.units[-6:] == 6 * ('',)
    np.testing.assert_allclose(layout.variances[-6:], SIGMA ** 2)
    layout = make_filter('kinematic_kf', CROSSED, sensors_of(CROSSED, IMU), DT).layout
    assert layout.names[-15:] == tuple(f'scale of {name}' for name in (
        'gyro.x', 'gyro.y', 'gyro.z', *(f'gyro.{one}' for one in OTHERS),
        *(f'accelerometer.{one}' for one in OTHERS)))
    np.testing.assert_allclose(layout.variances[-12:], LEAN ** 2)


@pytest.mark.parametrize('name', [
    name for name in ALL if not filter_class(name).takes_scales])
def test_other_filters_refuse(name):
    with pytest.raises(SensorError, match=r'gyro\.scale_sigma: this filter estimates no errors'):
        make_filter(name, SCALED, sensors_of(SCALED, list(SCALED.sensors)), DT,
                    **known_parameters(name))


def test_axes_of_what_is_no_vector_are_refused():
    wrong = TWO_HINGES.replace(sensors={'turn_encoder': {'misalignment_sigma': LEAN}})
    with pytest.raises(SensorError, match=r'turn_encoder\.misalignment_sigma: .* expected 0'):
        make_filter('kinematic_kf', wrong, sensors_of(wrong, ['turn_encoder']), DT)


def test_an_axis_without_a_reading_is_left_out():
    """What the others take of it is known by the motion alone."""
    filter_ = make_filter('kinematic_kf', CROSSED, sensors_of(CROSSED, IMU), DT, gate=0.0)
    readings = NOTHING.copy()
    readings[1] = np.nan
    assert np.isfinite(filter_.correct(readings).residual).all()
    assert np.isfinite(filter_.estimate.covariance).all()


def test_readings_that_move_the_model_are_refused():
    with pytest.raises(FilterError, match=r'acceleration_model: input .* scale_sigma .* gyro\.x'):
        make_filter('kinematic_kf', BOTH, sensors_of(BOTH, list(BOTH.sensors)), DT,
                    acceleration_model='input')


def test_observability_of_a_scale_is_what_readings_change_with_it():
    run = simulate(SCALED, 1.0, DT)
    gyro, = sensors_of(SCALED, ['gyro'])
    found = observability(SCALED, ['turn_encoder', 'swing_encoder', 'gyro'], 1.0, DT).analytic
    assert found.states.names[-3:] == tuple(f'scale of gyro.{axis}' for axis in 'xyz')
    read = true_values(SCALED, gyro, run.q, run.qd, run.qdd)
    expected = np.diag(np.square(SIGMA * read / gyro.settings.sigma).sum(axis=0))
    np.testing.assert_allclose(found.matrix[-3:, -3:], expected, rtol=1e-6, atol=1e-9)
    crossed = observability(LEANING, ['turn_encoder', 'swing_encoder', 'gyro'], 1.0, DT).analytic
    assert crossed.states.names[-6:] == tuple(f'scale of gyro.{one}' for one in OTHERS)
    squares = np.square(LEAN * read / gyro.settings.sigma).sum(axis=0)
    np.testing.assert_allclose(crossed.matrix[-6:, -6:].diagonal(), squares[[1, 2, 0, 2, 0, 1]],
                               rtol=1e-6, atol=1e-9)


def test_by_default_none_is_estimated():
    assert not any('scale' in name for name in make_filter(
        'kinematic_kf', TWO_HINGES, SENSORS, DT).layout.names)
