"""Records of filters: as long as a machine and its sensors need them, and free of old scratch."""

import numpy as np
import pytest

from mb_estimators import available_filters, make_filter
from mb_model import Mechanism, load_mechanism
from mb_model.jit import poison, record_type_of, sizes_of
from mb_model.record import WORK
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

RODS, GYROSCOPES, BIASES, DT = 20, 12, 15, 1e-3
SCRATCH = {WORK: ('scratch', 'exponential', 'change')}      # parts that outlive no kernel


def chain():
    """Return a chain of rods, each of which has an encoder; more than records ever had room for."""
    places = [f'P{k}' for k in range(RODS + 1)]
    points = {name: {'start': [float(k), 0.0]} for k, name in enumerate(places)}
    points['P0'] = {'fixed': [0.0, 0.0]}
    encoders = {f'encoder{k}': {
        'kind': 'angle_encoder', 'body': f'rod{k}', 'sigma': 1e-3, 'rate': 1000.0,
        'bias_sigma': 1e-3 if k < BIASES else 0.0} for k in range(RODS)}
    gyroscopes = {f'gyro{k}': {'kind': 'gyroscope', 'body': f'rod{k}', 'sigma': 1e-2,
                               'rate': 1000.0} for k in range(GYROSCOPES)}
    return Mechanism({
        'name': 'chain', 'points': points,
        'bodies': {f'rod{k}': {'points': places[k:k + 2], 'length': 1.0, 'mass': 1.0}
                   for k in range(RODS)},
        'coordinates': {f'angle{k}': {'kind': 'angle', 'body': f'rod{k}'} for k in range(RODS)},
        'independent': [f'angle{k}' for k in range(RODS)],
        'sensors': encoders | gyroscopes}, 'chain.yaml')


CHAIN = chain()


@pytest.mark.parametrize('name', available_filters(CHAIN))
def test_filters_follow_a_machine_of_many_coordinates_channels_and_biases(name):
    sensors = sensors_of(CHAIN, list(CHAIN.sensors))
    filter_ = make_filter(name, CHAIN, sensors, DT)
    own = sizes_of(filter_._filters)
    assert (own['coordinates'], own['independent']) == (3 * RODS + 2, RODS)
    assert (own['channels'], own['biases']) >= (RODS + GYROSCOPES, BIASES)
    q = CHAIN.q0[np.newaxis]
    for _ in range(2):
        filter_.predict(DT)
        estimate = filter_.estimate
        rates = CHAIN.velocity(estimate.q, estimate.zd)[np.newaxis]
        filter_.correct(np.concatenate(
            [true_values(CHAIN, sensor, q, rates, 0.0 * q)[0] for sensor in sensors]))
    estimate = filter_.estimate
    np.testing.assert_allclose(estimate.z, CHAIN.z0, atol=5e-3)
    assert len(estimate.biases) == BIASES
    assert np.isfinite(estimate.covariance).all()
    assert np.linalg.eigvalsh(estimate.covariance).min() > -1e-9


def poisoned(filter_):
    """Overwrite the scratch of all records of a filter."""
    for record in (filter_._works, filter_._filters):
        record_type = record_type_of(record)
        poison(record, record_type.names(*(
            part for part in SCRATCH.get(record_type, ('scratch',)) if part in record_type.parts)))


def trace(name, mechanism, scratched):
    """Return what each of some steps estimates, as bytes."""
    sensors = sensors_of(mechanism, list(mechanism.sensors))
    filter_ = make_filter(name, mechanism, sensors, 5e-3)
    random, found = np.random.default_rng(3), []
    true = np.concatenate([
        true_values(mechanism, sensor, mechanism.q0[np.newaxis], *np.zeros((2, 1, mechanism.n)))[0]
        for sensor in sensors])
    for _ in range(6):
        for move in (lambda: filter_.predict(5e-3),
                     lambda: filter_.correct(true + 1e-3 * random.normal(size=len(true)))):
            if scratched:
                poisoned(filter_)
            move()
            estimate = filter_.estimate
            found.append(b''.join(array.tobytes() for array in (
                estimate.z, estimate.zd, estimate.zdd, estimate.covariance)))
    return found


FIVE_BAR = load_mechanism('five_bar')


@pytest.mark.parametrize('name', available_filters(FIVE_BAR))
def test_filters_read_no_scratch_of_others(name):
    assert trace(name, FIVE_BAR, True) == trace(name, FIVE_BAR, False)
