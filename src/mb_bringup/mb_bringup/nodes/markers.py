"""Markers: the mechanisms as rviz shows them, in one place, and what touches them."""

from dataclasses import dataclass
from functools import partial
import time

from geometry_msgs.msg import Point, TransformStamped
import numpy as np
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import ColorRGBA
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from mb_bringup.nodes.accuracy_monitor import TOPICS
from mb_bringup.nodes.contact_markers import contact_markers
from mb_bringup.skeleton import Skeleton
from mb_interfaces.msg import BodyContacts, ContactEstimate, MechanismState
from mb_model import load_mechanism
from mb_model.settings import Settings, setting
from mb_ros.node_main import NodeMain
from mb_ros.parameters import declare_settings
from mb_ros.qos import STREAM_QOS

FRAME = 'world'
SHORTEST_PERIOD = 1.0 / 30.0    # wall time between two pictures of one stream [s]
COLOURS = {'prototype': (0.10, 0.10, 0.10, 0.45), 'model': (0.82, 0.38, 0.17, 0.9),
           'observer': (0.12, 0.47, 0.71, 1.0)}
HEIGHTS = {'prototype': 0.0, 'model': 0.01, 'observer': 0.02}   # of the mechanisms' size


@dataclass(frozen=True)
class MarkersSettings(Settings):
    """Which mechanism to draw."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')


class MarkersNode(Node):
    """Publishes ~/markers: links and joints of each of the three simulations, and contacts."""

    def __init__(self, **options):
        super().__init__('markers', **options)
        mechanism = load_mechanism(declare_settings(self, MarkersSettings).mechanism)
        self._skeleton = Skeleton(mechanism)
        self._last = dict.fromkeys(TOPICS, 0.0)
        self._marker_pub = self.create_publisher(MarkerArray, '~/markers', 10)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._frame_pub = self.create_publisher(TFMessage, '/tf_static', latched)
        self._frame_pub.publish(frame_of(mechanism.name))
        for stream, topic in TOPICS.items():
            self.create_subscription(MechanismState, topic, partial(self._draw, stream), STREAM_QOS)
        self.create_subscription(BodyContacts, 'prototype/contacts', self._draw_true, STREAM_QOS)
        self.create_subscription(ContactEstimate, 'contact_detector/contact', self._draw_told,
                                 STREAM_QOS)

    def _draw(self, stream, message):
        """Publish the picture of one state, unless the last one is recent."""
        if time.monotonic() - self._last[stream] < SHORTEST_PERIOD:
            return
        q = np.array(message.q)
        if q.shape != (self._skeleton.n,) or not np.isfinite(q).all():
            self.get_logger().warning(f'{stream}: a state that cannot be drawn',
                                      throttle_duration_sec=5.0)
            return
        self._last[stream] = time.monotonic()
        size = self._skeleton.size
        height = HEIGHTS[stream] * size
        segments = self._skeleton.segments(q).reshape(-1, 2)
        links = self._marker(message, stream, 0, Marker.LINE_LIST, segments, height)
        links.scale.x = 0.015 * size
        joints = self._marker(message, stream, 1, Marker.SPHERE_LIST, self._skeleton.joints(q),
                              height)
        joints.scale.x = joints.scale.y = joints.scale.z = 0.03 * size
        self._marker_pub.publish(MarkerArray(markers=[links, joints]))

    def _draw_true(self, message):
        """Publish what really touches."""
        self._draw_contacts('prototype', message.header, message.contacts)

    def _draw_told(self, message):
        """Publish the likeliest explanation of a contact, the fainter the less it is."""
        if message.hypotheses:
            best = message.hypotheses[0]
            self._draw_contacts('observer', message.header, best.contacts, best.probability)

    def _draw_contacts(self, stream, header, contacts, alpha=1.0):
        name = f'{stream} contacts'
        if time.monotonic() - self._last.get(name, 0.0) < SHORTEST_PERIOD:
            return
        self._last[name] = time.monotonic()
        self._marker_pub.publish(contact_markers(
            header, stream, contacts, self._skeleton.size, COLOURS[stream][:3], alpha))

    def _marker(self, message, stream, number, kind, places, height):
        """Return a marker of one stream with its points (k, 2)."""
        red, green, blue, alpha = COLOURS[stream]
        marker = Marker(ns=stream, id=number, type=kind, action=Marker.ADD,
                        color=ColorRGBA(r=red, g=green, b=blue, a=alpha))
        marker.header.frame_id = message.header.frame_id
        marker.header.stamp = message.header.stamp
        marker.pose.orientation.w = 1.0
        marker.points = [Point(x=x, y=y, z=height) for x, y in places.tolist()]
        return marker


def frame_of(name):
    """Return the transform that puts a mechanism's frame upright into the world.

    The mechanism moves in its x-y plane and gravity pulls along -y; z of the world is up.
    """
    transform = TransformStamped(child_frame_id=name)
    transform.header.frame_id = FRAME
    transform.transform.rotation.x = transform.transform.rotation.w = 0.5 ** 0.5
    return TFMessage(transforms=[transform])


main = NodeMain(MarkersNode)
