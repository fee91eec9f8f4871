"""Pictures of mechanisms in space: surfaces, hiding, poses, films and pages."""

import numpy as np
from PIL import Image
import pytest
from spatial_machines import FORCES, JOINTS, ROLLING, STRUT, on_joint

from mb_model import MechanismError, simulate
from mb_model.assembly.body_motion import body_poses, point_positions
from mb_model.mechanism import Mechanism
from mb_model.pictures.animation import draw
from mb_model.pictures.parts.colours import parts_of
from mb_model.pictures.space import mesh
from mb_model.pictures.space.bodies import nearest
from mb_model.pictures.space.camera import VIEW, best_camera
from mb_model.pictures.space.raster import blank, fill, stroke
from mb_model.pictures.space.scene import scene_of, vertices
from mb_model.space.rotation import rotation
from mb_model.space.shape import Solid
from mb_model.space.spanning_tree import shortest_connections


@pytest.fixture(scope='module')
def strut():
    return Mechanism(STRUT, 'strut.yaml')


@pytest.fixture(scope='module')
def run(strut):
    return simulate(strut, 0.2, 1e-2, inputs={'lift': 25.0})


def volume(surface):
    """Return the volume in a closed surface whose triangles turn their front outwards."""
    return np.linalg.det(surface.vertices[surface.triangles]).sum() / 6.0


SPRING = mesh.coil(0.1, 0.01, 0.5, 4)


@pytest.mark.parametrize('surface', [mesh.box(1.0, 2.0, 3.0), mesh.tube(0.5, 2.0, 0.3),
                                     mesh.sphere(0.5), mesh.cone(0.5, 2.0), SPRING])
def test_fronts_are_where_normals_point(surface):
    corners = surface.vertices[surface.triangles]
    fronts = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    along = np.einsum('tk,tck->tc', fronts, surface.normals[surface.triangles])
    assert along.min() > -1e-12
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1.0)


@pytest.mark.parametrize(('surface', 'expected'), [
    (mesh.box(1.0, 2.0, 3.0), 6.0), (mesh.cylinder(0.5, 2.0), 0.5 * np.pi),
    (mesh.tube(0.5, 2.0, 0.3), 0.32 * np.pi), (mesh.sphere(0.5), np.pi / 6.0),
    (mesh.cone(0.5, 2.0), np.pi / 6.0)])
def test_surfaces_hold_the_volume_of_what_they_show(surface, expected):
    assert volume(surface) == pytest.approx(expected, rel=0.02)
    moved = surface.moved(np.array([1.0, 2.0, 3.0]), rotation([0.3, -0.4, 0.5]))
    assert volume(moved) == pytest.approx(volume(surface))


def test_what_is_nearer_hides_what_is_behind():
    square = np.array([[2.0, 2.0], [2.0, 12.0], [12.0, 2.0]])
    for order in ((0, 1), (1, 0)):
        image, depth, owner = blank(16, 16)
        for number in order:
            corners = np.c_[square, np.full(3, 1.0 + number)][None]
            fill(corners, np.full((1, 3, 3), 0.2 * number), number, image, depth, owner)
        assert set(owner[depth > 0.0]) == {1}
        assert np.count_nonzero(owner == 1) == pytest.approx(50, abs=16)
        line = np.array([[[0.0, 4.0, 1.5], [15.0, 4.0, 1.5]]])
        stroke(line, np.array([1.0, 0.0, 0.0]), 0.5, 0.0, image, depth)
        np.testing.assert_allclose(image[4, 4], 0.2)
        np.testing.assert_allclose(image[4, 14], [1.0, 0.0, 0.0])
    image, depth, owner = blank(16, 16)
    fill(np.c_[square[::-1], np.ones(3)][None], np.zeros((1, 3, 3)), 1, image, depth, owner)
    assert owner.max() == -1        # its back


def test_poses_of_many_positions_are_those_of_each(run):
    poses = body_poses(run.mechanism, run.q)
    for k in (0, 7, 20):
        for name in run.mechanism.bodies:
            motion = run.mechanism.body_motion(name, run.q[k])
            np.testing.assert_allclose(poses[name][0][k], motion.position, atol=1e-14)
            np.testing.assert_allclose(poses[name][1][k], motion.rotation, atol=1e-14)


