"""Messages of bags of ROS 1 and ROS 2, by the definitions that are in the bag."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from rosbags.highlevel import AnyReader
from rosbags.rosbag2.storage_mcap import McapReader, Schema, get_msgdef
from rosbags.rosbag2.storage_sqlite3 import Sqlite3Reader
from rosbags.typesys.store import Typestore

from mb_sensors.imported.mcap_messages import Decode


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
