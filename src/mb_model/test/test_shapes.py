"""Outlines of bodies, joints, springs and sliders in every frame of a motion."""

import numpy as np
from planar_machines import planar_names
import pytest
from scipy.spatial import ConvexHull

from mb_model import load_mechanism, simulate
from mb_model.assembly.body_motion import point_positions
from mb_model.pictures.plane.shapes import shapes_of
from mb_model.pictures.plane.symbols import convex_hull


def scene(name, duration=1.0):
    """Return (places by point, vertices of all Shapes of one name by name, mechanism)."""
    mechanism = load_mechanism(name)
    q = simulate(mechanism, duration, 0.01 * duration).q
    vertices = {}
    for shape in shapes_of(mechanism, q):
        outline = np.broadcast_to(shape.vertices(), (len(q), *shape.outline.shape))
        vertices[shape.name] = np.concatenate([vertices.get(shape.name, outline[:, :0]), outline],
                                              axis=1)
    places = np.swapaxes(point_positions(mechanism, q), 0, 1)
    return dict(zip(mechanism.points, places, strict=True)), vertices, mechanism


@pytest.mark.parametrize('name', ['four_bar', 'slider_crank', 'peaucellier', 'five_bar'])
def test_joints_are_in_their_points_and_bodies_around_them(name):
    places, vertices, mechanism = scene(name)
    for body, described in mechanism.bodies.items():
        for point in described.points:
            np.testing.assert_allclose(vertices[point].mean(axis=1), places[point], atol=1e-12)
            nearest = np.linalg.norm(vertices[body] - places[point][:, None], axis=2).min(axis=1)
            # The hull is as far from each of its points as at the start: it is rigid.
            np.testing.assert_allclose(nearest, nearest[0], rtol=1e-6)
            assert 0.0 < nearest[0] < 0.05 * np.ptp(list(places.values()))


def test_a_body_on_three_points_contains_them_all():
    places, vertices, mechanism = scene('andrews_squeezer', 0.03)
    outline = vertices['k3']
    edges = np.roll(outline, -1, axis=1) - outline
    for point in mechanism.bodies['k3'].points:
        to_point = places[point][:, None] - outline
        side = edges[..., 0] * to_point[..., 1] - edges[..., 1] * to_point[..., 0]
        assert (side > 0.0).all()


def test_a_body_is_drawn_in_its_shape():
    places, vertices, mechanism = scene('three_rrr', 0.1)
    assert set(mechanism.shapes) == set(mechanism.bodies)
    from_middle = vertices['platform'] - places['E'][:, None]
    np.testing.assert_allclose(np.linalg.norm(from_middle, axis=2), 0.12, rtol=1e-12)
    along = (places['P1'] - places['A1']) / 0.3
    reach = np.einsum('kvi,ki->kv', vertices['inner1'] - places['A1'][:, None], along)
    np.testing.assert_allclose(reach.max(axis=1) - reach.min(axis=1), 0.34, rtol=1e-3)


def test_spring_and_damper_reach_from_point_to_point():
    places, vertices, _ = scene('four_bar_spring_damper')
    for point in ('A', 'P2'):
        distance = np.linalg.norm(vertices['spring'] - places[point][:, None], axis=2)
        np.testing.assert_allclose(np.nanmin(distance, axis=1), 0.0, atol=1e-12)


def test_a_block_lies_along_its_line():
    places, vertices, _ = scene('inverted_slider_crank')
    corners = vertices['block of slot']
    along = places['P2'] - places['B']
    edge = corners[:, 1] - corners[:, 0]
    np.testing.assert_allclose(edge[:, 0] * along[:, 1] - edge[:, 1] * along[:, 0], 0.0, atol=1e-12)
    np.testing.assert_allclose(corners.mean(axis=1), places['P1'], atol=1e-12)


@pytest.mark.parametrize('name', planar_names())
def test_every_shipped_mechanism_has_shapes(name):
    mechanism = load_mechanism(name)
    shapes = shapes_of(mechanism, mechanism.q0)
    assert {shape.name for shape in shapes} >= {*mechanism.bodies}
    layers = [shape.layer for shape in shapes]
    assert layers == sorted(layers)


@pytest.mark.parametrize('points', [
    np.random.default_rng(1).normal(size=(50, 2)), np.random.default_rng(2).uniform(size=(4, 2)),
    np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 0.5], [0.0, 1.0], [2.0, 1.0]])])
def test_the_hull_is_that_of_qhull(points):
    hull = convex_hull(points)
    expected = points[ConvexHull(points).vertices]
    first = int(np.argmin(np.abs(expected - hull[0]).sum(axis=1)))
    np.testing.assert_array_equal(hull, np.roll(expected, -first, axis=0))
