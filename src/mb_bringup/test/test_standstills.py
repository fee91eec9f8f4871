"""Runs whose processes are stopped for a while, or whose time another publisher disturbs."""

from collections import Counter
import json
import os
import signal
import time

import pytest
import rclpy
import rosbag2_py
from rosgraph_msgs.msg import Clock

from mb_bringup.endurance.launched_process import launched
from mb_bringup.nodes.run_listener import RunListener
from mb_evaluation.accuracy.verdict import objections
from mb_ros.own_domain import own_domain
from mb_ros.process_tree import descendants, node_names
from mb_ros.stamps import serialised_stamp, stamp

pytestmark = pytest.mark.slow
PATIENCE = 240.0        # of a machine that does other things [s]
RATE = 200.0            # of states [Hz]
RECORDED = ('/prototype/state', '/model_simulation/state', '/estimator/state', '/estimator/status',
            '/crank_encoder')
# As ten seconds are without this: others count as gone that say nothing for so long.
SHORT_LEASE = (
    '<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces>'
    '<AllowMulticast>false</AllowMulticast></General><Discovery><SPDPInterval>0.5s</SPDPInterval>'
    '<LeaseDuration>1s</LeaseDuration><ParticipantIndex>auto</ParticipantIndex>'
    '<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>'
    '<Peers><Peer address="localhost"/></Peers></Discovery></Domain></CycloneDDS>')


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function: launch, act(node, listener, process) at 2 s; return (code, report)."""
    def launch(act, place, duration=6.0, **environment):
        domain = own_domain(place)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        environment['ROS_DOMAIN_ID'] = str(domain)
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
        report = json.loads((tmp_path / 'latest' / 'report.json').read_text())
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


@pytest.mark.parametrize(('names', 'seconds', 'duration', 'environment'), [
    ((), 4.0, 6.0, {'CYCLONEDDS_URI': SHORT_LEASE}),    # all of them, who lose one another
    (('accuracy_monitor',), 8.0, 11.0, {})], ids=['all', 'monitor'])
def test_a_standstill_costs_nothing(run, tmp_path, names, seconds, duration, environment):
    """The run goes on while its monitor stands still: to its end, less than two seconds."""
    def stop(_node, _listener, process):
        ours = [one for one in descendants(process.pid)
                if node_names(one) and (not names or node_names(one) in names)]
        assert len(ours) == (len(names) or 6)
        for one in ours:
            os.kill(one, signal.SIGSTOP)
        time.sleep(seconds)
        for one in ours:
            os.kill(one, signal.SIGCONT)
    code, report = run(stop, 60, duration, **environment)
    assert objections(report) == []
    assert (code, report['messages_lost']) == (0, 0)
    states = int(duration * RATE) + 1
    for topic, found in stamps_in(tmp_path / 'latest' / 'bag').items():
        assert max(found.values()) == 1, topic
        assert len(found) >= states - 1, topic


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