def test_places_of_points_are_of_the_plane(strut):
    with pytest.raises(MechanismError, match=r'strut\.yaml: positions of points: only for '
                                             'mechanisms in the plane'):
        point_positions(strut, strut.q0)


def test_the_camera_sees_everything(run):
    scene = scene_of(run.mechanism, run.q)
    camera = best_camera(scene, 1.5, 0.9)
    for part in scene.parts:
        for k in (0, 10, 20):
            seen = camera.seen(vertices(part, k)[0]) / VIEW
            assert np.abs(seen[..., 0]).max() < 1.36
            assert np.abs(seen[..., 1]).max() < 0.91
            assert seen[..., 2].min() > 0.0


@pytest.mark.parametrize('kind', JOINTS)
def test_every_kind_of_joint_is_drawn(kind):
    mechanism = Mechanism(on_joint(kind) | {'forces': FORCES}, 'joint.yaml')
    scene, welded = (scene_of(one, one.q0) for one in (
        mechanism, Mechanism(on_joint('weld') | {'forces': FORCES}, 'weld.yaml')))
    more = len(scene.parts) - len(welded.parts)
    assert more >= 1 if kind != 'weld' else more == 0
    assert set(scene.names) == {'base', 'body', 'stand', 'tested'}


@pytest.mark.parametrize('kind', ROLLING)
def test_the_plane_that_a_body_rolls_on_is_drawn(kind):
    mechanism = Mechanism(ROLLING[kind], 'rolling.yaml')
    assert len(scene_of(mechanism, mechanism.q0).parts) > 2


def test_bodies_without_shapes_are_bars_between_places():
    places = [np.array([0.0, 0.0, 0.0]), np.array([2.0, 0.0, 0.0]), np.array([1.0, 0.1, 0.0])]
    pairs = {frozenset(pair) for pair in shortest_connections(places)}
    assert pairs == {frozenset((0, 2)), frozenset((1, 2))}


@pytest.mark.parametrize(('kind', 'size', 'place', 'middle', 'surface'), [
    ('box', (1.0, 2.0, 4.0), [2.0, 0.2, 0.0], [0.0, 0.2, 0.0], [0.5, 0.2, 0.0]),
    ('cylinder', (0.5, 2.0), [2.0, 0.0, 3.0], [0.0, 0.0, 1.0], [0.5, 0.0, 1.0]),
    ('sphere', (0.5,), [0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.5, 0.0])])
def test_joints_off_a_shape_are_tied_to_what_is_next(kind, size, place, middle, surface):
    turn, at = rotation([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
    found = nearest(Solid(kind, at, turn, size), at + turn @ place)
    np.testing.assert_allclose(found, [at + turn @ middle, at + turn @ surface], atol=1e-14)


def test_a_picture_shows_every_body(strut, tmp_path):
    draw(strut, strut.q0, tmp_path / 'strut.png')
    with Image.open(tmp_path / 'strut.png') as picture:
        pixels = np.asarray(picture.convert('RGB')).reshape(-1, 3) / 255.0
    hues = pixels - pixels.mean(axis=1, keepdims=True)
    scene = scene_of(strut, strut.q0)
    for part in scene.parts:
        if part.body:
            hue = np.array(parts_of(part.colour)) / 255.0
            hue -= hue.mean()
            long = np.linalg.norm(hues, axis=1)
            alike = (hues @ hue > 0.97 * np.linalg.norm(hue) * long) & (long > 0.08)
            assert np.count_nonzero(alike) > 500
    draw(strut, strut.q0, tmp_path / 'strut.svg')
    assert '<svg' in (tmp_path / 'strut.svg').read_text('utf-8')


def test_a_body_that_floats_is_a_box_as_heavy():
    free = Mechanism({'name': 'free', 'dimension': 3, 'bodies': {'box': {
        'mass': 12.0, 'centre_of_gravity': [0.0, 0.0, 0.0], 'inertia': [13.0, 10.0, 5.0],
        'pose': {}}}}, 'free.yaml')
    part, = scene_of(free, free.q0).parts
    np.testing.assert_allclose(np.sort(np.ptp(part.mesh.vertices, axis=0)), [1.0, 2.0, 3.0])
