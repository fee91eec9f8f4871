"""New bags, which appear as a whole or not at all."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
import sqlite3
from typing import Any, Literal

from rosbags.interfaces import (
    Connection,
    Qos,
    QosDurability,
    QosHistory,
    QosLiveliness,
    QosReliability,
    QosTime,
)
from rosbags.rosbag2 import CompressionMode, StoragePlugin, Writer
from rosbags.rosbag2.enums import CompressionFormat
from rosbags.rosbag2.errors import WriterError
from rosbags.typesys.store import Typestore

from mb_model.bags.encoding import Encoder
from mb_model.bags.messages import BagError, in_words, message_types
from mb_model.bags.storage import McapFile
from mb_model.files.whole import whole_folder

STORAGES = {'mcap': StoragePlugin.MCAP, 'sqlite3': StoragePlugin.SQLITE3}
COMPRESSIONS = {'none': CompressionMode.NONE, 'file': CompressionMode.FILE,
                'message': CompressionMode.MESSAGE}
_FORMAT: Literal[9] = 9             # of rosbag2 since Jazzy
_FOREVER = QosTime(9223372036, 854775807)


class NewBag:
    """A bag that is being written.

    types: of messages that are known.
    """

    def __init__(self, writer: Writer, types: Typestore) -> None:
        """Set up for an open Writer."""
        self._writer, self.types, self._encoder = writer, types, Encoder(types)
        self._connections: dict[str, Connection] = {}

    def add_topic(self, topic: str, kind: str, depth: int = 1000) -> None:
        """Add a topic with messages of a type; depth: how many a late reader of it gets."""
        self._connections[topic] = self._writer.add_connection(
            topic, kind, typestore=self.types, offered_qos_profiles=[reliable(depth)])

    def write(self, topic: str, arrival: int, message: Any) -> None:
        """Write a message of `types`, of rosbags or of rclpy, at an arrival [ns].

        Raises ValueError for an array of fixed length that has another.
        """
        self.write_encoded(topic, arrival, self.encoded(
            message, self._connections[topic].msgtype))

    def encoded(self, message: Any, kind: str) -> bytes:
        """Return the bytes of a message of a type; see `write`."""
        return self._encoder.encoded(message, kind)

    def write_encoded(self, topic: str, arrival: int, data: bytes) -> None:
        """Write the bytes of a message at an arrival [ns]."""
        self._writer.write(self._connections[topic], arrival, data)


@contextmanager
def new_bag(folder: str | Path, storage: str = 'mcap', compression: str = 'none',
            types: Iterable[str] = ()) -> Iterator[NewBag]:
    """Open a NewBag, which is in its folder once it is complete.

    types: names of messages of mb_interfaces, beside MechanismState.  Raises FileExistsError,
    OSError, ValueError for an unknown storage, BagError.
    """
    if storage not in STORAGES:
        raise ValueError(f'storage: {storage}: unknown, expected one of {", ".join(STORAGES)}')
    if Path(folder).exists():
        raise FileExistsError(f'{folder}: already exists')
    try:
        with whole_folder(folder) as path:
            writer = Writer(path, version=_FORMAT, storage_plugin=STORAGES[storage])
            writer.STORAGE_PLUGINS = {**writer.STORAGE_PLUGINS, StoragePlugin.MCAP: McapFile}
            writer.set_compression(COMPRESSIONS[compression], CompressionFormat.ZSTD)
            with writer:
                yield NewBag(writer, message_types(*types))
    except (WriterError, sqlite3.Error) as error:
        raise BagError(f'{folder}: cannot be written: {in_words(error)}') from None
    except OSError as error:
        if error.filename is None:      # of a file that was open, such as on a full disk
            raise BagError(f'{folder}: cannot be written: {error.strerror}') from None
        raise


def reliable(depth: int) -> Qos:
    """Return the QoS of topics that lose nothing, late readers served."""
    return Qos(QosHistory.KEEP_LAST, depth, QosReliability.RELIABLE, QosDurability.TRANSIENT_LOCAL,
               _FOREVER, _FOREVER, QosLiveliness.AUTOMATIC, _FOREVER, False)
