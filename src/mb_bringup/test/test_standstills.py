"""Runs whose processes are stopped for a while, or whose time another publisher disturbs."""

from collections import Counter
import os
import signal
import time

from bag_reports import report_in
import pytest
import rclpy
import rosbag2_py
from rosgraph_msgs.msg import Clock

from mb_bringup.endurance import launched
from mb_bringup.nodes.run_listener import RunListener
from mb_evaluation.report_kinds.accuracy_report import objections
from mb_ros.own_domain import own_domain
from mb_ros.process_tree import descendants, node_names
from mb_ros.stamps import serialised_stamp, stamp

pytestmark = pytest.mark.whole
PATIENCE = 240.0        # of a machine that does other things [s]
RATE = 200.0            # of states [Hz]
RECORDED = ('/prototype/state', '/model_simulation/state', '/estimator/state', '/estimator/status',
            '/crank_encoder')
# As twenty seconds are without this: others count as gone that say nothing for so long.
# The transport finds any number of processes again; Fast DDS's own looks for four.
SHORT_LEASE = """\
<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns="http://www.eprosima.com"><profiles>
  <transport_descriptors><transport_descriptor>
    <transport_id>loopback</transport_id><type>UDPv4</type>
    <maxInitialPeersRange>100</maxInitialPeersRange>
    <interfaceWhiteList><address>127.0.0.1</address></interfaceWhiteList>
  </transport_descriptor></transport_descriptors>
  <participant profile_name="short_lease" is_default_profile="true">
    <rtps><builtin><discovery_config>
    <leaseDuration><sec>1</sec></leaseDuration>
    <leaseAnnouncement><sec>0</sec><nanosec>500000000</nanosec></leaseAnnouncement>
  </discovery_config></builtin>
  <userTransports><transport_id>loopback</transport_id></userTransports>
  <useBuiltinTransports>false</useBuiltinTransports></rtps></participant>
</profiles></dds>
"""


@pytest.fixture
def short_lease(tmp_path, monkeypatch):
    """Let processes lose one another after a second, on Fast DDS."""
    path = tmp_path / 'short_lease.xml'
    path.write_text(SHORT_LEASE)
    for name in ('FASTRTPS', 'FASTDDS'):        # Jazzy's, and what is newer
        monkeypatch.setenv(f'{name}_DEFAULT_PROFILES_FILE', str(path))


@pytest.fixture
def run(tmp_path):
    """Return a function: launch, act(node, listener, process) at 2 s; return (code, report)."""
    def launch(act, place, duration=6.0):
        domain = own_domain(place)
        environment = {'ROS_DOMAIN_ID': str(domain)}
        rclpy.init(domain_id=domain)
        node = rclpy.create_node('onlooker')
        arguments = {'duration': duration, 'results': tmp_path, 'record': 'true',
                     'composed': 'false'}
        try:
            listener = RunListener(node)
            with (tmp_path / 'log.txt').open('w') as output, launched(
                    'three_simulation.launch.py', arguments, output, environment) as process:
                listener.until(lambda: max(listener.truth) > 2.0, PATIENCE)
                act(node, listener, process)
                listener.until(lambda: process.poll() is not None, PATIENCE)
        finally:
            node.destroy_node()
            rclpy.shutdown()
        report = report_in(tmp_path / 'latest')
        return process.returncode, report
    return launch


def stamps_in(folder):
    """Return how often each stamp is in a bag, by topic."""
    reader = rosbag2_py.SequentialReader()
    reader.open(rosbag2_py.StorageOptions(uri=str(folder), storage_id='mcap'),
                rosbag2_py.ConverterOptions('', ''))
    reader.set_filter(rosbag2_py.StorageFilter(topics=list(RECORDED)))
    found = {topic: Counter() for topic in RECORDED}
    while reader.has_next():
        topic, data, _ = reader.read_next()
        found[topic][serialised_stamp(data)] += 1
    return found


@pytest.mark.usefixtures('short_lease')
def test_a_standstill_of_all_who_lose_one_another_is_never_silent(run, tmp_path):
    """Time goes on to its end.  What Fast DDS does not connect again is lost, and the run fails.

    It connects a pair one-sidedly if only one of the two has counted the other as gone.
    """
    code, report = run(standstill((), 4.0), 60)
    assert '6 s simulated' in (tmp_path / 'log.txt').read_text()
    complete = report['messages_lost'] == 0
    assert (code == 0) is (objections(report) == []) is complete
    for topic, found in stamps_in(tmp_path / 'latest' / 'bag').items():
        assert max(found.values()) == 1, topic


def test_a_standstill_of_the_monitor_costs_nothing(run, tmp_path):
    """The run goes on meanwhile: to its end, less than two seconds."""
    duration = 11.0
    code, report = run(standstill(('accuracy_monitor',), 8.0), 60, duration)
    assert objections(report) == []
    assert (code, report['messages_lost']) == (0, 0)
    states = int(duration * RATE) + 1
    for topic, found in stamps_in(tmp_path / 'latest' / 'bag').items():
        assert max(found.values()) == 1, topic
        assert len(found) >= states - 1, topic


def standstill(names, seconds):
    """Return what stops nodes of these names, all without any, for a while [s]."""
    def stop(_node, _listener, process):
        ours = [one for one in descendants(process.pid)
                if node_names(one) and (not names or node_names(one) in names)]
        assert len(ours) == (len(names) or 6)
        for one in ours:
            os.kill(one, signal.SIGSTOP)
        time.sleep(seconds)
        for one in ours:
            os.kill(one, signal.SIGCONT)
    return stop


def test_a_stray_time_fails_the_run_and_changes_no_estimate(run):
    def disturb(node, listener, _process):
        publisher = node.create_publisher(Clock, '/clock', 10)
        listener.until(lambda: publisher.get_subscription_count() >= 3, PATIENCE)
        publisher.publish(Clock(clock=stamp(1_200_000_000)))
        listener.until(lambda: max(listener.truth) > 4.0, PATIENCE)
    code, report = run(disturb, 61)
    assert code == 1
    found = ' '.join(objections(report))
    assert '/clock' in found
    assert 'onlooker' in report['time']['publishers']
    assert report['consistency']['nees']['mean_per_state'] < 10.0
    assert report['observer']['position_rmse_after_2s'][0] < 0.02
    assert report['messages_lost'] == 0
