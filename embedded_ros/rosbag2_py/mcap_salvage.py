"""What can be read of an mcap file, whatever happened to it."""
from mmap import ACCESS_READ, mmap
import re

from rosbag2_py.mcap_records import (
    CHANNEL,
    CHUNK,
    DATA_END,
    FOOTER,
    HEAD,
    MAGIC,
    MESSAGE,
    MESSAGE_INDEX,
    SCHEMA,
    SUMMARY,
    RecordError,
    check_other,
    chunk_content,
    chunk_records,
    indexed_messages,
    is_torn,
    parse_channel,
    parse_chunk,
    parse_head,
    parse_message,
    parse_schema,
    record_at,
)
from rosbag2_py.metadata import BagError

_CANDIDATE = re.compile(rb'[\x03-\x07\x09\x0c\x0f].{5}\0{3}', re.DOTALL)    # size below 2^40
_IN_A_ROW = 3       # records that follow each other behind a damaged place are believed
_END = HEAD.size + 20 + len(MAGIC)      # [byte] of footer and mark


class McapSalvage:
    """Goes through a file's records; afterwards it is known what of them could not be read.

    channels, schemas: by number, as far as they are known by then; losses: in words; lost: messages
    that are known to be missing; unfinished: words, if it only was not written to its end.
    """

    def __init__(self, path):
        self._path = path
        self.channels, self.schemas = {}, {}
        self.compression = ''           # of the chunks
        self.losses, self.lost, self.unfinished = [], 0, ''
        self._in_summary = self._closed = False
        self._broken = None             # [words, messages] of a damaged chunk before its index

    def messages(self):
        """Yield lists of Messages, chunk by chunk, in the order of the file."""
        with open(self._path, 'rb') as handle:
            if handle.seek(0, 2) == 0:
                self.unfinished = 'it is empty'
                return
            with mmap(handle.fileno(), 0, access=ACCESS_READ) as data:
                yield from self._walk(data)

    def _walk(self, data):
        self._read_summary(data)
        at, end = 0, len(data)
        if data[:len(MAGIC)] == MAGIC:
            at = len(MAGIC)
        else:
            self.losses.append('the mark at its beginning is damaged')
        while at < end and not self._closed:
            found = record_at(data, at, end)
            try:
                if found is None:
                    raise RecordError
                yield from self._record(data, *found)
                at = found[2]
            except RecordError:
                at = self._skip(data, at)
        self._end_chunk()
        if not self._closed:
            self.unfinished = self.unfinished or 'it was not closed'
        elif not MAGIC.startswith(data[at:at + len(MAGIC) + 1]):
            self.losses.append(f'bytes {at} to {end} are damaged')

    def _record(self, data, code, begin, end):
        """Yield what messages a record holds, in a list.  Raises RecordError."""
        if code != MESSAGE_INDEX:
            self._end_chunk()
        if code == CHUNK:
            kept = self._chunk(data, parse_chunk(data, begin, end))
            if kept:
                yield kept
        elif code == MESSAGE:
            message = parse_message(data, begin, end)
            if message.channel not in self.channels:
                raise RecordError('a message of an unknown topic')
            yield [message]
        elif code == MESSAGE_INDEX:
            count = indexed_messages(data, begin, end)
            if self._broken:
                self._broken[1] += count
        elif code == SCHEMA:
            schema = parse_schema(data, begin, end)
            self.schemas.setdefault(schema.number, schema)
        elif code == CHANNEL:
            channel = parse_channel(data, begin, end)
            self.channels.setdefault(channel.number, channel)
        elif not (self._in_summary and code in SUMMARY):
            check_other(data, code, begin, end)
            self._in_summary |= code == DATA_END
            self._closed = code == FOOTER

    def _chunk(self, data, chunk):
        """The Messages that a Chunk holds, as many as are sound."""
        kept = []
        try:
            content = chunk_content(data, chunk)
            self.compression = chunk.compression
            for code, begin, end in chunk_records(content):
                if code == MESSAGE:
                    message = parse_message(content, begin, end)
                    if message.channel in self.channels:
                        kept.append(message)
                    else:
                        self.lost += 1
                elif code == SCHEMA:        # with a checksum it counts more than one without
                    schema = parse_schema(content, begin, end)
                    self.schemas[schema.number] = schema
                elif code == CHANNEL:
                    channel = parse_channel(content, begin, end)
                    self.channels[channel.number] = channel
        except (BagError, RecordError) as error:
            self._broken = [f'the chunk at byte {chunk.begin} is damaged: {error}', -len(kept)]
        return kept

    def _end_chunk(self):
        """Note a damaged chunk, now that its index is behind it."""
        if self._broken:
            words, count = self._broken
            self.losses.append(f'{words}; {count} messages' if count > 0 else
                               f'{words}; an unknown number of messages')
            self.lost += max(0, count)
            self._broken = None

    def _skip(self, data, at):
        """Where the next record is that can be believed."""
        self._end_chunk()
        end = next((match.start() for match in _CANDIDATE.finditer(data, at + 1)
                    if self._believed(data, match.start())), len(data))
        torn = is_torn(data, at)
        if torn and (end == len(data) or data[at] == CHUNK):
            self.unfinished = f'its last {len(data) - at} bytes are incomplete'
        else:
            self.losses.append(f'bytes {at} to {end} are damaged')
        return end

    def _believed(self, data, at):
        """Whether a record is at a place where one was searched for."""
        for _ in range(_IN_A_ROW):
            found = record_at(data, at, len(data))
            try:
                if found is None:
                    return False
                code, begin, end = found
                if code == CHUNK:
                    parse_chunk(data, begin, end)
                    return True         # its sizes fit each other
                self._check(data, code, begin, end)
            except RecordError:
                return False
            if end == len(data):
                return True
            at = end
        return True

    def _check(self, data, code, begin, end):
        if code == MESSAGE:
            if parse_head(data, begin, end)[0] not in self.channels:
                raise RecordError('a message of an unknown topic')
        elif code in (SCHEMA, CHANNEL, MESSAGE_INDEX):
            {SCHEMA: parse_schema, CHANNEL: parse_channel,
             MESSAGE_INDEX: indexed_messages}[code](data, begin, end)
        else:
            check_other(data, code, begin, end)

    def _read_summary(self, data):
        """Learn topics from the end of the file, if there is one."""
        end = len(data) - _END
        if end < 0 or data[-len(MAGIC):] != MAGIC or data[end] != FOOTER:
            return
        at = int.from_bytes(data[end + HEAD.size:end + HEAD.size + 8], 'little')
        try:
            while 0 < at < end and (found := record_at(data, at, end)):
                code, begin, at = found
                if code == SCHEMA:
                    schema = parse_schema(data, begin, at)
                    self.schemas[schema.number] = schema
                elif code == CHANNEL:
                    channel = parse_channel(data, begin, at)
                    self.channels[channel.number] = channel
        except RecordError:
            return
