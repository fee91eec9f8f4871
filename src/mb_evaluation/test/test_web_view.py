"""The view in a browser: read back what it records, and ask its page what a browser asks."""

from contextlib import contextmanager
from http.client import HTTPConnection
import os
from pathlib import Path
import signal
import subprocess
import sys
import time

from ament_index_python.packages import get_package_prefix
from geometry_msgs.msg import Point, Pose, Quaternion, Vector3
import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from mb_evaluation.live import server
from mb_interfaces.msg import EstimatorStatus, MechanismState
from mb_model import load_mechanism
from mb_ros.process_tree import children
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import stamp
from mb_ros.states import mechanism_state

pytest.importorskip('rerun', reason=f'the view in a browser needs {server.NEEDED}')
from asked_view import READ, ServedView, free_port
from recorded_view import recorded

from mb_evaluation.nodes.drawn.shapes import shapes
from mb_evaluation.nodes.web_view import WebViewNode

pytestmark = pytest.mark.filterwarnings('ignore:RRD file has no footer')
MECHANISM, ROBOT = load_mechanism('four_bar'), load_mechanism('three_rrr')
TURN = Quaternion(z=np.sin(0.25), w=np.cos(0.25))       # by half a radian about z
CORNERS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]])


def marker(kind, number=0, ns='observer: links', **fields):
    made = Marker(ns=ns, id=number, type=kind, color=ColorRGBA(r=1.0, g=0.5, b=0.0, a=0.2),
                  scale=Vector3(x=2.0, y=2.0, z=0.5),
                  pose=Pose(position=Point(x=1.0, y=2.0, z=3.0), orientation=TURN), **fields)
    made.header.stamp = stamp(1_000_000_000)
    return made


def numbers(batch):
    return np.array(batch.pa_array.to_pylist(), float)


def points(corners):
    return [Point(x=x, y=y, z=z) for x, y, z in corners.tolist()]


def shape_of(*markers):
    (entity, shape), = shapes(markers)
    return entity, shape


def test_solids_keep_place_turn_size_and_colour():
    entity, boxes = shape_of(marker(Marker.CUBE), marker(Marker.CUBE, 1))
    assert entity == 'observer_links/boxes'
    np.testing.assert_allclose(numbers(boxes.half_sizes), [[1.0, 1.0, 0.25]] * 2)
    np.testing.assert_allclose(numbers(boxes.centers), [[1.0, 2.0, 3.0]] * 2)
    np.testing.assert_allclose(numbers(boxes.quaternions)[0], [0, 0, np.sin(0.25), np.cos(0.25)],
                               rtol=1e-6)
    assert boxes.colors.pa_array.to_pylist() == [0xFF800033] * 2
    _, disc = shape_of(marker(Marker.CYLINDER))
    np.testing.assert_allclose((numbers(disc.radii)[0], numbers(disc.lengths)[0]), (1.0, 0.5))
    entity, ellipsoid = shape_of(marker(Marker.SPHERE))
    assert entity == 'observer_links/spheres'
    np.testing.assert_allclose(numbers(ellipsoid.half_sizes), [[1.0, 1.0, 0.25]])


def test_arrows_lines_points_and_words_are_where_they_belong():
    _, arrow = shape_of(marker(Marker.ARROW, points=points(CORNERS[:2] + 1.0)))
    np.testing.assert_allclose(numbers(arrow.origins), [[1.0, 1.0, 1.0]])
    np.testing.assert_allclose(numbers(arrow.vectors), [[1.0, 0.0, 0.0]])
    _, line = shape_of(marker(Marker.LINE_STRIP, points=points(CORNERS)))
    np.testing.assert_allclose(numbers(line.strips)[0], CORNERS)
    _, balls = shape_of(marker(Marker.SPHERE_LIST, points=points(CORNERS)))
    np.testing.assert_allclose(numbers(balls.positions), CORNERS)
    ball = marker(Marker.SPHERE)
    ball.scale.z = 2.0
    np.testing.assert_allclose(numbers(shape_of(ball)[1].positions), [[1.0, 2.0, 3.0]])
    _, words = shape_of(marker(Marker.TEXT_VIEW_FACING, text='NIS 1'))
    assert words.labels.pa_array.to_pylist() == ['NIS 1']


