"""Compressed bags: files and messages as rosbag2 names and frames them, chunks of mcap files."""
from pathlib import Path
import sqlite3

from bag_files import STORAGES, read_bag, write_bag
import pytest
import rosbag2_py
from rosbag2_py.compression import zstd
from rosbags.rosbag2 import Reader
import yaml

MODES = ['file', 'message']


def compressed(path, storage, mode, **options):
    """A bag that is compressed."""
    return Path(write_bag(path, storage, writer=rosbag2_py.SequentialCompressionWriter(
        rosbag2_py.CompressionOptions('zstd', rosbag2_py.compression_mode_from_string(mode))),
        **options))


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('storage', STORAGES)
def test_messages_come_back(tmp_path, storage, mode):
    """To us and to another implementation, with the names and metadata of rosbag2."""
    plain = read_bag(write_bag(tmp_path / 'plain', storage))
    bag = compressed(tmp_path / 'bag', storage, mode)
    suffix = {'sqlite3': 'db3', 'mcap': 'mcap'}[storage] + ('.zstd' if mode == 'file' else '')
    assert sorted(path.name for path in bag.iterdir()) == [f'bag_0.{suffix}', 'metadata.yaml']
    metadata = yaml.safe_load((bag / 'metadata.yaml').read_text())['rosbag2_bagfile_information']
    assert (metadata['compression_format'], metadata['compression_mode']) == ('zstd', mode.upper())
    assert metadata['relative_file_paths'] == [metadata['files'][0]['path']] == [f'bag_0.{suffix}']
    assert read_bag(bag) == plain
    with Reader(bag) as reader:
        assert [(c.topic, data, stamp) for c, stamp, data in reader.messages()] == plain


def test_frames_have_their_size(tmp_path):
    """As the decompressors of rosbag2 ask for."""
    bag = compressed(tmp_path / 'file', 'sqlite3', 'file')
    frame = (bag / 'file_0.db3.zstd').read_bytes()
    assert zstd.get_frame_info(frame).decompressed_size == len(zstd.decompress(frame))
    bag = compressed(tmp_path / 'message', 'sqlite3', 'message')
    plain = [data for _, data, _ in read_bag(write_bag(tmp_path / 'plain'))]
    rows = sqlite3.connect(bag / 'message_0.db3').execute('SELECT data FROM messages ORDER BY id')
    for (frame,), data in zip(rows, plain, strict=True):
        assert zstd.get_frame_info(frame).decompressed_size == len(data)
        assert zstd.decompress(frame) == data


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('storage', STORAGES)
def test_split_and_reindexed(tmp_path, storage, mode):
    """Metadata are made anew of what the files are."""
    bag = compressed(tmp_path / 'bag', storage, mode, max_bagfile_duration=1)
    before = rosbag2_py.Info().read_metadata(str(bag), storage)
    assert len(before.files) == 2
    (bag / 'metadata.yaml').unlink()
    rosbag2_py.Reindexer().reindex(rosbag2_py.StorageOptions(uri=str(bag)))
    after = rosbag2_py.Info().read_metadata(str(bag), storage)
    assert (after.compression_format, after.compression_mode) == ('zstd', mode.upper())
    assert (after.message_count, after.files) == (before.message_count, before.files)
    assert len(read_bag(bag)) == 40


def test_chunks_of_mcap_files(tmp_path):
    """Presets and configuration files compress chunks; the metadata do not know."""
    config = tmp_path / 'mcap.yaml'
    config.write_text('{compression: Lz4, compressionLevel: Fast, chunkSize: 4096}')
    bags = {'none': {}, 'zstd_fast': {'storage_preset_profile': 'zstd_fast'},
            'zstd_small': {'storage_preset_profile': 'zstd_small'},
            'lz4': {'storage_config_uri': str(config)}}
    found, sizes = {}, {}
    for name, options in bags.items():
        bag = Path(write_bag(tmp_path / name, 'mcap', 2000, **options))
        found[name], sizes[name] = read_bag(bag), (bag / f'{name}_0.mcap').stat().st_size
        assert rosbag2_py.Info().read_metadata(str(bag)).compression_mode == ''
    assert all(messages == found['none'] for messages in found.values())
    assert sizes['zstd_small'] < sizes['zstd_fast'] < 0.6 * sizes['none']
    assert sizes['lz4'] < 0.8 * sizes['none']


@pytest.mark.parametrize(('options', 'message'), [
    ({'storage_preset_profile': 'tiny'}, 'must be one of none, fastwrite'),
    ({'storage_config_uri': 'wrong.yaml'}, 'compresion: no such option')])
def test_wrong_options_are_reported(tmp_path, monkeypatch, options, message):
    """In the user's words."""
    monkeypatch.chdir(tmp_path)
    Path('wrong.yaml').write_text('compresion: Zstd')
    with pytest.raises(RuntimeError, match=message):
        write_bag(tmp_path / 'bag', 'mcap', **options)
    with pytest.raises(RuntimeError, match="'gzip': must be one of zstd"):
        rosbag2_py.SequentialCompressionWriter(rosbag2_py.CompressionOptions('gzip'))
