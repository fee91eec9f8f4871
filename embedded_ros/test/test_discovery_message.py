"""The hand-made encoding of ros_discovery_info against the message class's own."""
from embedded_ros.dds import discovery_message
from embedded_ros.interfaces import deserialize, get_interface, serialize
import pytest


def _gid(number):
    return bytes([number] * discovery_message.GID_SIZE)


NODES = [('/', 'talker', [_gid(1)], []), ('/a/ns', 'x', [], [_gid(2), _gid(3)]), ('/', '', [], [])]


def _as_message(participant_gid, nodes):
    gid = get_interface('rmw_dds_common/msg/Gid')
    info = get_interface('rmw_dds_common/msg/NodeEntitiesInfo')
    return get_interface(discovery_message.NAME)(
        gid=gid(data=list(participant_gid)), node_entities_info_seq=[
            info(node_namespace=namespace, node_name=name,
                 reader_gid_seq=[gid(data=list(g)) for g in readers],
                 writer_gid_seq=[gid(data=list(g)) for g in writers])
            for namespace, name, readers, writers in nodes])


@pytest.mark.parametrize('nodes', [[], NODES, NODES[1:], NODES[2:]])
def test_same_bytes_as_the_class(nodes):
    data = serialize(_as_message(_gid(9), nodes))
    assert discovery_message.encode(_gid(9), nodes) == data
    assert discovery_message.decode(data) == (_gid(9), nodes)
    assert deserialize(data, get_interface(discovery_message.NAME)) == _as_message(_gid(9), nodes)


def test_damaged_data():
    """Cut anywhere, it raises a ValueError."""
    data = discovery_message.encode(_gid(9), NODES)
    for length in range(len(data) - 1):
        with pytest.raises(ValueError, match=r'early|CDR'):
            discovery_message.decode(data[:length])
