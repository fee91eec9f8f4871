"""Labels of the points of motion capture: unlabelled points in, a reading of each marker out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import PoseArray
import numpy as np
from sensor_msgs.msg import PointCloud2, PointField

from mb_estimators.marker_association import Association
from mb_estimators.marker_track import MarkerTrack, MarkerTrackSettings
from mb_model import Settings, load_mechanism, setting
from mb_model.arrays import FloatArray
from mb_ros.diagnostics import OK, STALE, WARN, Health, LastLook
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import NodeMain
from mb_ros.qos import OVERRIDABLE, stream_qos
from mb_ros.stamps import nanoseconds
from mb_sensors import by_topic, sensors_of
from mb_sensors.command_api import KeptMessage, reading_type

_FLOATS = {PointField.FLOAT32: 'f4', PointField.FLOAT64: 'f8'}


def points_of_poses(message: PoseArray) -> FloatArray:
    """Return the positions (k, 3) [m] of the poses of a message."""
    positions = [(pose.position.x, pose.position.y, pose.position.z) for pose in message.poses]
    return np.array(positions, float).reshape(-1, 3)


def points_of_cloud(message: PointCloud2) -> FloatArray:
    """Return the points (k, 3) [m] of a cloud.  Raises ValueError for one without x, y and z."""
    fields = {field.name: field for field in message.fields}
    order = '>' if message.is_bigendian else '<'
    step, wide, high = message.point_step, message.width, message.height
    for axis in 'xyz':
        field = fields.get(axis)
        if field is None or field.datatype not in _FLOATS:
            raise ValueError(f'a cloud without a field {axis} of float32 or float64')
        if field.offset + int(_FLOATS[field.datatype][1]) > step:
            raise ValueError(f'a cloud whose field {axis} ends beyond point_step {step}')
    if message.row_step < wide * step or len(message.data) < high * message.row_step:
        raise ValueError(f'a cloud of {len(message.data)} bytes, expected {high} rows of '
                         f'{max(message.row_step, wide * step)}')
    kind = np.dtype({'names': list('xyz'), 'itemsize': step,
                     'formats': [order + _FLOATS[fields[axis].datatype] for axis in 'xyz'],
                     'offsets': [fields[axis].offset for axis in 'xyz']})
    cloud = np.ndarray((high, wide), kind, message.data, strides=(message.row_step, step))
    return np.stack([cloud[axis].ravel() for axis in 'xyz'], axis=-1).astype(float)


KINDS: dict[str, tuple[type, Callable[[Any], FloatArray]]] = {
    'geometry_msgs/msg/PoseArray': (PoseArray, points_of_poses),
    'sensor_msgs/msg/PointCloud2': (PointCloud2, points_of_cloud)}


@dataclass(frozen=True)
class MarkerLabelsSettings(Settings):
    """The points, and the markers that some of them are."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')
    markers: tuple[str, ...] = setting(
        (), help='Position sensors or sensor groups whose points come without labels')
    points: str = setting('points', help='Topic of the points, in the frame of the mechanism')
    message: str = setting('geometry_msgs/msg/PoseArray', choices=tuple(KINDS),
                           help='What they come as')


class MarkerLabelsNode(ManagedNode):
    """Publishes a reading of each marker that it is sure of, on the topic of its sensor.

    Sensors that are sporadic read NaN where a marker is missing or ambiguous: nothing waits for it.
    """

    first_settings = MarkerLabelsSettings, MarkerTrackSettings

    def __init__(self, **options: Any) -> None:
        super().__init__('marker_labels', **options)

    def configure(self) -> None:
        """Make the track by the parameters, and subscribe to the points."""
        settings = self.settings_of(MarkerLabelsSettings)
        mechanism = load_mechanism(settings.mechanism)
        if not settings.markers:
            known = [name for name, one in mechanism.raw['sensors'].items()
                      if one['kind'] == 'position']
            raise ValueError('markers: missing, expected ' + (
                f'some of {", ".join(known)}' if known
                else f'sensors of kind position, of which {mechanism.name} has none'))
        sensors = sensors_of(mechanism, settings.markers)
        rate = max(sensor.rate for sensor in sensors)
        self._track = MarkerTrack(mechanism, sensors, rate,
                                  self.settings_of(MarkerTrackSettings), self._warn)
        self._dimension, self._last = mechanism.dimension, LastLook(None)
        self._present: tuple[int, Association] | None = None        # of the newest stamp [ns]
        self._outputs, start = [], 0
        for name, topic in by_topic(sensors).items():
            sensor, = topic.sensors     # a message holds one position
            own = slice(start, start := start + len(sensor.channels))
            self._outputs.append((
                sensor, own, KeptMessage(topic, mechanism.name), self.offer(name),
                self.create_lifecycle_publisher(reading_type(topic), name,
                                                stream_qos(sensor.rate))))
        kind, self._points_of = KINDS[settings.message]
        self.subscribe(kind, settings.points, self._take, qos_overriding_options=OVERRIDABLE)

    def reset(self) -> str:
        """Look for the mechanism at its start again."""
        self._track.reset()
        self._present = None
        return 'waiting for points'

    def _take(self, message: Any) -> None:
        """Publish the readings of the markers among the points of a message."""
        try:
            points = self._points_of(message)
        except ValueError as error:
            self._warn(str(error))
            return
        for stamp, association in self._track.add(
                nanoseconds(message.header.stamp), points[:, :self._dimension]):
            self._present = stamp, association
            for sensor, own, kept, hand_over, publisher in self._outputs:
                values = association.readings[own]
                if sensor.settings.sporadic or np.isfinite(values).all():
                    reading = kept.filled(stamp, [(sensor, values.tolist())])
                    hand_over(stamp, reading)
                    publisher.publish(reading)

    def _warn(self, words: str) -> None:
        self.get_logger().warning(words, throttle_duration_sec=5.0)

    def health(self) -> Health:
        """Return the health of the labelling."""
        values = dict(self._track.counts)
        if self._present is None or self._last.stands_still(self._present[0]):
            return Health(STALE, 'no points', values)
        _, now = self._present
        for problem, markers in (('ambiguous', now.ambiguous), ('missing', now.missing)):
            if markers:
                return Health(WARN, f'{problem}: {", ".join(markers)}', values)
        return Health(OK, 'every marker has its point', values)


main = NodeMain(MarkerLabelsNode)
