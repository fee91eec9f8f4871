"""Arrows of contact forces on a mechanism: true ones, and the likeliest explanation's."""

from geometry_msgs.msg import Point
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.marker import new_marker

REACH = 0.4                 # of the mechanism's size: length of an arrow of FULL_FORCE
FULL_FORCE = 200.0          # [N]; greater forces have arrows as long


def contact_markers(header, namespace, contacts, size, height, colour, alpha=1.0):
    """Return the Markers of BodyContacts: an arrow that ends at each point, and a ball there.

    size: of the mechanism [m]; height: above its plane [m], None in space; colour: red, green,
    blue; alpha: such as a probability.
    """
    made = []
    for k, contact in enumerate(contacts):
        force = contact.force
        across = force.z if height is None else 0.0
        pushed = (force.x ** 2 + force.y ** 2 + across ** 2) ** 0.5
        if pushed == 0.0:
            continue
        length = REACH * size * min(1.0, pushed / FULL_FORCE) / pushed
        tip = Point(x=contact.point.x, y=contact.point.y,
                    z=contact.point.z if height is None else height)
        tail = Point(x=tip.x - length * force.x, y=tip.y - length * force.y,
                     z=tip.z - length * across)
        arrow = new_marker(header, f'{namespace}: contact force', k, Marker.ARROW, colour, alpha,
                           (0.012 * size, 0.03 * size, 0.04 * size))
        arrow.points = [tail, tip]
        ball = new_marker(header, f'{namespace}: contact point', k, Marker.SPHERE, colour, alpha,
                          (0.03 * size,) * 3)
        ball.pose.position = tip
        made += [arrow, ball]
    return made
