"""Graphs whose weights are so far apart that rounding, not the step, says when they are solved."""

from hypothesis import example, given, settings
from hypothesis.strategies import floats, sampled_from
import numpy as np
import pytest

from mb_estimators import forward
from mb_estimators.filter import NotConvergedError
from mb_model import load_mechanism

LINKAGE = load_mechanism('four_bar_fg')
VARIANCES = {'integration_variance': 1e-2, 'dynamics_variance': 1e-4, 'equality_variance': 1e2}
COORDINATES = sampled_from(['dependent', 'independent'])
OLDEST = sampled_from(['known', 'marginalised'])


@given(COORDINATES, OLDEST, floats(-12.0, 12.0), sampled_from([2, 3, 10]))
@settings(max_examples=8, deadline=None)
def test_weights_count_beside_each_other_alone(coordinates, oldest, power, window):
    """Source: Blanco-Claraco et al. 2021, Sec. 7.1, on its Table 2."""
    first, scaled = (
        forward(LINKAGE, 0.03, 1e-3, coordinates=coordinates, oldest=oldest, window=window,
                **{name: scale * variance for name, variance in VARIANCES.items()})
        for scale in (1.0, 10.0 ** power))
    np.testing.assert_allclose(scaled.q, first.q, atol=1e-9)
    np.testing.assert_allclose(scaled.qd, first.qd, atol=1e-7)


# What is known of the oldest instant fades: after some hundred steps nine digits of the motion are
# all that double precision gives beside constraints that must hold.
@given(COORDINATES, sampled_from([2, 3, 5]), floats(0.0, 4.0), floats(2.0, 6.0))
@example('independent', 2, 4.0, 6.0)
@example('independent', 3, 4.0, 6.0)
@example('independent', 5, 2.0, 6.0)
@example('independent', 5, 4.0, 2.0)
@settings(max_examples=4, deadline=None)
def test_a_tolerance_is_none_that_rounding_forbids(coordinates, window, integration, equality):
    run = forward(LINKAGE, 0.75, 5e-3, coordinates=coordinates, window=window,
                  oldest='marginalised', integration_variance=10.0 ** integration,
                  equality_variance=10.0 ** equality)
    assert max(LINKAGE.closing_error(q) for q in run.q) < 1e-9


def test_slow_steps_are_no_rounding():
    """Steps that are not half as long as the ones before, of a graph with large residuals."""
    asked = {'coordinates': 'independent', 'method': 'batch', 'window': 2,
             'integration_variance': 0.03, 'dynamics_variance': 6.6e-5, 'equality_variance': 2.0}
    with pytest.raises(NotConvergedError, match='not converged after 15 iterations: another step'):
        forward(LINKAGE, 0.564, 9.4e-3, **asked)
    forward(LINKAGE, 0.564, 9.4e-3, iterations=60, **asked)
