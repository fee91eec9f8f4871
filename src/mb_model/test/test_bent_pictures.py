"""Bodies that bend in pictures: where their sections are, by other formulas than the pictures'."""

from flexible_machines import SLIDER_CRANK
import numpy as np
import pytest

from mb_model import load_mechanism
from mb_model.kind_api import shapes_of
from mb_model.mechanism import Mechanism
from mb_model.pictures.plane.drawing import draw_plane
from mb_model.pictures.space.drawing import draw_space
from mb_model.pictures.space.scene import scene_of
from mb_model.space_api import section_poses

ARM = {
    'name': 'arm', 'dimension': 3, 'ground': {'A': [0.1, 0.2, 0.3]},
    'bodies': {
        'arm': {'points': {'A': [0, 0, 0], 'B': [2, 0, 0], 'C': [0.6, 0, 0]}, 'mass': 1.0,
                'flexible': {'bending_stiffness': {'about_y': 6.0, 'about_z': 9.0},
                             'axial_inertia': 1e-3, 'modes': 2, 'torsion': {'stiffness': 2.0}}}},
    'joints': {'foot': {'kind': 'weld', 'bodies': ['ground', 'arm.A'], 'at': 'A'}}}
BENT = [[0.1, -0.05, 0.02, 0.03, 0.3], [-0.05, 0.1, 0.01, -0.02, -0.2]]


def test_sections_in_space_are_where_the_constraints_have_them():
    machine = Mechanism(ARM, 'arm.yaml')
    q = np.array([machine.assemble(z) for z in BENT])
    places, turns = section_poses(machine, 'arm', [0.0, 2.0, 0.6], q)
    for k, name in enumerate('ABC'):
        for place, turn, one in zip(places[:, k], turns[:, k], q, strict=True):
            motion = machine.body_motion(f'arm.{name}', one)
            np.testing.assert_allclose(place, motion.position, atol=1e-10)
            np.testing.assert_allclose(turn, motion.rotation, atol=1e-8)
    np.testing.assert_array_equal(section_poses(machine, 'arm', [0.6], q[1])[0][0], places[1, 2])


def test_a_bar_in_space_is_bent():
    """Its pieces lie between the sections around them."""
    machine = Mechanism(ARM, 'arm.yaml')
    q = np.array([machine.assemble(z) for z in BENT])
    pieces = [part for part in scene_of(machine, q).parts if part.body == 'arm']
    ends = section_poses(machine, 'arm', np.linspace(0.0, 2.0, len(pieces) + 1), q)[0]
    for k, part in enumerate(pieces):
        middle = 0.5 * (ends[:, k] + ends[:, k + 1])
        np.testing.assert_allclose(part.track.origin, middle, atol=2e-3)
        way = ends[:, k + 1] - ends[:, k]
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        np.testing.assert_allclose(part.track.axes[:, :, 0], way, atol=5e-3)


def rod():
    """Return a slider crank with a rod of two sines, bent in two ways, its ends and across them."""
    machine = load_mechanism('flexible_slider_crank').replace(bodies={'rod': {
        'flexible': {'modes': 2}}})
    q = np.array([machine.assemble(z) for z in ([0.7, -0.06, 0.02], [2.0, 0.03, 0.01])])
    ends = np.array([q[:, machine.indices([f'{name}.x', f'{name}.y'])] for name in ('P1', 'P2')])
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0], axis=1, keepdims=True)
    return machine, q, ends, np.column_stack([-along[:, 1], along[:, 0]])


def test_a_bar_in_the_plane_is_bent():
    """The middle of the rod is off by its first sine, which a quarter is by 1 / sqrt(2)."""
    machine, q, (first, last), across = rod()
    a, b = q[:, machine.indices(machine.modes)].T
    known = np.stack([0.5 * (first + last) + a[:, None] * across,
                      0.75 * first + 0.25 * last + (a / np.sqrt(2.0) + b)[:, None] * across
                      ], axis=1)
    found, turns = section_poses(machine, 'rod', [0.3, 0.15], q)
    np.testing.assert_allclose(found[:, :, :2], known, atol=1e-9)
    assert not found[:, :, 2].any()
    np.testing.assert_allclose(np.linalg.det(turns), 1.0)
    shape, = (one for one in shapes_of(machine, q) if one.name == 'rod')
    outline = shape.vertices()
    middle = 0.5 * (outline[:, 12] + outline[:, 49])       # both sides, half-way
    np.testing.assert_allclose(middle, known[:, 0], atol=1e-9)


def test_further_points_have_brackets():
    machine = Mechanism(SLIDER_CRANK, 'own.yaml')
    q = machine.assemble(machine.z0)
    _, bracket = (one.vertices()[0] for one in shapes_of(machine, q) if one.name == 'rod')
    foot = section_poses(machine, 'rod', [0.6], q)[0][0, :2]
    point = q[machine.indices(['C.x', 'C.y'])]
    np.testing.assert_allclose(bracket, [foot, point], atol=1e-9)


@pytest.mark.parametrize(('draw', 'machine', 'z'), [
    (draw_plane, load_mechanism('flexible_slider_crank'), [0.7, -0.05]),
    (draw_space, Mechanism(ARM, 'arm.yaml'), BENT[0])], ids=['plane', 'space'])
def test_pictures_are_drawn(draw, machine, z, tmp_path):
    draw(machine, machine.assemble(z), tmp_path / 'bent.png')
    assert (tmp_path / 'bent.png').stat().st_size > 10_000
