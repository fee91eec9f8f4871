"""Motion and oil of an excavator whose base floats freely: an orientation among its states."""

import copy

import numpy as np
from scipy.spatial.transform import Rotation
from tumbling import is_within

from mb_estimators import make_filter
from mb_model import (
    Mechanism,
    load_mechanism,
    make_stepper,
    motion_difference,
    simulate_hydraulics,
)
from mb_model.space_api import body_poses
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

DT, SIGMA = 1e-3, 2e-3


def floating_excavator(heavier=1.0):
    """Return the excavator on a body that moores hold in place and nothing keeps from turning.

    heavier: factor of the body's mass and inertia; what it weighs more is carried.
    """
    raw = copy.deepcopy(load_mechanism('excavator').raw)
    raw['bodies'] = {'pontoon': {
        'points': {'ring': [0.0, 0.0, 1.0]}, 'mass': 9000.0 * heavier,
        'centre_of_gravity': [0.0, 0.0, 0.5], 'pose': {'at': [0.0, 0.0, 0.0]},
        'inertia': [1e4 * heavier, 1.5e4 * heavier, 2e4 * heavier]}} | raw['bodies']
    raw['joints']['ring']['bodies'] = ['pontoon', 'house']
    raw['coordinates'] |= {'at': {'kind': 'position', 'body': 'pontoon', 'at': [0.0, 0.0, 0.0]},
                           'turn': {'kind': 'orientation', 'body': 'pontoon'}}
    raw['independent'] = [*(f'{name}.{axis}' for name in ('at', 'turn') for axis in 'xyz'),
                          *raw['independent']]
    raw['forces'] |= {f'moor_{axis}': {
        'kind': 'spring_damper', 'coordinate': f'at.{axis}', 'stiffness': 3e6, 'rest': 0.0,
        'damping': 2e5} for axis in 'xyz'}
    raw['forces']['carried'] = {'kind': 'constant', 'coordinate': 'at.z',
                                'force': 9.81 * 9000.0 * (heavier - 1.0)}
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


def turned_world(mechanism, turn):
    """Return a Mechanism, turned with all of its world by a rotation vector."""
    raw, world = copy.deepcopy(mechanism.raw), Rotation.from_rotvec(turn)
    for body, (at, axes) in body_poses(mechanism, mechanism.q0).items():
        if body in raw['bodies']:
            raw['bodies'][body]['pose'] = {
                'at': world.apply(at[0]).tolist(),
                'turn': (world * Rotation.from_matrix(axes[0])).as_rotvec().tolist()}
    raw['gravity'] = world.apply([0.0, 0.0, -9.81]).tolist()
    return Mechanism(raw, 'turned_excavator.yaml')


CERTAIN = {'gate': 0.0, 'initial_pressure_variance': 1.0, 'initial_spool_variance': 1e-12,
           'acceleration_psd': 1e-4, 'pressure_psd': 1e-2, 'spool_psd': 1e-12,
           'force_deviation': 1e-2, 'still_force_walk': 1e-2, 'initial_acceleration_variance': 1e8}


def noisy(sensors, ideal, random):
    """Return readings with the noise of sensors."""
    return np.hstack([one + sensor.settings.sigma * random.normal(size=len(one))
                      for sensor, one in zip(sensors, ideal, strict=True)])


def test_masses_and_oil_in_one_filter_know_how_large_their_errors_are():
    """Of hydraulic_ekf, whose start is off as it says, over 50 runs.

    The truth has no noise.  The filter has some, for what it linearises of the oil: up to 2 mm/s.
    """
    mechanism, within, g = floating_excavator(), [], 10
    truth = simulate_hydraulics(mechanism, 0.03, DT)
    sensors = sensors_of(mechanism, ['encoders', 'place', 'compass'])
    filter_ = make_filter('hydraulic_ekf', mechanism, sensors, DT, **CERTAIN)
    deviations = np.repeat([5e-3, 0.03, 2e-3, 0.02, 0.1, 0.01], [3, 3, 4, 3, 3, 4])
    ideal = [ideal_readings(mechanism, sensors, truth, k) for k in range(len(truth.t))]
    for seed in range(50):
        random = np.random.default_rng(seed)
        error = deviations * random.normal(size=2 * g)
        filter_.reset(mechanism.z0 - error[:g], mechanism.zd0 - error[g:],
                      np.diag(deviations ** 2))
        for k in range(1, len(truth.t)):
            filter_.predict(DT, truth.U_in[k - 1])
            filter_.correct(noisy(sensors, ideal[k], random))
            estimate = filter_.estimate
            within.append(is_within(motion_difference(
                mechanism, (truth.q[k], truth.qd[k]), (estimate.q, estimate.qd)),
                estimate.covariance[:2 * g, :2 * g]))
    assert 0.90 <= np.mean(within) <= 0.98


def test_turning_the_world_changes_nothing_of_the_oil():
    """Innovations of encoders and pressures of hydraulic_ekf, and what it says of the oil."""
    mechanism, turn = floating_excavator(), [0.7, -1.1, 0.4]
    names, found = ['encoders', 'pressures', 'place', 'compass'], []
    for world in (mechanism, turned_world(mechanism, turn)):
        truth, random = simulate_hydraulics(world, 0.02, DT), np.random.default_rng(1)
        sensors = sensors_of(world, names)
        filter_ = make_filter('hydraulic_ekf', world, sensors, DT, gate=0.0)
        for k in range(1, len(truth.t)):
            filter_.predict(DT, truth.U_in[k - 1])
            innovation = filter_.correct(noisy(sensors[:-2], ideal_readings(
                world, sensors[:-2], truth, k), random).tolist() + np.hstack(ideal_readings(
                    world, sensors[-2:], truth, k)).tolist())
        found.append([*innovation.residual[:-6], innovation.nis,
                      *filter_.estimate.hydraulics.pressures])
    np.testing.assert_allclose(*found, rtol=1e-3, atol=1e-6)


def test_on_a_body_that_cannot_be_moved_it_is_the_excavator_on_the_ground():
    """The linear case: angles, cylinders and oil of hydraulic_ekf, on a body of 9e8 kg."""
    machines = [floating_excavator(1e5), load_mechanism('excavator')]
    names = ['encoders', 'pressures']
    truth, estimates = simulate_hydraulics(machines[1], 0.05, DT), []
    for mechanism in machines:
        sensors, random = sensors_of(mechanism, names), np.random.default_rng(1)
        filter_ = make_filter('hydraulic_ekf', mechanism, sensors, DT, gate=0.0)
        g = mechanism.g
        start = np.full(g, 1e-4)
        start[:g - 4] = 1e-16
        filter_.reset(mechanism.z0, np.concatenate([np.zeros(g - 4), machines[1].zd0]),
                      np.diag([*start, *start]))
        for k in range(1, len(truth.t)):
            filter_.predict(DT, truth.U_in[k - 1])
            ideal = ideal_readings(machines[1], sensors_of(machines[1], names), truth, k)
            filter_.correct(noisy(sensors, ideal, random))
        estimate = filter_.estimate
        estimates.append([*estimate.z[-4:], *estimate.zd[-4:],
                          *(1e-6 * estimate.hydraulics.pressures)])
    np.testing.assert_allclose(*estimates, atol=1e-5)
