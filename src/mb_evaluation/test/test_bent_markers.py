"""Bodies that bend as markers: pieces end to end along the bent line, in the plane and in space."""

import numpy as np
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.planar_picture import PlanarPicture
from mb_evaluation.nodes.drawn.spatial_picture import SpatialPicture
from mb_evaluation.scene.space import PIECES
from mb_model import Mechanism, load_mechanism

ARM = {
    'name': 'arm', 'dimension': 3, 'ground': {'A': [0.1, 0.2, 0.3]},
    'bodies': {
        'arm': {'points': {'A': [0, 0, 0], 'B': [2, 0, 0], 'C': [1.0, 0, 0]}, 'mass': 1.0,
                'flexible': {'bending_stiffness': {'about_y': 6.0, 'about_z': 9.0},
                             'axial_inertia': 1e-3}}},
    'joints': {'foot': {'kind': 'weld', 'bodies': ['ground', 'arm.A'], 'at': 'A'}}}


def ends_of(marker, axis, length):
    """Return both ends (2, 3) of a marker along an axis of it."""
    x, y, z, w = (getattr(marker.pose.orientation, key) for key in 'xyzw')
    turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    place = np.array([getattr(marker.pose.position, key) for key in 'xyz'])
    return place + np.array([[-0.5], [0.5]]) * length * turn[:, axis]


def test_in_space_cylinders_follow_the_sections():
    machine = Mechanism(ARM, 'arm.yaml')
    q = machine.assemble([0.1, -0.06])
    found = SpatialPicture(machine, 1.0).bodies(Header(), 'observer', q, np.zeros((0, 0)))
    pieces = [one for one in found if one.type == Marker.CYLINDER]
    assert len(pieces) == PIECES
    ends = np.array([ends_of(one, 2, one.scale.z) for one in pieces])
    np.testing.assert_allclose(ends[1:, 0], ends[:-1, 1], atol=5e-3)
    for name, place in (('A', ends[0, 0]), ('C', ends[PIECES // 2, 0]), ('B', ends[-1, 1])):
        np.testing.assert_allclose(place, machine.body_motion(f'arm.{name}', q).position, atol=5e-3)


def test_in_the_plane_bars_follow_the_deflection():
    machine = load_mechanism('flexible_slider_crank')
    q = machine.assemble([0.7, -0.05])
    found = PlanarPicture(machine, 1.0).bodies(Header(), 'observer', q, np.zeros((0, 0)))
    bars = [one for one in found if one.type == Marker.CUBE and one.scale.x == 0.6 / PIECES]
    assert len(bars) == PIECES
    ends = np.array([ends_of(one, 0, one.scale.x) for one in bars])[:, :, :2]
    np.testing.assert_allclose(ends[1:, 0], ends[:-1, 1], atol=2e-3)
    first, last = (q[machine.places([f'{name}.x', f'{name}.y'])] for name in ('P1', 'P2'))
    np.testing.assert_allclose(ends[0, 0], first, atol=1e-9)
    along = (last - first) / np.linalg.norm(last - first)
    middle = 0.5 * (first + last) - 0.05 * np.array([-along[1], along[0]])
    np.testing.assert_allclose(ends[PIECES // 2, 0], middle, atol=1e-9)
