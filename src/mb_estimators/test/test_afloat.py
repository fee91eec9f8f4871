"""Motion and oil of an excavator whose base floats freely: an orientation among its states."""

import copy

import numpy as np

from mb_estimators import make_filter
from mb_model import (
    Mechanism,
    load_mechanism,
    make_stepper,
    motion_difference,
    simulate_hydraulics,
)
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

DT, SIGMA = 1e-3, 2e-3


def floating_excavator():
    """Return the excavator on a body that moores hold in place and nothing keeps from turning."""
    raw = copy.deepcopy(load_mechanism('excavator').raw)
    raw['bodies'] = {'pontoon': {
        'points': {'ring': [0.0, 0.0, 1.0]}, 'mass': 9000.0, 'centre_of_gravity': [0.0, 0.0, 0.5],
        'inertia': [1e4, 1.5e4, 2e4], 'pose': {'at': [0.0, 0.0, 0.0]}}} | raw['bodies']
    raw['joints']['ring']['bodies'] = ['pontoon', 'house']
    raw['coordinates'] |= {'at': {'kind': 'position', 'body': 'pontoon', 'at': [0.0, 0.0, 0.0]},
                           'turn': {'kind': 'orientation', 'body': 'pontoon'}}
    raw['independent'] = [*(f'{name}.{axis}' for name in ('at', 'turn') for axis in 'xyz'),
                          *raw['independent']]
    raw['forces'] |= {f'moor_{axis}': {
        'kind': 'spring_damper', 'coordinate': f'at.{axis}', 'stiffness': 3e6, 'rest': 0.0,
        'damping': 2e5} for axis in 'xyz'}
    raw['start_velocity'] |= {'turn.x': 0.1, 'turn.y': -0.15, 'turn.z': 0.2}
    raw['sensors'] |= {
        'place': {'kind': 'position', 'point': {'body': 'pontoon', 'at': [0.0, 0.0, 0.0]},
                  'sigma': SIGMA},
        'compass': {'kind': 'orientation', 'body': 'pontoon', 'sigma': SIGMA}}
    return Mechanism(raw, 'floating_excavator.yaml')


def ideal_readings(mechanism, sensors, truth, k):
    """Return what sensors read without noise, pressures from the simulated oil."""
    volumes = list(mechanism.circuit.volumes)
    return [truth.p[k, [volumes.index(sensor.name.replace('_pressure', ''))]]
            if 'pressure' in sensor.name else
            true_values(mechanism, sensor, *(getattr(truth, name)[k:k + 1]
                                             for name in ('q', 'qd', 'qdd')))[0]
            for sensor in sensors]


def test_motion_and_oil_are_as_good_as_the_filter_says():
    """Cylinders, pressures, and a base that begins 2 degrees off and turns on by itself."""
    mechanism, random = floating_excavator(), np.random.default_rng(1)
    truth = simulate_hydraulics(mechanism, 0.3, DT)
    sensors = sensors_of(mechanism, ['encoders', 'pressures', 'place', 'compass'])
    filter_ = make_filter('hydraulic_kinematic_ekf', mechanism, sensors, DT, jerk_psd=300.0,
                          gate=0.0, initial_variance=1e-3)
    wrong = mechanism.z0.copy()
    wrong[3:6] += [0.02, -0.03, 0.01]
    filter_.reset(wrong, np.zeros(mechanism.g))
    fits, errors, oil = [], [], []
    for k in range(1, len(truth.t)):
        filter_.predict(DT, truth.U_in[k - 1])
        innovation = filter_.correct(np.hstack([
            ideal + sensor.settings.sigma * random.normal(size=len(ideal))
            for sensor, ideal in zip(sensors, ideal_readings(mechanism, sensors, truth, k),
                                     strict=True)]))
        fits.append(innovation.nis / len(innovation.residual))
        estimate = filter_.estimate
        off = motion_difference(mechanism, (truth.q[k], truth.qd[k]), (estimate.q, estimate.qd))
        errors.append(off / np.sqrt(np.diag(estimate.covariance)[:2 * mechanism.g]))
        oil.append(estimate.hydraulics.pressures - truth.p[k])
    assert 0.8 < np.mean(fits[20:]) < 1.2
    squares = np.mean(np.square(errors[100:]), axis=0)
    assert squares.max() < 2.0          # of each degree of freedom, over 0.2 s
    assert 0.5 < squares.mean() < 1.3
    assert np.std(oil[100:]) < 2e4      # sigma of the sensors


def test_a_smoother_follows_a_machine_that_floats():
    """By encoders, places on the pontoon and its gyroscope, from 2 degrees off, without oil."""
    places = {'mast': [1.0, 0.0, 2.0], 'bow': [0.0, 2.0, 1.0]}
    mechanism = floating_excavator().replace(sensors={
        'gyro': {'kind': 'gyroscope', 'body': 'pontoon', 'sigma': 1e-3},
        **{name: {'kind': 'position', 'point': {'body': 'pontoon', 'at': at}, 'sigma': SIGMA}
           for name, at in places.items()}})
    g, random, truth = mechanism.g, np.random.default_rng(1), make_stepper(mechanism)
    sensors = sensors_of(mechanism, ['encoders', 'place', 'gyro', *places])
    filter_ = make_filter('fixed_lag_smoother', mechanism, sensors, DT, gate=0.0, lag=0.02,
                          acceleration_psd=1e-4, acceleration_variance=1e-2, initial_variance=1e-3)
    wrong, squares = mechanism.z0.copy(), []
    wrong[3:6] += [0.02, -0.03, 0.01]
    filter_.reset(wrong, mechanism.zd0)
    for _ in range(60):
        truth.step(DT)
        filter_.predict(DT)
        filter_.correct(np.hstack([
            true_values(mechanism, sensor, truth.q[None], truth.qd[None], truth.qdd[None])[0]
            + sensor.settings.sigma * random.normal(size=len(sensor.channels))
            for sensor in sensors]))
        estimate = filter_.estimate
        off = motion_difference(mechanism, (truth.q, truth.qd), (estimate.q, estimate.qd))
        squares.append(off @ np.linalg.solve(estimate.covariance[:2 * g, :2 * g], off) / (2 * g))
    assert np.abs(off[3:6]).max() < 5e-4
    assert 0.2 < np.mean(squares) < 2.0
