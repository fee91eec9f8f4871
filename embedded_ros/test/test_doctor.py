"""`ros2 doctor`: what it says of a graph in which something is wrong."""
import subprocess
import sys

import pytest
from rclpy.qos import QoSProfile, QoSReliabilityPolicy
from std_msgs.msg import Int32


def doctor(*words):
    return subprocess.run([sys.executable, '-m', 'ros2cli.main', 'doctor', *words], text=True,
                          check=True, capture_output=True)


@pytest.fixture
def ill_graph(make_node):
    """A pair that fits, one that does not, and a topic without a reader."""
    for topic, offered in (('good', QoSReliabilityPolicy.RELIABLE),
                           ('bad', QoSReliabilityPolicy.BEST_EFFORT)):
        make_node(f'{topic}_talker').create_publisher(
            Int32, topic, QoSProfile(depth=1, reliability=offered))
        make_node(f'{topic}_listener').create_subscription(Int32, topic, print, 1)
    make_node('lonely').create_publisher(Int32, 'unread', 1)


def test_checks(ill_graph):
    """An error fails a check, a warning only if asked for."""
    done = doctor()
    assert done.stdout == '\n1/5 check(s) failed\n\nFailed modules: middleware\n'
    assert done.stderr.splitlines() == [
        'UserWarning: ERROR: QoS of bad_talker and bad_listener on /bad: '
        'ERROR: Best effort publisher and reliable subscription;',
        'UserWarning: Publisher without subscriber detected on /unread.']
    strict = doctor('-iw', '-rf', '-ep').stdout
    assert strict.startswith('\n2/4 check(s) failed\n\nFailed modules: middleware topic\n')
    assert 'TOPIC LIST' in strict
    assert 'NETWORK CONFIGURATION' not in strict


def test_report(ill_graph):
    report = doctor('--report').stdout
    for heading in ('NETWORK CONFIGURATION', 'PACKAGE VERSIONS', 'PLATFORM INFORMATION',
                    'QOS COMPATIBILITY LIST', 'RMW MIDDLEWARE', 'ROS 2 INFORMATION', 'TOPIC LIST'):
        assert f'\n   {heading}\n' in report
    assert ('topic [type]            : /good [std_msgs/msg/Int32]\n'
            'publisher node          : good_talker\n'
            'subscriber node         : good_listener\n'
            'compatibility status    : OK\n') in report
    assert ('topic               : /unread\n'
            'publisher count     : 1\n'
            'subscriber count    : 0\n') in report
    assert 'device    : lo\n' in report
    assert 'middleware name    : rmw_cyclonedds_cpp\n' in report
