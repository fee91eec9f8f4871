"""Obstacles as markers: balls, cylinders, boxes, and a plane as a thin plate."""

from geometry_msgs.msg import Vector3
import numpy as np
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker

from mb_model.space_api import quaternion
from mb_ros.states import pose_of, xyz

NAMESPACE = 'prototype: obstacles'
_PLATE = np.array([2.0, 2.0, 0.01])        # what is seen of a plane [m]


def obstacle_marker(appearance, number, stamp, frame):
    """Return the Marker of an Appearance; stamp: message; frame: of the machine."""
    collision, place = appearance.collision, appearance.place
    axes = np.eye(3) if appearance.axes is None else appearance.axes
    width = 2.0 * collision.radius
    kind, size = {
        'sphere': (Marker.SPHERE, (width,) * 3),
        'cylinder': (Marker.CYLINDER, (width, width, collision.length)),
        'box': (Marker.CUBE, collision.size), 'plane': (Marker.CUBE, _PLATE)}[collision.shape]
    if collision.shape == 'plane':
        place = place - 0.5 * _PLATE[2] * axes[:, 2]
    return Marker(
        header=Header(stamp=stamp, frame_id=frame), ns=NAMESPACE, id=number, type=kind,
        action=Marker.ADD, scale=Vector3(**xyz(size)),
        color=ColorRGBA(r=0.8, g=0.2, b=0.1, a=0.8),
        pose=pose_of(place, quaternion(axes)))
