"""What is asked of a mechanism in space and known in the plane alone, or the other way round."""

import numpy as np
import pytest
from spatial_machines import STRUT, TORQUE_FREE

from mb_model import MechanismError, apply_model_errors
from mb_model.mechanism import Mechanism

ASKED = {
    'two points': lambda one: one.body_indices('link'),
    'coordinates of the point': lambda one: one.point_index('A'),
    'the angle of': lambda one: one.angle_index('link')}


@pytest.fixture(scope='module')
def strut():
    return Mechanism(STRUT, 'strut.yaml')


@pytest.mark.parametrize('what', ASKED)
def test_what_is_of_the_plane_is_refused_in_space(strut, what):
    with pytest.raises(MechanismError, match=rf'strut\.yaml: .*{what}.*only for mechanisms in the '
                                             r'plane, not with dimension: 3'):
        ASKED[what](strut)


def test_errors_of_models_are_those_of_space(strut):
    wrong = apply_model_errors(strut, {'gravity': -1.0, 'z0': 0.1})
    np.testing.assert_allclose(wrong.gravity, [0.0, 0.0, -8.81])
    np.testing.assert_allclose(wrong.z0, strut.z0 + 0.1)
    with pytest.raises(MechanismError, match='gravity without direction'):
        apply_model_errors(Mechanism(TORQUE_FREE, 'free.yaml'), {'gravity': -1.0})


def test_the_operational_space_is_that_of_the_reduced_mass(strut):
    """Mass times acceleration, and what moves without it, are the forces of inverse dynamics."""
    z, zd, zdd = strut.z0, np.array([0.7]), np.array([1.3])
    space = strut.operational_space(z, zd)
    force = strut.inverse_dynamics(z, zd, zdd)
    still = strut.inverse_dynamics(z, zd, 0.0 * zdd)
    np.testing.assert_allclose(space.mass @ zdd, force - still, rtol=1e-9)
