"""Bags: reading, writing, recording and playing, with sqlite3 or mcap storage."""
from rosbag2_py.compression import (
    FORMATS,
    CompressionMode,
    CompressionOptions,
    compression_mode_from_string,
    compression_mode_to_string,
)
from rosbag2_py.definitions import MessageDefinition
from rosbag2_py.info import Info
from rosbag2_py.metadata import (
    BagMetadata,
    FileInformation,
    MetadataIo,
    TopicInformation,
    TopicMetadata,
)
from rosbag2_py.options import (
    ConverterOptions,
    ReadOrder,
    ReadOrderSortBy,
    StorageFilter,
    StorageOptions,
)
from rosbag2_py.reader import SequentialCompressionReader, SequentialReader
from rosbag2_py.writer import (
    DEFAULT_STORAGE,
    STORAGES,
    SequentialCompressionWriter,
    SequentialWriter,
)

__all__ = [
    'BagMetadata',
    'CompressionMode',
    'CompressionOptions',
    'ConverterOptions',
    'FileInformation',
    'Info',
    'MessageDefinition',
    'MetadataIo',
    'PlayOptions',
    'Player',
    'ReadOrder',
    'ReadOrderSortBy',
    'RecordOptions',
    'Recorder',
    'Reindexer',
    'SequentialCompressionReader',
    'SequentialCompressionWriter',
    'SequentialReader',
    'SequentialWriter',
    'StorageFilter',
    'StorageOptions',
    'TopicInformation',
    'TopicMetadata',
    'compression_mode_from_string',
    'compression_mode_to_string',
    'get_default_storage_id',
    'get_registered_compressors',
    'get_registered_readers',
    'get_registered_serializers',
    'get_registered_writers',
]

_LATER = {'Player': 'player', 'PlayOptions': 'play_options', 'Recorder': 'recorder',
          'RecordOptions': 'record_options', 'Reindexer': 'reindexer'}


def __getattr__(name):
    """Import what needs rclpy only when it is asked for."""
    if name not in _LATER:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from importlib import import_module
    return getattr(import_module(f'rosbag2_py.{_LATER[name]}'), name)


def get_default_storage_id():
    """The storage bags are written with if none is named."""
    return DEFAULT_STORAGE


def get_registered_writers():
    """Names of the storages that can be written."""
    return set(STORAGES)


def get_registered_readers():
    """Names of the storages that can be read."""
    return set(STORAGES)


def get_registered_compressors():
    """Names of the compression formats."""
    return set(FORMATS)


def get_registered_serializers():
    """Names of the serialization formats."""
    return {'cdr'}
