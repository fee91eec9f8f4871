"""Sliders and straight lines against minimal coordinates and geometry."""

import numpy as np
import pytest
from truth import Linkage

from mb_model import MechanismError, load_mechanism, simulate


def slider_crank():
    """The shipped slider-crank from its geometry."""
    def points(z):
        p1 = 0.5 * np.array([np.cos(z[0]), np.sin(z[0])])
        x = p1[0] + np.sqrt(1.5 ** 2 - p1[1] ** 2)
        return np.array([p1, [x, 0.0], [x + 0.2, 0.0], [0.0, 0.0]])

    rods = ((3, 0, 2.0, 0.5), (0, 1, 3.0, 1.5), (1, 2, 4.0, 0.2))
    return Linkage(points, [(i, j, m, (0.5 * length, 0.0), m * length ** 2 / 12)
                            for i, j, m, length in rods], 9.81)


def inverted_slider_crank():
    """The shipped quick-return mechanism from its geometry."""
    def points(z):
        p1 = 0.5 * np.array([np.cos(z[0]), np.sin(z[0])])
        way = p1 - [0.0, -1.0]
        p2 = np.array([0.0, -1.0]) + 1.8 * way / np.sqrt(way @ way)
        return np.array([p1, p2, [0.0, 0.0], [0.0, -1.0]])

    rods = ((2, 0, 2.0, 0.5), (3, 1, 3.0, 1.8))
    return Linkage(points, [(i, j, m, (0.5 * length, 0.0), m * length ** 2 / 12)
                            for i, j, m, length in rods], 9.81)


@pytest.mark.parametrize(('name', 'truth'), [('slider_crank', slider_crank()),
                                             ('inverted_slider_crank', inverted_slider_crank())])
def test_sliding_mechanisms_move_as_their_geometry_says(name, truth, rng):
    mechanism = load_mechanism(name)
    moving = mechanism.n - len(mechanism.described.coordinates)
    for z in rng.uniform(-3.0, 3.0, size=(10, 1)):
        zd = 2.0 * rng.normal(size=1)
        np.testing.assert_allclose(mechanism.assemble(z)[:moving],
                                   truth.points(z).ravel()[:moving], atol=1e-9)
        np.testing.assert_allclose(mechanism.forward_dynamics(z, zd, [1.5]),
                                   truth.acceleration(z, zd, 1.5), rtol=1e-6, atol=1e-6)
    z, zd = truth.simulate(mechanism.z0, mechanism.zd0, np.array([0.0, 2.0]))
    for formulation in ('index3_al', 'matrix_r'):
        run = simulate(mechanism, 2.0, 5e-4, formulation)
        np.testing.assert_allclose([run.z[-1, 0], run.zd[-1, 0]], [z[-1, 0], zd[-1, 0]], atol=2e-4)


@pytest.mark.parametrize('formulation', ['index3_al', 'matrix_r', 'coordinate_partitioning'])
def test_peaucelliers_point_stays_on_its_line(formulation):
    mechanism = load_mechanism('peaucellier')
    run = simulate(mechanism, 10.0, 1e-3, formulation)
    x, y = (run.q[:, mechanism.coordinates.index(f'Q.{axis}')] for axis in 'xy')
    assert np.abs(y + 2.5).max() < 1e-8
    assert np.ptp(x) > 2.5


BAD = [
    ({'coordinates': {'s': {'point': 'P9'}}}, "coordinates.s.point: 'P9': unknown point"),
    ({'coordinates': {'s': {'point': 'A'}}}, 'coordinates.s.point: A is an end of the line'),
    ({'coordinates': {'s': {'along': ['A']}}}, "coordinates.s.along: ['A'] must be two names"),
    ({'coordinates': {'s': {'along': ['A', 'P2'], 'point': 'E'}}},
     'coordinates.s.along: A and P2 must be two fixed points or two points of one body'),
    ({'constraints': {'back': {'along': ['P2', 'P3'], 'point': 'P2'}}}, 'P2 is an end of the line'),
    ({'coordinates': {'d': {'kind': 'distance', 'points': ['A', 'E']}}}, 'are both fixed'),
    ({'coordinates': {'d': {'kind': 'relative_angle', 'body': 'crank'}}},
     'coordinates.d.body: unknown key, expected one of kind, bodies'),
    ({'constraints': {'w': {'kind': 'welded_angle', 'bodies': ['crank', 'rod']}}},
     'constraints.w.angle: missing'),
    ({'constraints': {'w': {'kind': 'weld'}}}, "constraints.w.kind: 'weld': unknown kind of const"),
    ({'constraints': {'w': {}}}, 'constraints.w.kind: missing'),
]


@pytest.mark.parametrize(('override', 'message'), BAD, ids=[m for _, m in BAD])
def test_wrong_relations_are_reported(override, message):
    with pytest.raises(MechanismError) as caught:
        load_mechanism('slider_crank').replace(**override)
    assert str(caught.value).startswith('slider_crank.yaml: ')
    assert message in str(caught.value)


def test_a_slider_out_of_reach_is_reported_in_metres():
    with pytest.raises(MechanismError) as caught:
        load_mechanism('slider_crank').replace(bodies={'rod': {'length': 0.2}})
    assert 'm off' in str(caught.value)
