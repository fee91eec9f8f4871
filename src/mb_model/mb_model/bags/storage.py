"""MCAP files as rosbags writes them, to the byte, in a third of its time for each message."""

from struct import Struct

from rosbags.interfaces import Connection
from rosbags.rosbag2.storage_mcap import McapWriter

_MESSAGE = 0x05                         # opcode of a record
_HEAD = Struct('<BQHIQQ')               # opcode, length; channel, sequence, log and publish time
_BEFORE = 22                            # bytes of the record before the message
_CHUNK = 2 ** 20                        # bytes that end one, as of rosbags


class McapFile(McapWriter):
    """An MCAP file that is being written."""

    def write(self, connection: Connection, timestamp: int, data: bytes | memoryview) -> None:
        """Write a message of a connection at a timestamp [ns]."""
        chunk = self.chunk
        file = chunk.bio
        if timestamp < chunk.message_start_time:
            chunk.message_start_time = timestamp
            self.message_start_time = min(timestamp, self.message_start_time)
        if timestamp > chunk.message_end_time:
            chunk.message_end_time = timestamp
            self.message_end_time = max(timestamp, self.message_end_time)
        self.channel_stats[connection.id] += 1
        chunk.msgs[connection.id].append((timestamp, file.tell()))
        file.write(_HEAD.pack(_MESSAGE, _BEFORE + len(data), connection.id, 0, timestamp,
                              timestamp))
        file.write(data)
        if file.tell() > _CHUNK:
            self.close_chunk()
