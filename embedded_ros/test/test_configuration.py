"""What the environment says about discovery, as Cyclone DDS gets it."""
import xml.etree.ElementTree as ElementTree

from embedded_ros.dds.configuration import (
    configuration,
    discovery_range,
    domain_id,
    refuse_security,
)
import pytest
import rclpy


def _parts(environment):
    tree = ElementTree.fromstring(configuration(environment))
    peers = [peer.get('address') for peer in tree.iter('Peer')]
    interfaces = [interface.get('address') for interface in tree.iter('NetworkInterface')]
    return tree, peers, interfaces


def test_default_is_the_local_host():
    tree, peers, interfaces = _parts({})
    assert (peers, interfaces) == (['localhost'], ['127.0.0.1'])
    assert tree.findtext('Domain/General/AllowMulticast') == 'false'
    assert tree.findtext('Domain/Discovery/MaxAutoParticipantIndex') == '32'


def test_subnet_leaves_multicast_on():
    tree, peers, interfaces = _parts({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'subnet'})
    assert (peers, interfaces) == ([], [])
    assert tree.find('Domain/General/AllowMulticast') is None


def test_static_peers():
    """They are added; with them the local host range is not bound to the loop-back device."""
    _, peers, interfaces = _parts({'ROS_STATIC_PEERS': 'robot1;192.168.7.3'})
    assert (peers, interfaces) == (['robot1', '192.168.7.3', 'localhost'], [])
    _, peers, _ = _parts({
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET', 'ROS_STATIC_PEERS': 'a&b<"c"'})
    assert peers == ['a&b<"c"']


def test_off_tags_the_process():
    tree, peers, _ = _parts({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'OFF'})
    assert peers == []
    assert tree.findtext('Domain/Discovery/Tag').startswith('ros_discovery_off_')


def test_system_default_and_own_configuration():
    assert configuration({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SYSTEM_DEFAULT'}) == ''
    assert configuration({
        'CYCLONEDDS_URI': 'file:///robot.xml', 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'OFF'}) == (
        'file:///robot.xml')


def test_localhost_only_is_understood():
    assert discovery_range({
        'ROS_LOCALHOST_ONLY': '1', 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET'}) == 'LOCALHOST'


def test_nothing_runs_unprotected_where_security_is_asked_for(fresh_domain, monkeypatch):
    monkeypatch.setenv('ROS_SECURITY_ENABLE', 'true')
    context = rclpy.Context()
    rclpy.init(context=context)
    try:
        with pytest.raises(NotImplementedError, match='ROS_SECURITY_ENABLE=true'):
            rclpy.create_node('unprotected', context=context)
    finally:
        context.try_shutdown()
    monkeypatch.setenv('ROS_SECURITY_ENABLE', 'false')
    refuse_security()


def test_unknown_range():
    with pytest.raises(RuntimeError, match=r'NEARBY.*LOCALHOST, SUBNET'):
        discovery_range({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'nearby'})


@pytest.mark.parametrize(('text', 'number'), [('', 0), ('0', 0), ('42', 42)])
def test_domain_id(text, number):
    assert domain_id({'ROS_DOMAIN_ID': text}) == number


@pytest.mark.parametrize('text', ['x', '-1', '233', '1.5'])
def test_wrong_domain_id(text):
    with pytest.raises(RuntimeError, match='ROS_DOMAIN_ID'):
        domain_id({'ROS_DOMAIN_ID': text})
