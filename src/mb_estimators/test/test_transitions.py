"""Transition matrices and plant noise against matrix exponentials and quadrature."""

import numpy as np
from plain_records import plain_record
import pytest
from scipy.integrate import quad_vec
from scipy.linalg import expm

from mb_estimators.kernels.exponential_prediction import (
    EXPONENTIAL,
    _add_series_noise,
    exponential_step,
)
from mb_estimators.kernels.transition import STIFF, exact_transition, series_transition
from mb_estimators.records.filter import FILTER
from mb_model.jit import poison
from mb_model.record import WORK

G, H = 3, 0.07
RANDOM = np.random.default_rng(4)
A, B = RANDOM.normal(size=(2, G, G)) * 4.0
RATES = np.block([[np.zeros((G, G)), np.eye(G)], [A, B]])


@pytest.mark.parametrize('order', [0, 1, 2, 5, 12])
def test_the_series_is_right_up_to_its_order(order):
    f = plain_record(FILTER, G, 3 * G)[0]
    series_transition(f, A, B, G, H, order, f['left'])
    series = sum((np.linalg.matrix_power(RATES * H, k) / np.prod(np.arange(1.0, k + 1.0))
                  for k in range(1, order + 2)), np.eye(2 * G))
    np.testing.assert_allclose(f['transition'][:2 * G, :2 * G], series, rtol=1e-12, atol=1e-14)
    if order == 12:
        np.testing.assert_allclose(series, expm(RATES * H), atol=1e-12)


def test_the_exact_transition_is_right_to_first_order_and_of_positions_to_second():
    f = plain_record(FILTER, G, 3 * G)[0]
    f['states'] = f['motion'] = 3 * G
    h = 1e-4
    exact_transition(f, A, B, G, h, 10.0)
    rates = np.zeros((3 * G, 3 * G))
    rates[:2 * G, :2 * G] = RATES
    rates[G:2 * G, 2 * G:] = np.eye(G)
    size, true = np.linalg.norm(rates, 2) * h, expm(rates * h)
    np.testing.assert_allclose(f['transition'][:3 * G, :3 * G], true, atol=0.6 * size ** 2)
    np.testing.assert_allclose(f['transition'][:G, :3 * G], true[:G], atol=0.2 * size ** 3)


def test_the_noise_of_the_series_is_its_integral():
    psd = np.array([0.3, 1.0, 2.0])
    work = WORK.new(**dict.fromkeys(WORK.size_names, 0) | {
        'coordinates': 4 * G, 'independent': G, 'bodies': 1})[0]
    work['B'][:G, :G] = B
    P = np.zeros((2 * G, 2 * G))
    _add_series_noise(P, psd, work, G, H)

    def density(t):
        passed = np.vstack([t * np.eye(G), np.eye(G) + t * B])
        return passed * psd @ passed.T

    np.testing.assert_allclose(P, quad_vec(density, 0.0, H)[0], rtol=1e-10)


def stiff_rates(kind):
    """Return A = dzdd/dz, B = dzdd/dzd of coupled springs or dampers, or soft ones, or none."""
    shape = RANDOM.normal(size=(G, G))
    symmetric = shape @ shape.T + np.eye(G)
    soft = A, B
    return {'soft': soft, 'springs': (-1e6 * symmetric, np.zeros((G, G))),
            'dampers': (-symmetric, -1e4 * symmetric),
            'both': (-1e7 * symmetric, -30.0 * symmetric),
            'none': (np.zeros((G, G)), np.zeros((G, G)))}[kind]


def records(biases=0, parameters=0):
    """Return a FILTER of z, zd, biases and parameters with its EXPONENTIAL, scratch poisoned."""
    filters, exponentials = (
        plain_record(record_type, G, 3 * G + biases + parameters, biases=biases + parameters,
                     parameters=parameters) for record_type in (FILTER, EXPONENTIAL))
    poison(filters, FILTER.fields)
    poison(exponentials, EXPONENTIAL.fields)
    f, e = filters[0], exponentials[0]
    f['motion'], f['states'] = 2 * G, 2 * G + biases + parameters
    e['count'], e['first'] = parameters, 2 * G + biases
    return f, e


@pytest.mark.parametrize('h', [1e-8, 1e-3, 1e-2])
@pytest.mark.parametrize('kind', ['soft', 'springs', 'dampers', 'both', 'none'])
def test_the_noise_of_the_exponential_filter_is_its_integral(kind, h):
    """And its transition is scipy's exponential, velocities counted by what they move in a period.

    Van Loan's own method overflows here: exp(-J h) of a stiff damper has no use.
    """
    A_, B_ = stiff_rates(kind)
    f, e = records(biases=2)
    psd = np.array([0.3, 1.0, 2.0])
    f['acceleration_psd'][:G] = psd
    assert exponential_step(f, e, A_, B_, G, h)
    rates = np.block([[np.zeros((G, G)), np.eye(G)], [A_, B_]])
    speed = max(1.0, np.sqrt(np.linalg.norm(A_, 2)))
    scale = np.repeat([1.0, speed], G)
    expected = expm(rates * h)
    size = 2 * G
    F = f['transition'][:size + 2, :size + 2]
    np.testing.assert_allclose(F[:size, :size] / np.outer(scale, 1.0 / scale),
                               expected / np.outer(scale, 1.0 / scale), atol=1e-11)
    np.testing.assert_array_equal(F[size:], np.eye(size + 2)[size:])
    np.testing.assert_array_equal(F[:size, size:], 0.0)

    def density(t):
        pushed = expm(rates * t)[:, G:]
        return (pushed * psd) @ pushed.T

    pieces = np.linspace(0.0, h, 5)[1:-1]
    expected = quad_vec(density, 0.0, h, epsrel=1e-11, points=pieces)[0]
    sizes = np.sqrt(expected.diagonal())
    np.testing.assert_allclose(e['noise'][:size, :size] / np.outer(sizes, sizes),
                               expected / np.outer(sizes, sizes), atol=1e-8)


