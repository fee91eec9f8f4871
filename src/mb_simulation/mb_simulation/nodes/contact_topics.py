"""Obstacles of a prototype, as markers too, and its contacts, which it publishes.
"""

from collections.abc import Sequence
from pathlib import Path

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Vector3
import numpy as np
from rclpy.node import Node
from std_msgs.msg import ColorRGBA, Header
from visualization_msgs.msg import Marker, MarkerArray

from mb_interfaces.msg import BodyContact, BodyContacts
from mb_model import Mechanism
from mb_model.space_api import quaternion
from mb_ros.qos import LATCHED_QOS, stream_qos
from mb_ros.stamps import stamp
from mb_ros.states import pose_of, xyz
from mb_simulation.collisions import CollisionScript, read_collisions
from mb_simulation.collisions.script import Appearance
from mb_simulation.control import Trajectory
from mb_simulation.prototypes.obstacle import Contact


class ContactTopics:
    """Publishes ~/contacts at every state while something touches, and once when nothing does.

    ~/obstacles are markers of what is in the way, published when that changes; what floats is shown
    where it came in.
    """

    def __init__(self, node: Node, mechanism: Mechanism, trajectory: Trajectory | None, file: str,
                 rate: float) -> None:
        """Set up in a node.

        trajectory: of the mechanism, None without one; file: of collisions, or name of
        one that comes with mb_simulation; rate: of states [Hz].  Raises OSError, ValueError.
        """
        if trajectory is None:
            raise ValueError('collisions: there is no motion that they could happen in, expected '
                             'a trajectory.kind')
        collisions = read_collisions(file)
        try:
            self._script = CollisionScript(mechanism, trajectory, collisions)
        except ValueError as error:
            raise ValueError(f'{Path(file).name}: {error}') from None
        self.obstacles = self._script.obstacles
        self.act = self._script.act
        self._frame, self._touched = mechanism.name, False
        self._contacts_pub = node.create_publisher(BodyContacts, '~/contacts', stream_qos(rate))
        self._obstacles_pub = node.create_publisher(MarkerArray, '~/obstacles', LATCHED_QOS)
        self._shown = ()

    def publish(self, nanoseconds: int, contacts: Sequence[Contact]) -> None:
        """Publish the Contacts of a stamp, and what is in the way if that has changed."""
        if self._shown != self._script.standing:
            self._shown = self._script.standing
            self._obstacles_pub.publish(MarkerArray(markers=[
                obstacle_marker(one, number, stamp(nanoseconds), self._frame)
                for number, one in enumerate(self._shown)]))
        if contacts or self._touched:
            message = BodyContacts(contacts=[_message(contact) for contact in contacts])
            message.header.stamp, message.header.frame_id = stamp(nanoseconds), self._frame
            self._contacts_pub.publish(message)
        self._touched = bool(contacts)


def _message(contact: Contact) -> BodyContact:
    """Return the BodyContact of a Contact."""
    return BodyContact(body=contact.body, point=Point(**xyz(contact.point)),
                       force=Vector3(**xyz(contact.force)))


NAMESPACE = 'prototype: obstacles'
_PLATE = np.array([2.0, 2.0, 0.01])        # what is seen of a plane [m]


def obstacle_marker(appearance: Appearance, number: int, stamp: Time, frame: str) -> Marker:
    """Return the Marker of an Appearance; stamp: message; frame: of the machine."""
    collision, position = appearance.collision, appearance.position
    axes = np.eye(3) if appearance.axes is None else appearance.axes
    width = 2.0 * collision.radius
    kind, size = {
        'sphere': (Marker.SPHERE, (width,) * 3),
        'cylinder': (Marker.CYLINDER, (width, width, collision.length)),
        'box': (Marker.CUBE, collision.size), 'plane': (Marker.CUBE, _PLATE)}[collision.shape]
    if collision.shape == 'plane':
        position = position - 0.5 * _PLATE[2] * axes[:, 2]
    return Marker(
        header=Header(stamp=stamp, frame_id=frame), ns=NAMESPACE, id=number, type=kind,
        action=Marker.ADD, scale=Vector3(**xyz(size)),
        color=ColorRGBA(r=0.8, g=0.2, b=0.1, a=0.8),
        pose=pose_of(position, quaternion(axes)))
