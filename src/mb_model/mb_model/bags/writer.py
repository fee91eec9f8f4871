"""New bags, which appear as a whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
import sqlite3
from typing import Literal

from rosbags.interfaces import (
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

from mb_model.bags.messages import BagError, in_words
from mb_model.files import whole_folder

STORAGES = {'mcap': StoragePlugin.MCAP, 'sqlite3': StoragePlugin.SQLITE3}
COMPRESSIONS = {'none': CompressionMode.NONE, 'file': CompressionMode.FILE,
                'message': CompressionMode.MESSAGE}
_FORMAT: Literal[9] = 9             # of rosbag2 since Jazzy
_FOREVER = QosTime(9223372036, 854775807)


@contextmanager
def new_bag(folder: str | Path, storage: str = 'mcap',
            compression: str = 'none') -> Iterator[Writer]:
    """Open a Writer of a new bag, which is there once it is complete.

    Raises FileExistsError, OSError, ValueError for an unknown storage, BagError.
    """
    if storage not in STORAGES:
        raise ValueError(f'storage: {storage}: unknown, expected one of {", ".join(STORAGES)}')
    if Path(folder).exists():
        raise FileExistsError(f'{folder}: already exists')
    try:
        with whole_folder(folder) as path:
            writer = Writer(path, version=_FORMAT, storage_plugin=STORAGES[storage])
            writer.set_compression(COMPRESSIONS[compression], CompressionFormat.ZSTD)
            with writer:
                yield writer
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
