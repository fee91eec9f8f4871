"""Messages of bags, of ROS or not, by the definitions that are in them: decoded, one by one."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
import json
from pathlib import Path
from typing import Any

from rosbags.highlevel import AnyReader
from rosbags.rosbag2.storage_mcap import McapReader, Schema, get_msgdef
from rosbags.rosbag2.storage_sqlite3 import Sqlite3Reader
from rosbags.typesys import Stores, get_types_from_idl, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

Decode = Callable[[bytes], Any]
_BUILT_IN = get_types_from_msg('int32 sec\nuint32 nanosec\n', 'builtin_interfaces/msg/Time') | (
    get_types_from_msg('int32 sec\nuint32 nanosec\n', 'builtin_interfaces/msg/Duration'))
_LANGUAGES = {'ros1msg': get_types_from_msg, 'ros2msg': get_types_from_msg,
              'ros2idl': get_types_from_idl}


def has_others(file: Path) -> bool:
    """Return whether an MCAP file has messages that are not encoded as ROS 2 does.

    False where the library mcap is not installed, or cannot read the file.
    """
    try:
        from mcap.reader import make_reader
        with file.open('rb') as stream:
            reader = make_reader(stream)
            if reader.get_header().profile != 'ros2':
                return True
            summary = reader.get_summary()
    except Exception:       # of mcap: of many kinds
        return False
    return summary is None or any(
        channel.message_encoding != 'cdr' for channel in summary.channels.values())


def mending(file: Path) -> str:
    """Return what may be missing where a file is no bag of ROS 2, in words."""
    return '' if file.suffix.lower() != '.mcap' or find_spec('mcap') else (
        '; messages that are not of ROS 2 need the package mcap: pip install mcap')


def mcap_messages(file: Path) -> Iterator[tuple[str, str, int, Decode, bytes]]:
    """Yield (topic, type, received [ns], decode(data), data) of the messages of an MCAP file.

    decode raises what its library does for data that cannot be read.  Raises ValueError for an
    unreadable file, and naming what to install.
    """
    from mcap.reader import make_reader
    decoders: dict[int, Decode] = {}
    with file.open('rb') as stream:
        for schema, channel, message in in_words(
                lambda: make_reader(stream).iter_messages(), 'MCAP'):
            if channel.id not in decoders:
                decoders[channel.id] = _decoder(channel, schema)
            yield (channel.topic, schema.name if schema else channel.message_encoding,
                   message.log_time, decoders[channel.id], message.data)


def in_words(messages: Callable[[], Iterator[Any]], what: str, more: str = '') -> Iterator[Any]:
    """Yield what messages() yields; make a ValueError of whatever a library raises meanwhile."""
    yielded = None
    while True:
        try:
            yielded = messages() if yielded is None else yielded
            one = next(yielded, None)
        except Exception as error:      # of libraries and of decompression: of many kinds
            words = ' '.join(str(error).split()) or type(error).__name__
            raise ValueError(f'not readable as {what}: {words}{more}') from None
        if one is None:
            return
        yield one


def _decoder(channel: Any, schema: Any) -> Decode:
    """Return decode(data) of a channel, which always raises where its encoding is not known."""
    encoding, kind = channel.message_encoding, schema.name if schema else ''
    language = schema.encoding if schema else ''
    if encoding == 'json':
        return lambda data: json.loads(data, object_pairs_hook=_once)
    if encoding == 'protobuf':
        return _protobuf(schema)
    if language not in _LANGUAGES or encoding not in ('cdr', 'ros1'):
        return _refusing(f'{encoding} of {language or "no schema"} is not known')
    name = kind if kind.count('/') == 2 else kind.replace('/', '/msg/')
    try:
        store = get_typestore(Stores.EMPTY)     # a file's types may differ from the installed ones
        store.register(_BUILT_IN | _LANGUAGES[language](schema.data.decode(), name))
    except Exception as error:      # of rosbags: of many kinds
        return _refusing(f'its schema cannot be read: {error}')
    read = store.deserialize_cdr if encoding == 'cdr' else store.deserialize_ros1
    return lambda data: read(data, name)


def _protobuf(schema: Any):
    try:
        from mcap_protobuf.decoder import DecoderFactory
    except ImportError:
        raise ValueError('needs the package mcap-protobuf-support: pip install '
                         'mcap-protobuf-support') from None
    try:
        decode = DecoderFactory().decoder_for('protobuf', schema)
    except Exception as error:      # of protobuf: of many kinds
        return _refusing(f'its schema cannot be read: {error}')
    return decode or _refusing('Protobuf without a schema of Protobuf')


def _refusing(words: str) -> Decode:
    def refuse(_data: bytes):
        raise ValueError(words)
    return refuse


def _once(pairs: Sequence[tuple[str, Any]]):
    """Return the mapping of an object of JSON.  Raises ValueError for a key that is there twice."""
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError('a key is there twice')
    return entries


def ros_messages(bag: Path, types: Typestore) -> Iterator[tuple[str, str, int, Decode, bytes]]:
    """Yield (topic, type, received [ns], decode(data), data) of the messages of a bag.

    types: of ROS 2, where the bag has no definition of a type.  decode raises what rosbags does
    for data that cannot be read, ValueError without a definition.  Raises what rosbags does for a
    damaged bag.
    """
    reader = AnyReader([bag], default_typestore=types)
    for one in reader.readers if reader.is2 else ():
        if bag.is_dir():
            one.storage.STORAGE_PLUGINS = {'mcap': _McapFile, 'sqlite3': Sqlite3Reader}
        elif isinstance(one.storage, McapReader):
            one.storage = _McapFile(bag)
    with reader:
        for connection, received, data in reader.messages():
            kind = connection.msgtype
            yield connection.topic, kind, received, partial(_decoded, reader, types, kind), data


def _decoded(reader: AnyReader, types: Typestore, kind: str, data: bytes) -> Any:
    if kind in reader.typestore.fielddefs:
        return reader.deserialize(data, kind)
    if not reader.is2 or kind not in types.fielddefs:
        raise ValueError('the bag has no definition of this type')
    return types.deserialize_cdr(data, kind)


class _McapFile(McapReader):
    """An mcap file; a definition in an encoding that rosbags does not know does not end it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.schemas = _Schemas()


class _Schemas(dict[int, Schema]):
    """Definitions by number; a recorder of ROS 2 writes `unknown` ones for events of services."""

    def __setitem__(self, number: int, schema: Schema) -> None:
        """Keep a definition, without its content where rosbags does not know its encoding."""
        try:
            get_msgdef(schema)
        except KeyError:
            schema = schema._replace(encoding='', data='')
        super().__setitem__(number, schema)
