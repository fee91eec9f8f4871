"""What `ros2 bag reindex` keeps, and what it says where nothing is known."""
from collections import Counter
from pathlib import Path
import re
import sqlite3

from bag_files import (
    STORAGES,
    bag,
    convert,
    edit,
    read_bag,
    reindex,
    ros2_bag,
    unchunked,
)
import pytest
from rosbag2_py.metadata import ROS_DISTRO, MetadataIo, distribution_of


@pytest.mark.parametrize('storage', STORAGES)
def test_reindex_keeps_distribution_and_custom_data(tmp_path, storage):
    """Of metadata.yaml, else of the file; a distribution that nothing names is unknown."""
    folder, custom = bag(tmp_path, storage), {'operator': 'Ada', 'site': 'quarry'}
    edit(folder, lambda entries: entries.update(ros_distro='humble', custom_data=custom))
    assert reindex(folder) == []
    found = MetadataIo().read_metadata(folder)
    assert (found.ros_distro, found.custom_data) == ('humble', custom)
    if storage == 'mcap':
        folder.joinpath('metadata.yaml').unlink()
        file = folder / 'bag_0.mcap'
        text = file.read_bytes()
        own, other = f'ros_distro: {ROS_DISTRO}'.encode(), 'x' * len(ROS_DISTRO)
        assert text.count(own) == 1
        file.write_bytes(text.replace(own, f'ros_distro: {other}'.encode()))
        assert reindex(folder) == []
        assert MetadataIo().read_metadata(folder).ros_distro == other
        file.write_bytes(text.replace(own, f'new_distro: {other}'.encode()))
    else:
        for distro, known in ('iron', 'iron'), ('', 'unknown'):
            folder.joinpath('metadata.yaml').unlink()
            with sqlite3.connect(folder / 'bag_0.db3') as database:
                database.execute('UPDATE schema SET ros_distro = ?', [distro])
                database.execute('DELETE FROM metadata')
            database.close()
            assert reindex(folder) == []
            assert MetadataIo().read_metadata(folder).ros_distro == known
    folder.joinpath('metadata.yaml').unlink()
    assert reindex(folder) == []
    assert MetadataIo().read_metadata(folder).ros_distro == 'unknown'


def test_a_new_bag_names_the_distribution_that_is_installed():
    """Not the one of other wheels, nor one that is not known."""
    for wheels in Path(__file__).parents[1].glob('wheels/*.txt'):
        pinned = re.search(r'^ros-rclpy==([\d.]+)', wheels.read_text(), re.MULTILINE)
        assert distribution_of(pinned[1]) == wheels.stem
    assert distribution_of('99.0') == 'unknown'


def test_a_cut_file_keeps_its_distribution(tmp_path):
    """A recorder of ROS 2 writes it first."""
    unchunked(tmp_path / 'bag_0.mcap', range(6))
    data = (tmp_path / 'bag_0.mcap').read_bytes()
    (tmp_path / 'bag_0.mcap').write_bytes(data[:-60])
    assert 'incomplete' in reindex(tmp_path)[0]
    assert Counter(topic for topic, *_ in read_bag(tmp_path)) == {'/text': 5}
    assert MetadataIo().read_metadata(tmp_path).ros_distro == 'iron'


@pytest.mark.parametrize('storage', STORAGES)
def test_missing_metadata_name_what_writes_them(tmp_path, storage):
    folder = bag(tmp_path, storage)
    (folder / 'metadata.yaml').unlink()
    for code, said in (convert(folder, tmp_path / 'new', 'mcap'), *(
            ros2_bag(verb, folder)[::2] for verb in ('info', 'play'))):
        assert (code, '`ros2 bag reindex` writes it' in said) == (1, True)
        assert len(said.strip().splitlines()) == 1


@pytest.mark.parametrize('name', ['metadata.yaml', 'metadata.yaml.part', '.bag_0.mcap.scanned',
                                  '.bag_0.mcap.new', 'bag_0.mcap.damaged'])
def test_links_in_a_bag_are_not_followed(tmp_path, name):
    """A bag from elsewhere has them to files of its reader, which stay as they are."""
    folder, precious = bag(tmp_path, 'mcap'), tmp_path / 'precious'
    precious.write_text('precious')
    file = folder / 'bag_0.mcap'
    file.write_bytes(file.read_bytes()[:-20])       # as after a crash
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(precious)
    reindex(folder)
    assert len(read_bag(folder)) == 12
    assert precious.read_text() == 'precious'
    assert not (folder / 'metadata.yaml').is_symlink()
    assert not list(folder.glob('.part_*'))
