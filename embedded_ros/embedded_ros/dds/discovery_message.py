"""The message on ros_discovery_info: which nodes a participant has, and their endpoints.

It is rmw_dds_common/msg/ParticipantEntitiesInfo, encoded here by hand (CDR, little endian): its
class would need numpy for the gids, and every process reads and writes this message.

    gid of the participant (16 bytes), number of nodes, and for each node
    namespace, name, number of readers, their gids, number of writers, their gids
"""
import struct

NAME = 'rmw_dds_common/msg/ParticipantEntitiesInfo'
GID_SIZE = 16
_HEADER = b'\0\1\0\0'
_count = struct.Struct('<I')


def encode(participant_gid, nodes):
    """Bytes of the message; nodes is [(namespace, name, reader gids, writer gids)]."""
    data = bytearray(_HEADER + participant_gid)
    _put_count(data, len(nodes))
    for namespace, name, readers, writers in nodes:
        for text in (namespace, name):
            encoded = text.encode() + b'\0'
            _put_count(data, len(encoded))
            data += encoded
        for gids in (readers, writers):
            _put_count(data, len(gids))
            data += b''.join(gids)
    return bytes(data)


def decode(data):
    """Give (participant gid, nodes) of a message; ValueError where it is none."""
    if data[:2] != _HEADER[:2]:
        raise ValueError('not CDR in little endian')
    try:
        position = len(_HEADER) + GID_SIZE
        count, position = _take_count(data, position)
        nodes = []
        for _ in range(count):
            namespace, position = _take_text(data, position)
            name, position = _take_text(data, position)
            readers, position = _take_gids(data, position)
            writers, position = _take_gids(data, position)
            nodes.append((namespace, name, readers, writers))
    except struct.error as error:
        raise ValueError(f'it ends too early: {error}') from None
    return data[len(_HEADER):len(_HEADER) + GID_SIZE], nodes


def _put_count(data, count):
    data += bytes(-len(data) % 4)
    data += _count.pack(count)


def _take_count(data, position):
    position += -position % 4
    return _count.unpack_from(data, position)[0], position + 4


def _take_text(data, position):
    length, position = _take_count(data, position)
    return data[position:position + length - 1].decode(), position + length


def _take_gids(data, position):
    count, position = _take_count(data, position)
    end = position + GID_SIZE * count
    if end > len(data):
        raise ValueError('it ends too early')
    return [data[i:i + GID_SIZE] for i in range(position, end, GID_SIZE)], end