def test_triangles_are_turned_and_moved():
    _, mesh = shape_of(marker(Marker.TRIANGLE_LIST, points=points(CORNERS)))
    c, s = np.cos(0.5), np.sin(0.5)
    expected = CORNERS @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]]) + [1.0, 2.0, 3.0]
    np.testing.assert_allclose(numbers(mesh.vertex_positions), expected, rtol=1e-6)
    assert mesh.albedo_factor.pa_array.to_pylist() == [0xFF800033]


def test_an_unknown_kind_is_reported():
    with pytest.raises(ValueError, match='observer: links: a marker of an unknown kind'):
        list(shapes([marker(Marker.CUBE_LIST)]))


def test_what_is_logged_comes_through_the_page_and_by_nothing_else(tmp_path):
    with ServedView() as served:
        assert b'/motion/theta' in read_through(served.page, b'/motion/theta')
        with ServedView('127.0.0.1', served.page) as second:
            assert served.page < second.page < served.page + 50
        file = tmp_path / 'received.rrd'
        with viewer_of(served.data, file):
            deadline = time.monotonic() + 120.0
            while not (file.is_file() and '/motion/theta' in recorded(file)):
                assert time.monotonic() < deadline
                time.sleep(0.5)
    assert recorded(file)['/motion/theta']['scalars'] == [[0.25]]


def read_through(page, wanted):
    """Return what a browser gets of the data, until something is in it."""
    browser = HTTPConnection('localhost', page, timeout=60)
    browser.request('POST', READ, bytes(5), {'Content-Type': 'application/grpc-web+proto'})
    answer = browser.getresponse()
    assert answer.status == 200
    found = b''
    while wanted not in found:
        piece = answer.read1()
        assert piece, found
        found += piece
    browser.close()
    return found


