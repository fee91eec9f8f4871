"""Common parts of all markers."""

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import Point, Vector3
import numpy as np
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker

from mb_ros.states import xyz

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
                  scale=Vector3(**xyz(scale)))


def points(positions: np.ndarray) -> list[Point]:
    """Return Points of positions (k, 3) [m]."""
    return [Point(x=x, y=y, z=z) for x, y, z in positions.tolist()]
