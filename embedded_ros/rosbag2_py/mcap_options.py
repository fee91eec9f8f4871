"""How mcap files are written: by the name of a preset, or by a file of options."""
from dataclasses import dataclass
from functools import partial

from lz4 import frame as lz4
import yaml

from rosbag2_py.compression import zstd
from rosbag2_py.metadata import BagError

PRESETS = {'none': {}, 'fastwrite': {},
           'zstd_fast': {'compression': 'Zstd', 'compressionLevel': 'Fastest'},
           'zstd_small': {'compression': 'Zstd', 'compressionLevel': 'Slowest',
                          'chunkSize': 4 * 2 ** 20}}
LEVELS = {      # of the names of levels: for lz4, for zstd
    'Fastest': (-5, -5), 'Fast': (0, 1), 'Default': (0, 3), 'Slow': (6, 10), 'Slowest': (12, 19)}
# What only leaves out checksums or indices, which readers have to do without here anyway.
OTHERS = ('noChunkCRC', 'noAttachmentCRC', 'enableDataCRC', 'noChunking', 'noMessageIndex',
          'noSummary', 'noSummaryCRC', 'forceCompression', 'noRepeatedSchemas',
          'noRepeatedChannels', 'noAttachmentIndex', 'noMetadataIndex', 'noChunkIndex',
          'noStatistics', 'noSummaryOffsets')


@dataclass(frozen=True)
class McapOptions:
    """Compression of chunks by its name in the file, and their size [byte]."""

    compression: str = ''
    level: str = 'Default'
    chunk_size: int = 2 ** 20

    def compress(self, chunk):
        """A chunk as it is written."""
        return self._compressor()(chunk)

    def _compressor(self):
        if not self.compression:
            return bytes
        low, high = LEVELS[self.level]
        if self.compression == 'lz4':
            return partial(lz4.compress, compression_level=low)
        return partial(zstd.compress, level=high)


def mcap_options(preset, file):
    """The McapOptions of a preset and of a YAML file, which counts more.  Raises BagError."""
    if (preset or 'none') not in PRESETS:
        raise BagError(f'storage preset profile {preset!r} of mcap: must be one of '
                       f'{", ".join(PRESETS)}')
    given = {**PRESETS[preset or 'none'], **_read(file)}
    unknown = set(given) - {'compression', 'compressionLevel', 'chunkSize', *OTHERS}
    if unknown:
        raise BagError(f'{file}: {", ".join(sorted(unknown))}: no such option of mcap')
    compression, level = given.get('compression', 'None'), given.get('compressionLevel', 'Default')
    if compression not in ('None', 'Lz4', 'Zstd'):
        raise BagError(f'{file}: compression: {compression!r} must be None, Lz4 or Zstd')
    if level not in LEVELS:
        raise BagError(f'{file}: compressionLevel: {level!r} must be one of {", ".join(LEVELS)}')
    return McapOptions('' if compression == 'None' else compression.lower(), level,
                       int(given.get('chunkSize', McapOptions.chunk_size)))


def _read(file):
    if not file:
        return {}
    try:
        with open(file, encoding='utf-8') as handle:
            options = yaml.safe_load(handle) or {}
    except (OSError, yaml.YAMLError) as error:
        raise BagError(f'{file}: {error}') from None
    if not isinstance(options, dict):
        raise BagError(f'{file}: must be a mapping of options')
    return options
