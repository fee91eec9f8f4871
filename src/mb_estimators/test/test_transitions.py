"""Transition matrices and plant noise against matrix exponentials and quadrature."""

import numpy as np
import pytest
from scipy.integrate import quad_vec
from scipy.linalg import expm

from mb_estimators.kernels.exponential_prediction import _add_noise
from mb_estimators.kernels.transition import exact_transition, exponential_transition
from mb_estimators.record import FILTER
from mb_model.record import WORK

G, H = 3, 0.07
RANDOM = np.random.default_rng(4)
A, B = RANDOM.normal(size=(2, G, G)) * 4.0
RATES = np.block([[np.zeros((G, G)), np.eye(G)], [A, B]])


@pytest.mark.parametrize('order', [0, 1, 2, 5, 12])
def test_the_exponential_is_right_up_to_its_order(order):
    f = np.zeros(1, FILTER)[0]
    exponential_transition(f, A, B, G, H, order)
    series = sum((np.linalg.matrix_power(RATES * H, k) / np.prod(np.arange(1.0, k + 1.0))
                  for k in range(1, order + 2)), np.eye(2 * G))
    np.testing.assert_allclose(f['transition'][:2 * G, :2 * G], series, rtol=1e-12, atol=1e-14)
    if order == 12:
        np.testing.assert_allclose(series, expm(RATES * H), atol=1e-12)


def test_the_exact_transition_is_right_to_first_order_and_of_positions_to_second():
    f = np.zeros(1, FILTER)[0]
    f['states'] = f['motion'] = 3 * G
    h = 1e-4
    exact_transition(f, A, B, G, h)
    rates = np.zeros((3 * G, 3 * G))
    rates[:2 * G, :2 * G] = RATES
    rates[G:2 * G, 2 * G:] = np.eye(G)
    size, true = np.linalg.norm(rates, 2) * h, expm(rates * h)
    np.testing.assert_allclose(f['transition'][:3 * G, :3 * G], true, atol=0.6 * size ** 2)
    np.testing.assert_allclose(f['transition'][:G, :3 * G], true[:G], atol=0.2 * size ** 3)


def test_the_noise_of_the_exponential_filter_is_its_integral():
    psd = np.array([0.3, 1.0, 2.0])
    work = np.zeros(1, WORK)[0]
    work['B'][:G, :G] = B
    P = np.zeros((2 * G, 2 * G))
    _add_noise(P, psd, work, G, H)

    def density(t):
        passed = np.vstack([t * np.eye(G), np.eye(G) + t * B])
        return passed * psd @ passed.T

    np.testing.assert_allclose(P, quad_vec(density, 0.0, H)[0], rtol=1e-10)