@contextmanager
def viewer_of(data, file):
    """Run a viewer that writes what it gets into a file."""
    viewer = subprocess.Popen(
        [Path(sys.executable).with_name('rerun'), data, '--save', file, '--port',
         str(free_port())], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield viewer
    finally:
        viewer.send_signal(signal.SIGCONT)
        viewer.terminate()
        viewer.wait()


@pytest.mark.skipif(not Path('/proc/self/statm').exists(), reason='memory is read from /proc')
def test_a_viewer_that_stands_still_holds_up_nothing(tmp_path):
    """Neither does it cost more and more memory: 2400 MB are logged, of which 16 are kept."""
    file = tmp_path / 'received.rrd'
    with ServedView() as served, viewer_of(served.data, file) as viewer:
        while not file.is_file():
            served.ask('log 0.12')
            time.sleep(0.1)
        viewer.send_signal(signal.SIGSTOP)
        found = [served.ask('log 480') for _ in range(5)]
    assert max(found) < 1200.0          # half of what is logged: allocators keep some of it


@pytest.mark.parametrize(('number', 'problem'), [
    (signal.SIGKILL, "Rerun's server has ended with -9"), (signal.SIGSTOP, None)])
def test_it_notices_the_end_of_what_shows_and_ends_without_it(number, problem):
    with ServedView() as served:
        server_id, = children(served.pid)
        os.kill(server_id, number)
        end = time.monotonic() + 60.0
        while served.ask('problem') != problem:
            assert time.monotonic() < end
            time.sleep(0.05)
    assert not Path(f'/proc/{server_id}').exists()


def test_the_node_says_that_what_shows_has_ended_and_fails():
    program = Path(get_package_prefix('mb_evaluation'), 'lib', 'mb_evaluation', 'web_view')
    node = subprocess.Popen(
        [program, '--ros-args', '-p', f'web_port:={free_port()}'], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    while 'watch the run at' not in node.stdout.readline():
        assert node.poll() is None
    server_id, = children(node.pid)
    os.kill(server_id, signal.SIGKILL)
    output, _ = node.communicate(timeout=60)
    assert "Rerun's server has ended with -9" in output
    assert 'Traceback' not in output
    assert node.returncode == 1


def test_what_shows_ends_with_the_process_that_began_it():
    served = ServedView()
    served.ask('ports')
    server_id, = children(served.pid)
    os.kill(served.pid, signal.SIGKILL)
    with pytest.raises(AssertionError):
        served.__exit__()
    end = time.monotonic() + 60.0
    while Path(f'/proc/{server_id}').exists() and ') Z ' not in Path(
            f'/proc/{server_id}/stat').read_text():
        assert time.monotonic() < end
        time.sleep(0.05)


class FileServer:
    """Stands in for a LiveServer: records into a file."""

    url = 'nowhere'

    def __init__(self, file):
        self.recording = server.rerun().RecordingStream('test')
        self.recording.save(file)

    def problem(self):
        """Can show everything."""

    def close(self):
        self.recording.flush()
        self.recording.disconnect()


def test_the_node_shows_markers_errors_and_nis(monkeypatch, tmp_path):
    file = tmp_path / 'view.rrd'
    monkeypatch.setattr('mb_evaluation.nodes.web_view.LiveServer', lambda *_: FileServer(file))
    rclpy.init()
    try:
        node = WebViewNode(parameter_overrides=[Parameter('rate', value=200.0)])
        play_into(node)
        node.destroy_node()
    finally:
        rclpy.shutdown()
    found = recorded(file)
    errors = np.ravel(found['/error/theta']['scalars'])
    np.testing.assert_allclose(errors, 0.25)
    np.testing.assert_allclose(np.ravel(found['/error/theta_high']['scalars']), 1.96 * 0.1)
    np.testing.assert_allclose(np.ravel(found['/nis/nis']['scalars']), 1.5)
    np.testing.assert_allclose(np.ravel(found['/probability/0']['scalars']), 0.75)
    assert found['/probability/1']['names'] == [['is free']]
    assert found['/motion/theta/truth']['scalars']
    assert found['/machine/observer_links/boxes']['half_sizes']
    assert found['/machine/prototype_links/arrows']['is_recursive'] == [[True]]     # cleared
    log = str(found['/log']['text'])
    assert 'of an unknown kind' in log
    assert 'estimator/state: a message cannot be plotted: it has' in log


def play_into(node):
    """Publish a second and more of a run until all of it has been looked at."""
    other, executor = rclpy.create_node('other'), SingleThreadedExecutor()
    topics = {'prototype/state': MechanismState, 'estimator/state': MechanismState,
              'estimator/status': EstimatorStatus, 'markers/markers': MarkerArray}
    send = {topic: other.create_publisher(
        kind, topic, 10 if kind is MarkerArray else STREAM_QOS).publish
        for topic, kind in topics.items()}
    for one in (node, other):
        executor.add_node(one)
    while any(other.count_subscribers(topic) == 0 for topic in topics):
        executor.spin_once(timeout_sec=0.01)
    arrow = marker(Marker.ARROW, ns='prototype: links', points=points(CORNERS[:2]))
    kinds = [arrow, marker(Marker.CUBE_LIST), *(marker(Marker.CUBE) for _ in range(60))]
    for k, drawn in enumerate(kinds):
        now = 1_000_000_000 + 50_000_000 * k
        drawn.header.stamp = stamp(now)
        send['markers/markers'](MarkerArray(markers=[drawn]))
        z = np.array([0.5 + 0.01 * k])
        send['prototype/state'](mechanism_state(MECHANISM, now, z=z))
        status = EstimatorStatus(nis=3.0, channels=['a', 'b'], hypotheses=['touches', 'is free'],
                                 hypothesis_probabilities=[0.75, 0.25])
        status.header.stamp = stamp(now)
        send['estimator/status'](status)
        send['estimator/state'](mechanism_state(
            MECHANISM, now, z=z + 0.25, covariance=np.diag([0.01, 1.0])) if k % 10
            else mechanism_state(ROBOT, now, z=np.zeros(3)))    # of another machine
        for _ in range(12):
            executor.spin_once(timeout_sec=0.004)
    executor.shutdown()
    other.destroy_node()
