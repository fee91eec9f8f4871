"""Bags: reading, writing, recording and playing, with sqlite3 or mcap storage."""
from ros_tools import missing_in
from rosbag2_py.compression import (
    CompressionMode,
    CompressionOptions,
    compression_mode_from_string,
)
from rosbag2_py.metadata import (
    BagMetadata,
    FileInformation,
    MetadataIo,
    TopicInformation,
    TopicMetadata,
)
from rosbag2_py.options import (
    ConverterOptions,
    PlayOptions,
    RecordOptions,
    StorageFilter,
    StorageOptions,
)
from rosbag2_py.reader import Info, SequentialCompressionReader, SequentialReader
from rosbag2_py.writer import SequentialCompressionWriter, SequentialWriter

__all__ = [
    'BagMetadata',
    'CompressionMode',
    'CompressionOptions',
    'ConverterOptions',
    'FileInformation',
    'Info',
    'MetadataIo',
    'PlayOptions',
    'Player',
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
]

_LATER = {'Player': 'player', 'Recorder': 'recorder', 'Reindexer': 'reindexer'}


def __getattr__(name):
    """Import what needs rclpy only when it is asked for."""
    if name not in _LATER:
        return missing_in(__name__)(name)
    from importlib import import_module
    return getattr(import_module(f'rosbag2_py.{_LATER[name]}'), name)
