"""Measurement functions and their derivatives against independent truth."""

import numpy as np
import pytest

from mb_model import load_mechanism, simulate
from mb_sensors import sensors_of
from mb_sensors.kernels.measurement import difference, measure, measurement_jacobian
from mb_sensors.readings import true_values

KINDS = ('angle_encoder', 'gyroscope')
# With an own angle coordinate; without one and no, or the second, point fixed.
BODIES = ('crank', 'coupler', 'rocker')


def four_bar_with(kind, body):
    """Return the four-bar linkage and its only sensor."""
    mechanism = load_mechanism('four_bar').replace(
        sensors={'probe': {'kind': kind, 'body': body, 'sigma': 1e-3}})
    return mechanism, sensors_of(mechanism, 'probe')[0]


def random_state(mechanism, seed):
    """Return random coordinates, velocities, accelerations (n_total each); no need to close."""
    random = np.random.default_rng(seed)
    size = int(mechanism.model['n_total'][0])
    return [random.normal(size=size) * 3.0 for _ in range(3)]


def value(records, state):
    h = np.empty(len(records))
    measure(records, *state, h)
    return h[0]


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('body', BODIES)
@pytest.mark.parametrize('seed', range(3))
def test_jacobians_are_the_central_differences(kind, body, seed):
    mechanism, sensor = four_bar_with(kind, body)
    state = random_state(mechanism, seed)
    exact = [np.empty_like(x) for x in state]
    measurement_jacobian(sensor.records[0], *state, *exact)
    step = 1e-6
    for vector, derivative in zip(state, exact, strict=True):
        for i in range(len(vector)):
            middle = vector[i]
            vector[i] = middle + step
            above = value(sensor.records, state)
            vector[i] = middle - step
            below = value(sensor.records, state)
            vector[i] = middle
            assert derivative[i] == pytest.approx((above - below) / (2 * step), abs=1e-7)


@pytest.mark.parametrize('body', BODIES)
def test_a_gyroscope_reads_how_fast_an_encoder_turns(body):
    mechanism, encoder = four_bar_with('angle_encoder', body)
    _, gyroscope = four_bar_with('gyroscope', body)
    run = simulate(mechanism, 1.0, 1e-3)
    angle = np.unwrap(true_values(mechanism, encoder, run.q, run.qd, run.qdd)[:, 0])
    rate = true_values(mechanism, gyroscope, run.q, run.qd, run.qdd)[:, 0]
    np.testing.assert_allclose(np.gradient(angle, run.t, edge_order=2), rate, atol=2e-5)


def test_angles_of_a_drawn_position():
    """A body along the 3-4-5 triangle, turning at 2 rad/s about its first point."""
    mechanism, encoder = four_bar_with('angle_encoder', 'coupler')
    _, gyroscope = four_bar_with('gyroscope', 'coupler')
    q = np.array([[1.0, 1.0, 4.0, 5.0, 0.0]])
    qd = np.array([[7.0, 7.0, 7.0 - 8.0, 7.0 + 6.0, 0.0]])
    assert true_values(mechanism, encoder, q, qd, qd)[0, 0] == pytest.approx(np.arctan2(4.0, 3.0))
    assert true_values(mechanism, gyroscope, q, qd, qd)[0, 0] == pytest.approx(2.0)


def test_angles_differ_by_the_short_way_round():
    _, encoder = four_bar_with('angle_encoder', 'crank')
    _, gyroscope = four_bar_with('gyroscope', 'crank')
    assert difference(encoder.records[0], 3.0, -3.0) == pytest.approx(6.0 - 2.0 * np.pi)
    assert difference(encoder.records[0], 12.6, 0.1) == pytest.approx(12.5 - 4.0 * np.pi)
    assert difference(encoder.records[0], 0.25, 0.125) == 0.125
    assert difference(gyroscope.records[0], 3.0, -3.0) == 6.0
