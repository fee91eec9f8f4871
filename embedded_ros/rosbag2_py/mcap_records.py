"""Records of an mcap file, read from bytes that may be damaged anywhere.

Source: MCAP format specification, section Records.
"""
from binascii import crc32
import struct
from typing import NamedTuple

from rosbag2_py.bounds import decompressed_chunk
from rosbag2_py.metadata import BagError

MAGIC = b'\x89MCAP0\r\n'
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX = range(1, 8)
ATTACHMENT, METADATA, DATA_END = 9, 12, 15
SUMMARY = 8, 10, 11, 13, 14             # indices and statistics behind the data
HEAD = struct.Struct('<BQ')             # code of a record, size of its body [byte]
_MESSAGE = struct.Struct('<HIQQ')       # channel, sequence, log and publish time
_CHUNK = struct.Struct('<QQQI')         # first and last time, size, checksum
LATEST = 2 ** 63                        # times [ns] are before


class Message(NamedTuple):
    """A message, by the number of its channel, with its receive time [ns]."""

    channel: int
    stamp: int
    data: bytes


class Channel(NamedTuple):
    """A topic; its schema by number."""

    number: int
    schema: int
    topic: str
    encoding: str
    metadata: dict


class Schema(NamedTuple):
    """The definition of a type."""

    number: int
    name: str
    encoding: str
    definition: str


class Chunk(NamedTuple):
    """What is in front of a chunk's records, and where these are; times in nanoseconds."""

    first: int
    last: int
    size: int
    checksum: int
    compression: str
    begin: int
    end: int


class RecordError(ValueError):
    """Bytes that are no record."""


def record_at(data, at, end):
    """(code, begin, end) of the record at a place, or None if none fits there."""
    if at + HEAD.size > end:
        return None
    code, size = HEAD.unpack_from(data, at)
    begin = at + HEAD.size
    if not 1 <= code <= 15 or begin + size > end:
        return None
    return code, begin, begin + size


def is_torn(data, at):
    """Whether the bytes from a place on are a record that was not written to its end."""
    if at + HEAD.size > len(data):
        return True
    code, size = HEAD.unpack_from(data, at)
    begin = at + HEAD.size
    if not 1 <= code <= 15 or begin + size <= len(data):
        return False
    try:
        if code == CHUNK:
            parse_chunk(data, begin, begin + size)
    except struct.error:        # of what is in front of its records
        return True
    except RecordError:
        return False
    return True


def parse_head(data, begin, end):
    """(channel, receive time [ns]) of a message's body.  Raises RecordError."""
    if end - begin < _MESSAGE.size:
        raise RecordError('a message is too short')
    channel, _, stamp, _ = _MESSAGE.unpack_from(data, begin)
    if stamp >= LATEST:
        raise RecordError('a message has an impossible time')
    return channel, stamp


def parse_message(data, begin, end):
    """The Message of a record's body.  Raises RecordError."""
    return Message(*parse_head(data, begin, end), bytes(data[begin + _MESSAGE.size:end]))


def parse_schema(data, begin, end):
    """The Schema of a record's body.  Raises RecordError."""
    number, at = _number(data, begin, end, '<H')
    name, at = _text(data, at, end)
    encoding, at = _text(data, at, end)
    return Schema(number, name, encoding, _text(data, at, end)[0])


def parse_channel(data, begin, end):
    """The Channel of a record's body.  Raises RecordError."""
    number, at = _number(data, begin, end, '<H')
    schema, at = _number(data, at, end, '<H')
    topic, at = _text(data, at, end)
    encoding, at = _text(data, at, end)
    size, at = _number(data, at, end, '<I')
    if at + size > end:
        raise RecordError('a topic is too short')
    metadata, end = {}, at + size
    while at < end:
        key, at = _text(data, at, end)
        metadata[key], at = _text(data, at, end)
    return Channel(number, schema, topic, encoding, metadata)


def parse_chunk(data, begin, end):
    """The Chunk of a record's body.  Raises RecordError."""
    if end - begin < _CHUNK.size:
        raise RecordError('a chunk is too short')
    first, last, size, checksum = _CHUNK.unpack_from(data, begin)
    compression, at = _text(data, begin + _CHUNK.size, end)
    length, at = _number(data, at, end, '<Q')
    if at + length != end or compression not in ('', 'lz4', 'zstd') or max(first, last) >= LATEST:
        raise RecordError('a chunk contradicts itself')
    return Chunk(first, last, size, checksum, compression, at, end)


def chunk_content(data, chunk):
    """The records of a Chunk as bytes, checked as far as it can be.  Raises BagError."""
    content = decompressed_chunk(data[chunk.begin:chunk.end], chunk.compression, chunk.size)
    if chunk.checksum and crc32(content) != chunk.checksum:
        raise BagError('its checksum is wrong')
    return content


def chunk_records(content):
    """Yield (code, begin, end) of the records of a chunk's content.  Raises RecordError."""
    at = 0
    while at < len(content):
        found = record_at(content, at, len(content))
        if found is None or found[0] == CHUNK:
            raise RecordError('its records do not follow each other')
        yield found
        at = found[2]


def indexed_messages(data, begin, end):
    """How many messages the body of a message index counts.  Raises RecordError."""
    _, at = _number(data, begin, end, '<H')
    size, at = _number(data, at, end, '<I')
    if at + size != end or size % 16:
        raise RecordError('an index contradicts itself')
    return size // 16


def check_other(data, code, begin, end):
    """Raise RecordError for what is no attachment, metadata, data end or footer."""
    at = begin
    if code == METADATA:
        _, at = _text(data, at, end)
        size, at = _number(data, at, end, '<I')
        at += size
    elif code == ATTACHMENT:
        for form in ('<Q', '<Q'):
            _, at = _number(data, at, end, form)
        _, at = _text(data, at, end)
        _, at = _text(data, at, end)
        size, at = _number(data, at, end, '<Q')
        at += size + 4
    elif code in (DATA_END, FOOTER, HEADER):
        at = begin + {DATA_END: 4, FOOTER: 20, HEADER: end - begin}[code]
    if at != end or code not in (HEADER, FOOTER, ATTACHMENT, METADATA, DATA_END):
        raise RecordError('no such record is expected there')


def _number(data, at, end, form):
    if at + struct.calcsize(form) > end:
        raise RecordError('a record is too short')
    return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)


def _text(data, at, end):
    size, at = _number(data, at, end, '<I')
    if at + size > end:
        raise RecordError('a text is too short')
    try:
        return bytes(data[at:at + size]).decode(), at + size
    except UnicodeDecodeError:
        raise RecordError('a text is no UTF-8') from None