def test_parameters_that_walk_are_states_of_the_exponential():
    """Behind two biases, which stay; all by Van Loan's method."""
    f, e = records(biases=2, parameters=2)
    psd, walk, zdd_s = np.array([0.3, 1.0, 2.0]), np.array([5.0, 70.0]), RANDOM.normal(size=(G, 2))
    f['acceleration_psd'][:G], e['walk'][:2], e['zdd_s'][:G, :2] = psd, walk, zdd_s
    assert exponential_step(f, e, A, B, G, H)
    rates = np.zeros((2 * G + 2, 2 * G + 2))
    rates[:2 * G, :2 * G], rates[G:2 * G, 2 * G:] = RATES, zdd_s
    W = np.diag(np.concatenate([np.zeros(G), psd, walk]))
    both = expm(H * np.block([[-rates, W], [np.zeros_like(rates), rates.T]]))
    half = len(rates)
    np.testing.assert_allclose(e['noise'][:half, :half], both[half:, half:].T @ both[:half, half:],
                               rtol=1e-9)
    own = [*range(2 * G), 2 * G + 2, 2 * G + 3]
    F = f['transition'][:2 * G + 4, :2 * G + 4].copy()
    np.testing.assert_allclose(F[np.ix_(own, own)], both[half:, half:].T, rtol=1e-9, atol=1e-14)
    F[np.ix_(own, own)] = np.eye(len(own))
    np.testing.assert_array_equal(F, np.eye(2 * G + 4))


def test_noise_by_van_loan_where_that_is_possible():
    f, e = records()
    psd = np.array([0.3, 1.0, 2.0])
    f['acceleration_psd'][:G] = psd
    assert exponential_step(f, e, A, B, G, H)
    size = 2 * G
    W = np.diag(np.concatenate([np.zeros(G), psd]))
    both = expm(H * np.block([[-RATES, W], [np.zeros((size, size)), RATES.T]]))
    np.testing.assert_allclose(e['noise'][:size, :size], both[size:, size:].T @ both[:size, size:],
                               rtol=1e-11)


@pytest.mark.parametrize('motion', [2, 3])
@pytest.mark.parametrize('kind', ['springs', 'dampers', 'both'])
def test_the_exact_transition_of_a_stiff_model_is_the_exponential(kind, motion):
    A_, B_ = stiff_rates(kind)
    f, _ = records()
    f['states'] = f['motion'] = motion * G
    h, size = 5e-3, motion * G
    speed = np.sqrt(np.linalg.norm(A_, 2)) + np.linalg.norm(B_, 2)
    exact_transition(f, A_, B_, G, h, speed)
    rates = np.zeros((3 * G, 3 * G))
    rates[:2 * G, :2 * G] = np.block([[np.zeros((G, G)), np.eye(G)], [A_, B_]])
    rates[G:2 * G, 2 * G:] = np.eye(G)
    scale = np.repeat([1.0, speed, speed * speed], G)[:size]
    scale = np.outer(scale, 1.0 / scale)
    np.testing.assert_allclose(f['transition'][:size, :size] / scale,
                               expm(rates[:size, :size] * h) / scale, atol=1e-10)


def test_the_published_series_ends_where_it_begins_to_grow():
    """Just beyond STIFF the two differ by the square of it, and less: there is no leap."""
    f, _ = records()
    f['states'] = f['motion'] = 3 * G
    found = []
    for fastest in (0.99 * STIFF / 1e-2, 1.01 * STIFF / 1e-2):
        exact_transition(f, -(fastest / 2.0) ** 2 * np.eye(G), np.zeros((G, G)), G, 1e-2, fastest)
        found.append(f['transition'][:3 * G, :3 * G].copy())
    np.testing.assert_allclose(found[0][:G], found[1][:G], atol=STIFF ** 2 / 10.0)


def test_what_is_not_finite_spoils_the_covariance_rather_than_nothing():
    f, e = records()
    f['acceleration_psd'][:G] = 1.0
    assert not exponential_step(f, e, np.full((G, G), np.nan), B, G, H)
    exact_transition(f, np.full((G, G), np.inf), B, G, H, np.inf)
    assert np.isnan(f['transition'][0, 0])
