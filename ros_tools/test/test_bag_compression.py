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


def test_chunks_of_mcap_files(tmp_path):
    """Presets compress chunks; the metadata do not know."""
    found, sizes = {}, {}
    for name in ('none', 'zstd_fast', 'zstd_small'):
        bag = Path(write_bag(tmp_path / name, 'mcap', 2000, storage_preset_profile=name))
        found[name], sizes[name] = read_bag(bag), (bag / f'{name}_0.mcap').stat().st_size
        assert rosbag2_py.Info().read_metadata(str(bag)).compression_mode == ''
    assert found['zstd_small'] == found['zstd_fast'] == found['none']
    assert sizes['zstd_small'] < sizes['zstd_fast'] < 0.6 * sizes['none']


def test_wrong_options_are_reported(tmp_path):
    """In the user's words."""
    with pytest.raises(RuntimeError, match='must be one of none, fastwrite'):
        write_bag(tmp_path / 'bag', 'mcap', storage_preset_profile='tiny')
    with pytest.raises(RuntimeError, match="'gzip': must be one of zstd"):
        rosbag2_py.SequentialCompressionWriter(rosbag2_py.CompressionOptions('gzip'))
