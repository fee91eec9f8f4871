"""Noise of the plant of each degree of freedom, by factors of the one for all."""

import numpy as np
import pytest

from mb_estimators import FilterError, make_filter
from mb_model import load_mechanism

DT = 0.001
FILTERS = ['adaptive_error_ekf_fe', 'error_ekf_fe', 'fixed_lag_smoother', 'iterated_ekf',
           'kinematic_kf', 'shaping_error_ekf_fe']
DELTA = load_mechanism('delta')


def stepped(name, variance, *factors, mechanism=DELTA):
    """Return the covariance of accelerations (g, g) that a step has added to next to nothing."""
    filter_ = make_filter(name, mechanism, ['encoders'], DT, initial_variance=1e-20,
                          **({'initial_acceleration_variance': 1e-20}
                             if name == 'kinematic_kf' else {}),
                          acceleration_variance=variance, acceleration_variance_factors=factors)
    filter_.predict(DT)
    g = mechanism.g
    return filter_.estimate.covariance[2 * g:, 2 * g:]


@pytest.mark.parametrize('name', FILTERS)
def test_each_degree_of_freedom_has_its_own_noise(name):
    found = stepped(name, 2.0, 1.0, 0.25, 4.0)
    np.testing.assert_allclose(found, np.diag([2.0, 0.5, 8.0]), atol=2e-3)


@pytest.mark.parametrize('name', FILTERS)
def test_ones_are_as_none_at_all_to_the_last_bit(name):
    assert np.array_equal(stepped(name, 0.3, 1.0, 1.0, 1.0), stepped(name, 0.3))


def test_a_wrong_number_of_factors_is_refused():
    with pytest.raises(FilterError, match=r'acceleration_variance_factors: 2 values, expected 3: '
                                          r'of tool\.x, tool\.y, tool\.z'):
        stepped('error_ekf_fe', 1.0, 1.0, 2.0)
