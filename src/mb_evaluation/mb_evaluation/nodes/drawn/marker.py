"""Common parts of all markers."""

from math import cos, sin

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point, Pose, Quaternion, Vector3
import numpy as np
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker

LIFETIME = Duration(sec=1)      # a marker that is not renewed goes
COLOURS = {'prototype': (0.10, 0.10, 0.10), 'model': (0.82, 0.38, 0.17),
           'observer': (0.12, 0.47, 0.71)}


def new_marker(header: Header, namespace: str, number: int, kind: int,
               colour: tuple[float, float, float], alpha: float = 1.0,
               scale: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Marker:
    """Return a Marker at the origin; colour: red, green, blue; scale: x, y, z [m]."""
    red, green, blue = colour
    return Marker(header=header, ns=namespace, id=number, type=kind, action=Marker.ADD,
                  color=ColorRGBA(r=red, g=green, b=blue, a=float(alpha)), lifetime=LIFETIME,
                  scale=Vector3(x=scale[0], y=scale[1], z=scale[2]), pose=planar_pose(0.0, 0.0))


def planar_pose(x: float, y: float, z: float = 0.0, angle: float = 0.0) -> Pose:
    """Return the Pose of a place [m], turned about z [rad]."""
    return Pose(position=Point(x=x, y=y, z=z),
                orientation=Quaternion(z=sin(0.5 * angle), w=cos(0.5 * angle)))


def points(places: np.ndarray, height: float | None = None) -> list[Point]:
    """Return Points of places (k, 3) [m], or of places (k, 2) at one height."""
    rows = places.tolist()
    return [Point(x=row[0], y=row[1], z=row[2] if height is None else height) for row in rows]
