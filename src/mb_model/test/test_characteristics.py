"""Forces by expressions of a coordinate and its rate, against the same forces of other kinds."""

import numpy as np
import pytest
from spatial_machines import on_joint

from mb_model import load_mechanism, simulate
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.description import MechanismError

LINEAR = {'coil': {'kind': 'spring_damper', 'coordinate': 'theta', 'stiffness': 40.0, 'rest': 0.2,
                   'damping': 1.5}}
AS_CURVE = {'coil': {'kind': 'characteristic', 'coordinate': 'theta',
                     'of_coordinate': '-k * (x - 0.2)', 'of_rate': '-1.5 * v'}}


@pytest.fixture(params=['plane', 'space'])
def pair(request):
    """Return the same mechanism with a spring-damper and with its characteristic."""
    if request.param == 'plane':
        four_bar = load_mechanism('four_bar')
        return [four_bar.replace(forces=forces, parameters={'k': 40.0})
                for forces in (LINEAR, AS_CURVE)]
    raw = on_joint('universal') | {'parameters': {'k': 40.0}}
    return [Mechanism(raw | {'forces': forces}, 'space.yaml') for forces in (LINEAR, AS_CURVE)]


def test_a_linear_characteristic_is_a_spring_damper(pair, rng):
    linear, curve = pair
    z, zd = linear.z0 + 0.1, rng.normal(size=linear.g)
    np.testing.assert_allclose(curve.forward_dynamics(z, zd), linear.forward_dynamics(z, zd),
                               rtol=1e-12)
    for exact, found in zip(linear.linearise(z, zd), curve.linearise(z, zd), strict=True):
        np.testing.assert_allclose(found, exact, atol=1e-10)
    for formulation in ('index3_al', 'matrix_r'):
        runs = [simulate(one, 0.2, 1e-3, formulation, zd0=zd, estimate_error=False)
                for one in pair]
        np.testing.assert_allclose(runs[1].z, runs[0].z, atol=1e-9)
        np.testing.assert_allclose(runs[1].energy().drift, runs[0].energy().drift, atol=1e-4)


def test_derivatives_of_a_curved_one():
    mechanism = load_mechanism('four_bar').replace(forces={'coil': {
        'kind': 'characteristic', 'coordinate': 'theta',
        'of_coordinate': '-30 * x - 8 * abs(x) * x ** 2', 'of_rate': '-2 * v * abs(v)'}})
    z, zd, h = np.array([0.9]), np.array([1.3]), 1e-6
    by_z, by_zd = mechanism.linearise(z, zd)
    rise = (mechanism.forward_dynamics(z + h, zd) - mechanism.forward_dynamics(z - h, zd)) / (2 * h)
    faster = (mechanism.forward_dynamics(z, zd + h) - mechanism.forward_dynamics(z, zd - h)) / (
        2 * h)
    np.testing.assert_allclose([by_z[0, 0], by_zd[0, 0]], [rise[0], faster[0]], rtol=1e-6)


def test_reactions_know_it(pair):
    linear = pair[0]
    exact, found = (one.reactions(one.z0, one.zd0) for one in pair)
    if linear.dimension == 3:
        np.testing.assert_allclose(found.joints['tested'].force, exact.joints['tested'].force,
                                   atol=1e-9)
    else:
        np.testing.assert_allclose(found.forces['crank']['A'], exact.forces['crank']['A'],
                                   atol=1e-9)
    semi = [one.reactions(one.z0, one.zd0, formulation='semi_recursive')
            for one in pair] if linear.dimension == 2 else []
    for one in semi:
        np.testing.assert_allclose(one.forces['crank']['A'], exact.forces['crank']['A'], atol=1e-6)


@pytest.mark.parametrize(('entry', 'text'), [
    ({'of_coordinate': '-k * y'}, 'y'), ({'of_rate': 'v +'}, 'of_rate'),
    ({}, 'must have of_coordinate, of_rate, or both')])
def test_wrong_expressions_are_named(entry, text):
    with pytest.raises(MechanismError, match=r'forces\.coil') as error:
        load_mechanism('four_bar').replace(forces={'coil': {
            'kind': 'characteristic', 'coordinate': 'theta'} | entry})
    assert text in str(error.value)


def test_what_it_depends_on_is_no_parameter(pair):
    with pytest.raises(MechanismError, match='can be no parameter'):
        pair[1].parameter_jacobian(pair[1].z0, pair[1].zd0, ['k'])
