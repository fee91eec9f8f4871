"""Every derivative of every kind of equations in space against central differences."""

import numpy as np
import pytest
from spatial_machines import JOINTS, ROLLING, STRUT, on_joint
from test_constraints import difference, evaluate, second, third

from mb_model.kernels import constraint_products, constraints
from mb_model.mechanism import Mechanism
from mb_model.registry.spatial import SpatialEquationNumber

RAWS = [on_joint(kind) for kind in JOINTS] + [STRUT, *ROLLING.values()]


@pytest.fixture(scope='module', params=RAWS, ids=lambda raw: raw['name'])
def model(request):
    return Mechanism(request.param, 'space.yaml').model[0]


def test_every_kind_is_there():
    models = [Mechanism(raw, 'space.yaml').model[0] for raw in (
        on_joint('spherical'), STRUT, ROLLING['rolling_disc'])]
    kinds = {kind for one in models for kind in one['space_kind'][:one['spatial_equations']]}
    assert kinds == set(SpatialEquationNumber)


def test_jacobian_and_its_derivatives(model, rng):
    size, n = int(model['n_total']), int(model['n'])
    for _ in range(3):
        q, v, w = rng.normal(size=(3, size))
        v[n:] = w[n:] = 0.0      # fixed nodes do not move
        _, phi_q = evaluate(model, q)
        columns = [difference(lambda d, q=q: evaluate(model, q + d)[0], unit)
                   for unit in np.eye(size)[:n]]
        np.testing.assert_allclose(phi_q[:, :n], np.array(columns).T, atol=1e-9)
        np.testing.assert_allclose(
            second(model, q, v)[:, :n],
            difference(lambda d, q=q: evaluate(model, q + d)[1], v)[:, :n], atol=1e-9)
        np.testing.assert_allclose(
            third(model, q, v, w)[:, :n],
            difference(lambda d, q=q, v=v: second(model, q + d, v), w)[:, :n], atol=1e-9)


def test_products_and_curvature_are_those_of_the_matrices(model, rng):
    size, m = int(model['n_total']), int(model['m'])
    q, u, v, w = rng.normal(size=(4, size))
    for rates in (u, v, w):
        rates[int(model['n']):] = 0.0      # fixed nodes do not move
    weights, out, curvature = rng.normal(size=m), np.full(m, np.nan), np.full((size, size), np.nan)
    constraint_products.bilinear(model, q, v, w, out)
    np.testing.assert_allclose(out, second(model, q, v) @ w, atol=1e-12)
    weighted = constraint_products.weighted_bilinear(model, q, v, w, weights)
    assert weighted == pytest.approx(weights @ second(model, q, v) @ w, abs=1e-11)
    constraint_products.change_along(model, q, u, v, w, out)
    np.testing.assert_allclose(out, second(model, q, v) @ w + third(model, q, u, u) @ w, atol=1e-12)
    constraints.curvature(model, q, weights, curvature)
    np.testing.assert_allclose(curvature @ v, weights @ second(model, q, v), atol=1e-11)
