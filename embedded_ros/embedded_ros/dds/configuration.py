"""How far a participant looks for others: ROS_AUTOMATIC_DISCOVERY_RANGE and its relatives.

CYCLONEDDS_URI, where set, is the whole configuration. The rest of the environment is read as ROS 2
reads it, except that the default range is LOCALHOST: what pip installs should not surprise a
network.
"""
import os

_LOOPBACK = (
    '<Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces>'
    '<AllowMulticast>false</AllowMulticast>')
# How often participants announce themselves. A participant that was stopped for longer than others
# wait for it is found again as soon, while its messages are still kept.
_ANNOUNCED = '<SPDPInterval>1s</SPDPInterval>'
_RANGES = ('LOCALHOST', 'SUBNET', 'OFF', 'SYSTEM_DEFAULT')


def discovery_range(environment=os.environ):
    """The range asked for; ROS_LOCALHOST_ONLY=1 is the older way to say LOCALHOST."""
    asked = environment.get('ROS_AUTOMATIC_DISCOVERY_RANGE', '').upper()
    if asked and asked not in _RANGES:
        raise RuntimeError(
            f"ROS_AUTOMATIC_DISCOVERY_RANGE is '{asked}', expected one of {', '.join(_RANGES)}")
    if environment.get('ROS_LOCALHOST_ONLY') == '1':
        return 'LOCALHOST'
    return asked or 'LOCALHOST'


def is_confined(environment=os.environ):
    """Whether nothing but this machine is asked for: then nothing else is to be listened to."""
    if environment.get('CYCLONEDDS_URI'):
        return False
    reach = discovery_range(environment)
    return reach == 'OFF' or (reach == 'LOCALHOST' and not _static_peers(environment))


def refuse_security(environment=os.environ):
    """Raise NotImplementedError where DDS security is asked for, rather than go on without."""
    if environment.get('ROS_SECURITY_ENABLE') == 'true':
        raise NotImplementedError(
            'ROS_SECURITY_ENABLE=true: embedded_ros has no DDS security, nothing is started')


def configuration(environment=os.environ):
    """The Cyclone DDS configuration (XML or a list of URIs) for this environment."""
    if environment.get('CYCLONEDDS_URI'):
        return environment['CYCLONEDDS_URI']
    reach, peers = discovery_range(environment), _static_peers(environment)
    if reach == 'SYSTEM_DEFAULT':
        return ''
    if reach == 'OFF':
        return _domain(_LOOPBACK, f'<Tag>ros_discovery_off_{os.getpid()}</Tag>')
    discovery = '<ParticipantIndex>auto</ParticipantIndex>'
    if reach == 'LOCALHOST':
        discovery += '<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>'
        general = _LOOPBACK if is_confined(environment) else ''
        peers.append('localhost')
    else:
        general = ''
    elements = ''.join(f'<Peer address="{_escaped(peer)}"/>' for peer in peers)
    return _domain(general, discovery + (f'<Peers>{elements}</Peers>' if peers else ''))


def _static_peers(environment):
    return [peer for peer in environment.get('ROS_STATIC_PEERS', '').split(';') if peer]


def _escaped(text):
    for character, entity in (('&', '&amp;'), ('<', '&lt;'), ('"', '&quot;')):
        text = text.replace(character, entity)
    return text


def _domain(general, discovery):
    return (f'<CycloneDDS><Domain><General>{general}</General>'
            f'<Discovery>{_ANNOUNCED}{discovery}</Discovery></Domain></CycloneDDS>')


def domain_id(environment=os.environ):
    """ROS_DOMAIN_ID, 0 where it is not set."""
    text = environment.get('ROS_DOMAIN_ID', '')
    if not text:
        return 0
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 232:
        raise RuntimeError(f"ROS_DOMAIN_ID is '{text}', expected a number from 0 to 232")
    return number
