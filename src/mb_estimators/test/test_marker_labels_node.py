"""The node that labels points: poses and clouds of any layout in, readings of markers out."""

from captured_points import DT, MARKERS, captured
from geometry_msgs.msg import Point, PointStamped, Pose, PoseArray
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from rclpy.node import Node
from sensor_msgs.msg import PointCloud2, PointField
import yaml

from mb_estimators.nodes.marker_labels import MarkerLabelsNode, points_of_cloud
from mb_ros.node_bench import complaint_of, on_bench, spin_until
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp as to_stamp

STEP, BEGIN = round(DT * 1e9), 1_000_000_000
ENDIAN = {'<': False, '>': True}


def poses(points):
    return PoseArray(poses=[Pose(position=Point(x=x, y=y, z=0.0)) for x, y in points.tolist()])


def cloud(points, number='<f4', before=0, after=0, row_gap=0, high=1):
    """Return a cloud (k, 3) with room between its numbers."""
    size = np.dtype(number).itemsize
    kind = np.dtype({'names': list('zxy'), 'formats': 3 * [number],
                     'offsets': [before + size * k for k in range(3)],
                     'itemsize': before + 3 * size + after})
    records = np.zeros(len(points), kind)
    for axis, column in zip('xyz', points.T, strict=True):
        records[axis] = column
    rows = np.split(records, high)
    return PointCloud2(
        height=high, width=len(rows[0]), is_bigendian=ENDIAN[number[0]], point_step=kind.itemsize,
        row_step=len(rows[0]) * kind.itemsize + row_gap,
        data=b''.join(row.tobytes() + bytes(row_gap) for row in rows),
        fields=[PointField(name=axis, offset=before + size * k, count=1,
                           datatype=PointField.FLOAT64 if size == 8 else PointField.FLOAT32)
                for k, axis in enumerate('zxy')])


@given(number=st.sampled_from(['<f4', '<f8', '>f4', '>f8']), before=st.integers(0, 9),
       after=st.integers(0, 9), row_gap=st.integers(0, 9), high=st.integers(1, 3),
       wide=st.integers(0, 4), seed=st.integers(0, 99))
@settings(max_examples=100)
def test_clouds_of_any_layout_are_read(number, before, after, row_gap, high, wide, seed):
    points = np.random.default_rng(seed).normal(size=(high * wide, 3)).astype(number)
    np.testing.assert_array_equal(
        points_of_cloud(cloud(points, number, before, after, row_gap, high)), points)


@pytest.mark.parametrize(('change', 'words'), [
    ({'fields': []}, 'without a field x'), ({'width': 9}, 'bytes, expected'),
    ({'row_step': 1}, 'bytes, expected'), ({'point_step': 8}, 'ends beyond point_step'),
    ({'data': b''}, 'bytes, expected')])
def test_clouds_that_contradict_themselves_are_refused_in_words(change, words):
    message = cloud(np.ones((4, 3)))
    for name, value in change.items():
        setattr(message, name, value)
    with pytest.raises(ValueError, match=words):
        points_of_cloud(message)


class Bench(Node):
    """A motion capture without labels, and who reads the markers."""

    def __init__(self, kind):
        super().__init__('bench')
        self.out = self.create_publisher(kind, 'points', STREAM_QOS)
        self.found = {name: {} for name in MARKERS}
        for name, found in self.found.items():
            self.create_subscription(
                PointStamped, name, lambda message, found=found: found.__setitem__(
                    nanoseconds(message.header.stamp), (message.point.x, message.point.y)),
                STREAM_QOS)

    def send(self, message, stamp):
        message.header.stamp = to_stamp(stamp)
        self.out.publish(message)


@pytest.fixture
def file(tmp_path):
    """The mechanism with its markers; the wrist's is sporadic."""
    path = tmp_path / 'marked.yaml'
    path.write_text(yaml.safe_dump({'extends': 'four_bar', 'sensors': {
        name: {'kind': 'position', 'point': point, 'sigma': 3e-3, 'rate': 1 / DT,
               'sporadic': name == 'wrist'} for name, point in MARKERS.items()}}))
    return path


@pytest.mark.parametrize(('kind', 'make'), [
    (PoseArray, poses),
    (PointCloud2, lambda points: cloud(np.column_stack([points, np.zeros(len(points))])))])
def test_readings_are_those_of_the_markers(file, kind, make):
    """In any order of points; a marker that no point shows is NaN where it is sporadic."""
    name = f'{kind.__module__.partition(".")[0]}/msg/{kind.__name__}'
    sets = list(captured(6, steps=20))
    with on_bench(MarkerLabelsNode, lambda: Bench(kind), [
            f'mechanism:={file}', f'markers:=[{", ".join(MARKERS)}]',
            f'message:={name}']) as (node, bench):
        for k, (row, points, labels) in enumerate(sets):
            if k == 10:
                points = points[[label == 'elbow' for label in labels]]
                row[2:] = np.nan
            bench.send(make(points), BEGIN + k * STEP)
        spin_until(bench, lambda: len(bench.found['elbow']) == len(sets)
                   and len(bench.found['wrist']) == len(sets))
        counts = node.health().values
    for k, (row, _, _) in enumerate(sets):
        for name, expected in zip(MARKERS, row.reshape(3, 2), strict=True):
            found = bench.found[name].get(BEGIN + k * STEP)
            if name == 'middle' and k == 10:
                assert found is None
            else:
                np.testing.assert_allclose(found, expected, atol=1e-6)
    assert counts['missing'] == 2
    assert counts['labelled'] == 3 * len(sets) - 2


@pytest.mark.parametrize(('parameters', 'words'), [
    ([], 'markers: missing, expected some of elbow, middle, wrist'),
    (['markers:=[crank_encoder]'], 'no sensor of the kind position'),
    (['markers:=[elbow]', 'points:=a b'], "'a b': no name of a topic"),
    (['markers:=[elbow]', 'message:=std_msgs/msg/String'], 'message: '),
    (['markers:=[elbow]', 'estimator:=magic'], 'magic: unknown filter')])
def test_wrong_parameters_are_refused_in_words(file, capfd, parameters, words):
    assert words in complaint_of(MarkerLabelsNode, [f'mechanism:={file}', *parameters], capfd)
