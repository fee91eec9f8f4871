"""Every derivative of every kind of equations against central differences, anywhere in space."""

from by_differences import slope
import numpy as np
from planar_machines import MANY_KINDS, THREE_POINT
import pytest
from spatial_machines import JOINTS, ROLLING, STRUT, on_joint

from mb_model import load_mechanism
from mb_model.kernels import constraint_products, constraints
from mb_model.mechanism import Mechanism
from mb_model.registry.constraints import ConstraintKind
from mb_model.registry.spatial import SpatialEquationNumber

H = 1e-4


RAWS = [on_joint(kind) for kind in JOINTS] + [STRUT, *ROLLING.values()]


def planar_model():
    """Return a model with every kind of constraint in the plane."""
    mechanism = Mechanism(MANY_KINDS, 'many_kinds.yaml')
    beam = {'bar': {'flexible': {'bending_stiffness': 1.0, 'modes': 2}}}
    model = mechanism.replace(independent=['theta'], bodies=beam, constraints={
        'drive': {'kind': 'prescribed', 'coordinate': 'turn', 'motion': 't'}, 'guide': None,
        'gear': {'kind': 'linear', 'terms': {'beta': 2.0, 'onward': -0.5, 'place': 0.3}}}).model[0]
    kinds = set(model['constraint_kind'][:model['constraints']].tolist())
    assert kinds == set(ConstraintKind)
    return model


@pytest.fixture(scope='module', params=[None, *RAWS],
                ids=lambda raw: raw['name'] if raw else 'plane')
def model(request):
    return Mechanism(request.param, 'space.yaml').model[0] if request.param else planar_model()


def test_every_kind_in_space_is_there():
    models = [Mechanism(raw, 'space.yaml').model[0] for raw in (
        on_joint('spherical'), STRUT, ROLLING['rolling_disc'])]
    kinds = {kind for one in models for kind in one['space_kind'][:one['spatial_equations']]}
    assert kinds == set(SpatialEquationNumber)


def rounds(model, rng, count):
    """Yield q, rates (n_total), and how many entries move: fixed nodes in space do not."""
    in_space = int(model['solids']) > 0
    moving = int(model['n' if in_space else 'n_total'])
    for _ in range(3 if in_space else 20):
        states = rng.normal(size=(count, int(model['n_total'])))
        states[1:, moving:] = 0.0
        yield (*states, moving)


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
    return slope(lambda step: function(step * direction), H)


def test_jacobian_and_its_derivatives(model, rng):
    for q, v, w, moving in rounds(model, rng, 3):
        _, phi_q = evaluate(model, q)
        columns = [difference(lambda d, q=q: evaluate(model, q + d)[0], unit)
                   for unit in np.eye(len(q))[:moving]]
        for found, expected in (
                (phi_q, np.array(columns).T),
                (second(model, q, v), difference(lambda d, q=q: evaluate(model, q + d)[1], v)),
                (third(model, q, v, w),
                 difference(lambda d, q=q, v=v: second(model, q + d, v), w))):
            np.testing.assert_allclose(found[:, :moving], expected[:, :moving], atol=1e-9)
        np.testing.assert_allclose(third(model, q, v, w), third(model, q, w, v), atol=1e-12)


def test_products_and_curvature_are_those_of_the_matrices(model, rng):
    for q, u, v, w, moving in rounds(model, rng, 4):
        weights, out = rng.normal(size=int(model['m'])), np.full(int(model['m']), np.nan)
        constraint_products.bilinear(model, q, v, w, out)
        np.testing.assert_allclose(out, second(model, q, v) @ w, atol=1e-12)
        assert constraint_products.weighted_bilinear(model, q, v, w, weights) == pytest.approx(
            weights @ second(model, q, v) @ w, abs=1e-11)
        constraint_products.change_along(model, q, u, v, w, out)
        np.testing.assert_allclose(out, second(model, q, v) @ w + third(model, q, u, u) @ w,
                                   atol=1e-12)
        curvature = np.full(2 * (len(q),), np.nan)
        constraints.curvature(model, q, weights, curvature)
        for unit in np.eye(len(q))[:moving]:
            np.testing.assert_allclose(
                (curvature @ unit)[:moving], (weights @ second(model, q, unit))[:moving],
                atol=1e-11)


def test_values_are_the_geometry():
    """Distances, angles and places of a body put anywhere by hand violate nothing."""
    mechanism = Mechanism(THREE_POINT, 'three_point.yaml')
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
    mechanism = Mechanism(MANY_KINDS, 'many_kinds.yaml')
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


def test_terms_are_the_derivatives_of_the_errors(rng):
    """Of velocity and acceleration constraints, anywhere, at any time."""
    mechanism = Mechanism(MANY_KINDS, 'many_kinds.yaml').replace(
        independent=['theta'], constraints={
            'drive': {'kind': 'prescribed', 'coordinate': 'turn', 'motion': 'sin(t)'}})
    n, t = mechanism.n, 0.7
    q, qd, qdd = rng.normal(size=(3, n))
    terms = mechanism.constraint_terms(q, qd, qdd, t)

    def jacobian(error):
        return np.array([difference(error, unit) for unit in np.eye(n)]).T

    for matrix, error in (
            (terms.phi_q, lambda d: mechanism.constraint_terms(q + d, qd, qdd, t).phi),
            (terms.phi_q_dot, lambda d: mechanism.constraint_terms(
                q + d, qd, qdd, t).velocity_error),
            (terms.acceleration_error_q, lambda d: mechanism.constraint_terms(
                q + d, qd, qdd, t).acceleration_error),
            (terms.acceleration_error_qd, lambda d: mechanism.constraint_terms(
                q, qd + d, qdd, t).acceleration_error)):
        np.testing.assert_allclose(matrix, jacobian(error), atol=1e-8)
    # Along the motion q + qd s + qdd s^2 / 2 they are the rates of phi.
    h = 1e-3
    phi = [mechanism.constraint_terms(q + qd * s + 0.5 * qdd * s * s, t=t + s).phi
           for s in (-2 * h, -h, 0.0, h, 2 * h)]
    rate = (phi[0] - 8 * phi[1] + 8 * phi[3] - phi[4]) / (12 * h)
    bend = (-phi[0] + 16 * phi[1] - 30 * phi[2] + 16 * phi[3] - phi[4]) / (12 * h * h)
    np.testing.assert_allclose(terms.velocity_error, rate, atol=1e-8)
    np.testing.assert_allclose(terms.acceleration_error, bend, atol=1e-6)


def test_a_coordinate_that_is_held_makes_one_body_of_two():
    """Two rods at a right angle swing as one: I zdd = torque of gravity."""
    pendulum = load_mechanism('double_pendulum').replace(
        coordinates={'bend': {'kind': 'relative_angle', 'bodies': ['upper', 'lower']}},
        constraints={'weld': {'kind': 'linear', 'terms': {'bend': 1.0}, 'sum': 'pi / 2'}},
        independent=['theta1'], start={'theta1': 0.2, 'theta2': None})
    inertia = 1.0 / 3.0 + 1.0 / 12.0 + 1.25
    torque = -9.81 * (1.5 * np.cos(0.2) - 0.5 * np.sin(0.2))
    np.testing.assert_allclose(pendulum.forward_dynamics([0.2], [3.0]), [torque / inertia],
                               rtol=1e-10)
