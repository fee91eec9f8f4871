"""Every derivative of every constraint against central differences, anywhere in space."""

import many_kinds
import numpy as np
import pytest
from three_point import RAW

from mb_model.kernels import constraints
from mb_model.mechanism import Mechanism

H = 1e-4


@pytest.fixture(scope='module')
def model():
    """A model with every kind of constraint."""
    model = Mechanism(many_kinds.RAW, 'many_kinds.yaml').model[0]
    kinds = set(model['constraint_kind'][:model['constraints']].tolist())
    assert kinds == set(range(1, 7))
    return model


def evaluate(model, q):
    """Return phi (m) and phi_q (m, n_total)."""
    m, size = int(model['m']), int(model['n_total'])
    phi, phi_q = np.full(m, np.nan), np.full((m, size), np.nan)
    constraints.evaluate(model, q, phi, phi_q)
    return phi, phi_q


def second(model, q, v):
    out = np.full((int(model['m']), int(model['n_total'])), np.nan)
    constraints.second(model, q, v, out)
    return out


def third(model, q, v, w):
    out = np.full((int(model['m']), int(model['n_total'])), np.nan)
    constraints.third(model, q, v, w, out)
    return out


def difference(function, direction):
    """Return the derivative of function at 0 along direction, to the fourth order."""
    f = [function(k * H * direction) for k in (-2, -1, 1, 2)]
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * H)


def test_jacobian_and_its_derivatives(model, rng):
    size = int(model['n_total'])
    for _ in range(20):
        q, v, w = rng.normal(size=(3, size))
        _, phi_q = evaluate(model, q)
        columns = [difference(lambda d, q=q: evaluate(model, q + d)[0], unit)
                   for unit in np.eye(size)]
        np.testing.assert_allclose(phi_q, np.array(columns).T, atol=1e-9)
        np.testing.assert_allclose(
            second(model, q, v), difference(lambda d, q=q: evaluate(model, q + d)[1], v), atol=1e-9)
        np.testing.assert_allclose(
            third(model, q, v, w),
            difference(lambda d, q=q, v=v: second(model, q + d, v), w), atol=1e-9)
        np.testing.assert_allclose(third(model, q, v, w), third(model, q, w, v), atol=1e-12)


def test_curvature_is_the_weighted_sum_of_the_second_derivatives(model, rng):
    size, m = int(model['n_total']), int(model['m'])
    for _ in range(10):
        q, weights = rng.normal(size=size), rng.normal(size=m)
        out = np.full((size, size), np.nan)
        constraints.curvature(model, q, weights, out)
        expected = np.array([weights @ second(model, q, unit) for unit in np.eye(size)])
        np.testing.assert_allclose(out, expected, atol=1e-12)


def test_values_are_the_geometry():
    """Distances, angles and places of a body put anywhere by hand violate nothing."""
    mechanism = Mechanism(RAW, 'three_point.yaml')
    q = mechanism.q0
    place = {name: q[2 * k:2 * k + 2] for k, name in enumerate(['P1', 'P2', 'C', 'D'])}
    place |= {'A': np.array([0.0, 0.0]), 'B': np.array([4.0, -0.2])}
    for first, second_, length in (('A', 'P1', 1.1), ('P1', 'P2', 2.8), ('B', 'P2', 2.5),
                                   ('C', 'D', 0.9)):
        assert np.hypot(*(place[second_] - place[first])) == pytest.approx(length, abs=1e-12)
    chi = np.arctan2(*(place['P2'] - place['P1'])[::-1])
    turn = np.array([[np.cos(chi), -np.sin(chi)], [np.sin(chi), np.cos(chi)]])
    np.testing.assert_allclose(place['C'], place['P1'] + turn @ [1.2, 0.7], atol=1e-12)
    psi = np.arctan2(*(place['D'] - place['C'])[::-1])
    theta = np.arctan2(*(place['P1'] - place['A'])[::-1])
    np.testing.assert_allclose(q[8:], [theta, psi, chi], atol=1e-12)


def test_added_coordinates_are_the_geometry(rng):
    """Angles, distances and places along lines, in many positions of a mechanism with all kinds."""
    mechanism = Mechanism(many_kinds.RAW, 'many_kinds.yaml')
    for _ in range(10):
        q = mechanism.assemble(mechanism.z0 + 0.3 * rng.normal(size=2))
        value = dict(zip(mechanism.coordinates, q, strict=True))
        place = {name: np.array([value[f'{name}.x'], value[f'{name}.y']]) for name in 'APCDF'}
        place |= {'O': np.zeros(2), 'E': np.array([2.0, 1.0])}
        way = {ends: place[ends[1]] - place[ends[0]] for ends in ('OA', 'AP', 'PC', 'CF', 'OE')}
        angle = {ends: np.arctan2(*w[::-1]) for ends, w in way.items()}

        def same_direction(a, b):
            assert np.exp(1j * a) == pytest.approx(np.exp(1j * b), abs=1e-9)

        same_direction(value['theta'], angle['OA'])
        same_direction(value['beta'], angle['AP'] - angle['OA'])
        same_direction(value['turn'], angle['PC'] - angle['AP'])
        same_direction(2.0, angle['CF'] - angle['PC'])
        assert value['reach'] == pytest.approx(np.hypot(*place['C']), abs=1e-9)
        np.testing.assert_allclose(place['P'], value['place'] * way['OE'] / np.sqrt(5), atol=1e-9)
        assert value['onward'] == pytest.approx((place['F'] - place['P']) @ way['PC'] / 1.1,
                                                abs=1e-9)
