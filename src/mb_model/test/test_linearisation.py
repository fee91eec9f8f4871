"""Exact A and B against central differences of the forward dynamics."""

from by_differences import by_state
from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
from planar_machines import MANY_FORCES, MANY_KINDS, THREE_POINT
from random_state import draw_state

from mb_model import load_mechanism
from mb_model.mechanism import Mechanism

THOROUGH = settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
MECHANISMS = [load_mechanism('four_bar'), load_mechanism('five_bar'),
              Mechanism(THREE_POINT, 'three_point.yaml'),
              Mechanism(MANY_KINDS, 'many_kinds.yaml').replace(forces=MANY_FORCES),
              load_mechanism('four_bar_split'), load_mechanism('slider_crank')]
H = 1e-3


@THOROUGH
@given(which=st.integers(0, len(MECHANISMS) - 1), data=st.data())
def test_a_and_b_are_the_derivatives_of_the_acceleration(which, data):
    mechanism = MECHANISMS[which]
    z, zd, forces = draw_state(data, mechanism)
    for found, expected in zip(mechanism.linearise(z, zd, forces),
                               by_state(mechanism, z, zd, H, forces, order=4), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6,
                                   atol=1e-6 * max(1.0, np.abs(found).max()))


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
