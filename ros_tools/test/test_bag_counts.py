"""What a bag states of itself is compared with what is in its files."""
import sqlite3

from bag_files import (
    STORAGES,
    bag,
    convert,
    edit,
    expected,
    read_bag,
    reindex,
    ros2_bag,
)
import pytest
from rosbag2_py.metadata import BagError


def one_more(entries):
    entries['topics_with_message_count'][1]['message_count'] += 1
    entries['message_count'] += 1


def one_less(entries):
    entries['topics_with_message_count'][1]['message_count'] -= 1
    entries['message_count'] -= 1


def another_type(entries):
    entries['topics_with_message_count'][1]['topic_metadata']['type'] = 'std_msgs/msg/Int32'


def a_topic_less(entries):
    entries['message_count'] -= entries['topics_with_message_count'].pop(1)['message_count']


def another_sum(entries):
    entries['message_count'] += 7


@pytest.mark.parametrize('storage', STORAGES)
@pytest.mark.parametrize(('change', 'words'), [
    (one_more, '/joints (sensor_msgs/msg/JointState): 6 messages, not 7'),
    (one_less, '/joints (sensor_msgs/msg/JointState): 6 messages, not 5'),
    (another_type, '/joints (std_msgs/msg/Int32): 0 messages, not 6'),
    (a_topic_less, '/joints (sensor_msgs/msg/JointState): 6 messages, not 0'),
    (another_sum, 'all topics: 12 messages, not 19')])
def test_counts_that_are_not_true_are_an_error(tmp_path, storage, change, words):
    """Of every verb that reads a bag; `reindex` mends it."""
    folder = edit(bag(tmp_path, storage), change)
    with pytest.raises(BagError, match='ros2 bag reindex'):
        read_bag(folder)
    code, said = convert(folder, tmp_path / 'new', 'sqlite3')
    assert (code, words in said, (tmp_path / 'new').exists()) == (1, True, False)
    for verb in 'play', 'info':
        code, _, said = ros2_bag(verb, folder)
        assert (code, words in said) == (1, True)
        assert len(said.strip().splitlines()) == 1
        assert 'damaged' not in said
    assert reindex(folder) == []
    assert read_bag(folder) == expected()
    assert ros2_bag('info', folder)[0] == 0


def test_messages_of_no_topic_are_an_error(tmp_path):
    """A file of whose topics one was removed by hand."""
    folder = bag(tmp_path)
    with sqlite3.connect(folder / 'bag_0.db3') as database:
        database.execute("DELETE FROM topics WHERE name = '/joints'")
    database.close()
    with pytest.raises(BagError, match=r'/joints .*: 0 messages, not 6'):
        read_bag(folder)


def statistics_at(data):
    """Where the content of the statistics of an mcap file begins."""
    at = 8
    while data[at] != 0x0B:
        at += 9 + int.from_bytes(data[at + 1:at + 9], 'little')
    return at + 9


@pytest.mark.parametrize('place', [0, 26, 34, 48],
                         ids=['count', 'start', 'end', 'count of a topic'])
def test_statistics_are_compared_with_messages(tmp_path, place):
    """Of an mcap file alone, and below its metadata; `reindex` mends them."""
    folder = bag(tmp_path, 'mcap')
    file = folder / 'bag_0.mcap'
    data = bytearray(file.read_bytes())
    at = statistics_at(data) + place
    data[at:at + 8] = (int.from_bytes(data[at:at + 8], 'little') - 1).to_bytes(8, 'little')
    file.write_bytes(data)
    for path in file, folder:
        code, _, said = ros2_bag('info', path)
        assert (code, 'its statistics do not fit its 12 messages' in said) == (1, True)
    with pytest.raises(BagError, match='statistics'):
        read_bag(folder)
    assert reindex(folder) == []
    assert read_bag(folder) == expected()
    assert ros2_bag('info', file)[0] == 0


@pytest.mark.parametrize('share', [0.3, 0.9])
def test_a_cut_file_below_whole_metadata_is_an_error(tmp_path, share):
    """Not a bag with fewer messages."""
    for storage in STORAGES:
        (tmp_path / storage).mkdir()
        folder = bag(tmp_path / storage, storage, count=2000)
        file = next(path for path in folder.iterdir() if path.name != 'metadata.yaml')
        file.write_bytes(file.read_bytes()[:int(share * file.stat().st_size)])
        with pytest.raises(BagError):
            read_bag(folder)
        assert convert(folder, tmp_path / storage / 'new', 'mcap')[0] == 1
        assert ros2_bag('info', folder)[0] == 1
