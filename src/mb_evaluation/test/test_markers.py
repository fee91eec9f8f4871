"""Markers: arrows of contacts; bodies that bend, as pieces end to end along the bent line."""

from geometry_msgs.msg import Point, Vector3
import numpy as np
import pytest
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.forces import CONTACT_REACH, FULL_FORCE, contact_markers
from mb_evaluation.nodes.drawn.picture import Picture
from mb_evaluation.scene import PIECES
from mb_interfaces.msg import BodyContact
from mb_model import Mechanism, load_mechanism

RED, FRONT = (1.0, 0.0, 0.0), np.array([0.0, 0.0, 0.1])
ARM = Mechanism({
    'name': 'arm', 'dimension': 3, 'ground': {'A': [0.1, 0.2, 0.3]},
    'bodies': {
        'arm': {'points': {'A': [0, 0, 0], 'B': [2, 0, 0], 'C': [1.0, 0, 0]}, 'mass': 1.0,
                'flexible': {'bending_stiffness': {'about_y': 6.0, 'about_z': 9.0},
                             'axial_inertia': 1e-3}}},
    'joints': {'foot': {'kind': 'weld', 'bodies': ['ground', 'arm.A'], 'at': 'A'}}}, 'arm.yaml')


@pytest.mark.parametrize(('force', 'length'), [((0.0, -100.0, 0.0), 100.0 / FULL_FORCE),
                                               ((900.0, 1200.0, 200.0), 1.0)])
def test_an_arrow_ends_at_its_point_and_is_as_long_as_the_force_is_great(force, length):
    contact = BodyContact(body='platform', point=Point(x=0.1, y=0.2, z=0.0),
                          force=Vector3(**dict(zip('xyz', force, strict=True))))
    arrow, ball = contact_markers(Header(frame_id='robot'), 'truth', [contact], 2.0, FRONT, RED,
                                  0.5)
    tail, tip = (np.array([point.x, point.y, point.z]) for point in arrow.points)
    np.testing.assert_allclose(tip, [0.1, 0.2, 0.1])
    np.testing.assert_allclose(
        tip - tail, 2.0 * CONTACT_REACH * length * np.array(force) / np.linalg.norm(force))
    assert ball.pose.position == arrow.points[1]
    assert arrow.color.a == 0.5
    assert arrow.header.frame_id == 'robot'
    assert arrow.ns != ball.ns


def test_a_force_of_nothing_has_no_arrow():
    assert not contact_markers(Header(), 'truth', [BodyContact()], 1.0, FRONT, RED)


def ends_of(marker, axis, length):
    """Return both ends (2, 3) of a marker along an axis of it."""
    x, y, z, w = (getattr(marker.pose.orientation, key) for key in 'xyzw')
    turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    middle = np.array([getattr(marker.pose.position, key) for key in 'xyz'])
    return middle + np.array([[-0.5], [0.5]]) * length * turn[:, axis]


def in_space():
    """Return an arm in space, q, and where its first, middle and last section are (3, 3)."""
    q = ARM.assemble([0.1, -0.06])
    return ARM, q, [ARM.body_motion(f'arm.{name}', q).position for name in 'ACB']


def in_plane():
    """Return a slider-crank whose rod bends, q, and where three sections of that are (3, 2)."""
    machine = load_mechanism('flexible_slider_crank')
    q = machine.assemble([0.7, -0.05])
    first, last = (q[machine.indices([f'{name}.x', f'{name}.y'])] for name in ('P1', 'P2'))
    x, y = (last - first) / np.linalg.norm(last - first)
    return machine, q, [first, 0.5 * (first + last) - 0.05 * np.array([-y, x]), last]


@pytest.mark.parametrize(('bent', 'kind', 'axis'), [(in_space, Marker.CYLINDER, 2),
                                                    (in_plane, Marker.CUBE, 0)])
def test_pieces_of_a_body_that_bends_follow_its_sections(bent, kind, axis):
    machine, q, sections = bent()
    long = {Marker.CYLINDER: 2.0, Marker.CUBE: 0.6}[kind] / PIECES
    markers = Picture(machine, 1.0).bodies(Header(), 'observer', q, np.zeros((0, 0)))
    pieces = [one for one in markers if one.type == kind
              and getattr(one.scale, 'xyz'[axis]) == pytest.approx(long)]
    assert len(pieces) == PIECES
    ends = np.array([ends_of(one, axis, long) for one in pieces])
    np.testing.assert_allclose(ends[1:, 0], ends[:-1, 1], atol=5e-3)
    for section, end in zip(sections, (ends[0, 0], ends[PIECES // 2, 0], ends[-1, 1]),
                            strict=True):
        np.testing.assert_allclose(end[:len(section)], section, atol=5e-3)
