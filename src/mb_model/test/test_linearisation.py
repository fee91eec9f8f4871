"""Exact A and B against central differences of the forward dynamics."""

from hypothesis import HealthCheck, given, settings, strategies as st
import many_kinds
import numpy as np
from random_state import draw_state
from three_point import RAW

from mb_model import load_mechanism
from mb_model.mechanism import Mechanism

THOROUGH = settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
MECHANISMS = [load_mechanism('four_bar'), load_mechanism('five_bar'),
              Mechanism(RAW, 'three_point.yaml'),
              Mechanism(many_kinds.RAW, 'many_kinds.yaml').replace(forces=many_kinds.FORCES),
              load_mechanism('four_bar_split'), load_mechanism('slider_crank')]
H = 1e-3


def difference(function, g):
    """Return the Jacobian of function at 0 by five-point differences (g, g)."""
    columns = []
    for unit in np.eye(g):
        f = [function(k * H * unit) for k in (-2, -1, 1, 2)]
        columns.append((f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * H))
    return np.array(columns).T


@THOROUGH
@given(which=st.integers(0, len(MECHANISMS) - 1), data=st.data())
def test_a_and_b_are_the_derivatives_of_the_acceleration(which, data):
    mechanism = MECHANISMS[which]
    z, zd, forces = draw_state(data, mechanism)
    A, B = mechanism.linearise(z, zd, forces)
    expected = difference(lambda d: mechanism.forward_dynamics(z + d, zd, forces), mechanism.g)
    np.testing.assert_allclose(A, expected, rtol=1e-6, atol=1e-6 * max(1.0, np.abs(A).max()))
    expected = difference(lambda d: mechanism.forward_dynamics(z, zd + d, forces), mechanism.g)
    np.testing.assert_allclose(B, expected, rtol=1e-6, atol=1e-6 * max(1.0, np.abs(B).max()))


@THOROUGH
@given(which=st.integers(0, len(MECHANISMS) - 1), data=st.data())
def test_a_force_on_any_coordinate_changes_the_acceleration_linearly(which, data):
    mechanism = MECHANISMS[which]
    z, zd, forces = draw_state(data, mechanism)
    jacobian = mechanism.force_jacobian(z, zd)
    places = [mechanism.coordinates.index(name) for name in mechanism.independent]
    change = mechanism.forward_dynamics(z, zd, forces) - mechanism.forward_dynamics(z, zd)
    np.testing.assert_allclose(jacobian[:, places] @ forces, change, rtol=1e-9,
                               atol=1e-9 * max(1.0, np.abs(change).max()))
