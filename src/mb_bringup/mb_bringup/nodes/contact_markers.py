"""Arrows of what touches a mechanism: true forces, and those of the likeliest explanation."""

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point, Vector3
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

REACH = 0.4                 # of the mechanism's size: length of an arrow of FULL_FORCE
FULL_FORCE = 200.0          # [N]; greater forces have arrows as long
LIFETIME = Duration(nanosec=200_000_000)        # an arrow that nobody renews goes


def contact_markers(header, namespace, contacts, size, colour, alpha=1.0):
    """Return a MarkerArray of BodyContacts: an arrow that ends at each point, and a ball there.

    size: of the mechanism [m]; colour: red, green, blue; alpha: such as a probability.
    """
    made = []
    for k, contact in enumerate(contacts):
        force = contact.force
        pushed = (force.x ** 2 + force.y ** 2) ** 0.5
        if pushed == 0.0:
            continue
        length = REACH * size * min(1.0, pushed / FULL_FORCE) / pushed
        tip = Point(x=contact.point.x, y=contact.point.y, z=0.05 * size)
        tail = Point(x=tip.x - length * force.x, y=tip.y - length * force.y, z=tip.z)
        arrow, ball = (_marker(header, f'{namespace}: {what}', k, kind, colour, alpha)
                       for what, kind in (('force', Marker.ARROW), ('point', Marker.SPHERE)))
        arrow.points = [tail, tip]
        arrow.scale = Vector3(x=0.012 * size, y=0.03 * size, z=0.04 * size)
        ball.pose.position = tip
        ball.scale = Vector3(x=0.03 * size, y=0.03 * size, z=0.03 * size)
        made += [arrow, ball]
    return MarkerArray(markers=made)


def _marker(header, namespace, number, kind, colour, alpha):
    red, green, blue = colour
    marker = Marker(ns=namespace, id=number, type=kind, action=Marker.ADD, header=header,
                    color=ColorRGBA(r=red, g=green, b=blue, a=alpha), lifetime=LIFETIME)
    marker.pose.orientation.w = 1.0
    return marker
