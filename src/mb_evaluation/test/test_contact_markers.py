"""Arrows of contacts."""

from geometry_msgs.msg import Point, Vector3
import numpy as np
import pytest
from std_msgs.msg import Header

from mb_evaluation.nodes.drawn.forces import CONTACT_REACH, FULL_FORCE, contact_markers
from mb_interfaces.msg import BodyContact

RED = (1.0, 0.0, 0.0)


@pytest.mark.parametrize(('force', 'length'), [((0.0, -100.0), 100.0 / FULL_FORCE),
                                               ((900.0, 1200.0), 1.0)])
def test_an_arrow_ends_at_its_point_and_is_as_long_as_the_force_is_great(force, length):
    contact = BodyContact(body='platform', point=Point(x=0.1, y=0.2, z=0.0),
                          force=Vector3(x=force[0], y=force[1], z=0.0))
    arrow, ball = contact_markers(Header(frame_id='robot'), 'truth', [contact], 2.0, 0.1, RED, 0.5)
    tail, tip = (np.array([point.x, point.y]) for point in arrow.points)
    np.testing.assert_allclose(tip, [0.1, 0.2])
    np.testing.assert_allclose(tip - tail,
                               2.0 * CONTACT_REACH * length * np.array(force) / np.hypot(*force))
    assert (ball.pose.position.x, ball.pose.position.y) == (0.1, 0.2)
    assert arrow.color.a == 0.5
    assert arrow.header.frame_id == 'robot'
    assert arrow.ns != ball.ns


def test_a_force_of_nothing_has_no_arrow():
    assert not contact_markers(Header(), 'truth', [BodyContact()], 1.0, 0.0, RED)
