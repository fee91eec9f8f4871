"""A process that knows DDS only must understand ours, and ours it: that is how ROS 2 sees us."""
from pathlib import Path

import pytest
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

PEER = str(Path(__file__).with_name('plain_peer.py'))
LOOPBACK = (
    '<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces>'
    '<AllowMulticast>false</AllowMulticast></General><Discovery>'
    '<ParticipantIndex>auto</ParticipantIndex>'
    '<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>'
    '<Peers><Peer address="localhost"/></Peers></Discovery></Domain></CycloneDDS>')


@pytest.fixture
def peer(run):
    return lambda role: run(PEER, role, CYCLONEDDS_URI=LOOPBACK)


def test_topics_both_ways(make_node, spin_until, peer):
    node, received = make_node('ours'), []
    publisher = node.create_publisher(JointState, 'joint_states', 10)
    subscription = node.create_subscription(JointState, 'echo', received.append, 10)
    peer('echo')
    spin_until(lambda: publisher.get_subscription_count() and subscription.get_publisher_count(),
               node)
    sent = JointState(name=['crank', 'coupler ä'], position=[1.5, -2.0], effort=[3.0])
    sent.header.frame_id, sent.header.stamp.sec = 'base', -7
    publisher.publish(sent)
    spin_until(lambda: received, node)
    assert received == [sent]


def test_plain_server(make_node, spin_until, peer):
    node = make_node('ours')
    client = node.create_client(SetBool, '/plain_service')
    peer('server')
    assert client.wait_for_service(20.0)
    future = client.call_async(SetBool.Request(data=True))
    spin_until(future.done, node)
    assert future.result() == SetBool.Response(success=False, message='from DDS')


def test_plain_client(make_node, spin_until, peer):
    node = make_node('ours')

    def answer(request, response):
        response.success, response.message = request.data, 'from ROS'
        return response

    node.create_service(SetBool, '/ros_service', answer)
    process = peer('client')
    spin_until(lambda: process.poll() is not None, node)
    assert process.stdout.read() == '77 1 True from ROS\n'


def test_endpoints_say_what_ros_expects(make_node):
    """Names, type hashes and service ids of the endpoints, and the node they belong to."""
    node = make_node('ours', namespace='/ns')
    node.create_publisher(JointState, 'joint_states', 10)
    service = node.create_service(SetBool, 'switch', print)
    graph = node.context.graph
    writer, = (w for w in graph.writers() if w.topic == 'rt/ns/joint_states')
    assert writer.type_name == 'sensor_msgs::msg::dds_::JointState_'
    assert writer.userdata == {'typehash': (
        'RIHS01_a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e')}
    request, = (r for r in graph.readers() if r.topic == 'rq/ns/switchRequest')
    reply, = (w for w in graph.writers() if w.topic == 'rr/ns/switchReply')
    assert request.type_name == 'std_srvs::srv::dds_::SetBool_Request_'
    assert reply.type_name == 'std_srvs::srv::dds_::SetBool_Response_'
    assert request.userdata['serviceid'] == reply.userdata['serviceid']
    assert request.userdata['serviceid'].startswith(node.context.participant.gid[:12].hex('.'))
    assert {writer.gid, reply.gid} <= set(graph.node('ours', '/ns').writers)
    assert service.handle.middleware.reader.gid in graph.node('ours', '/ns').readers
