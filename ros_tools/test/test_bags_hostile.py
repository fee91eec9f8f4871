"""Hostile bags: whatever is in their files, readers get messages or one BagError."""
import copy
from pathlib import Path
import shutil
import subprocess
import sys
import tempfile
import time

from bag_files import read_bag, write_bag
from hypothesis import given, settings, strategies as st
import pytest
from rclpy.qos import DurabilityPolicy, QoSProfile
import rosbag2_py
from rosbag2_py.compression import CompressionMode, CompressionOptions
from rosbag2_py.metadata import BagError
from std_msgs.msg import String
import yaml

MOST = 60       # [byte] that are damaged in one place
BAGS = [('sqlite3', 'none'), ('sqlite3', 'file'), ('mcap', 'none'), ('mcap', 'message')]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from(['sqlite3', 'mcap', 'zstd', 'FILE', 'MESSAGE', '../..', '/etc/passwd']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.text(max_size=3), inner, max_size=3), max_leaves=4)


def bag(folder, storage, mode):
    """A small bag, compressed in this way; its folder."""
    writer = None
    if mode != 'none':
        writer = rosbag2_py.SequentialCompressionWriter(
            CompressionOptions('zstd', CompressionMode[mode.upper()]))
    return Path(write_bag(folder / 'bag', storage, 4, writer))


def apply(data, damages):
    """The bytes after some damages, see `damages`."""
    data = bytearray(data)
    for kind, share, size, fill in damages:
        at = int(share * len(data))
        if kind == 'flip' and data:
            data[min(at, len(data) - 1)] ^= 1 << size % 8
        elif kind == 'cut':
            del data[at:]
        elif kind == 'write':
            data[at:at + size] = (fill * size)[:len(data[at:at + size])]
        elif kind == 'insert':
            data[at:at] = (fill * size)[:size]
        elif kind == 'remove':
            del data[at:at + size]
    return bytes(data)


def damages(kinds=('flip', 'cut', 'write', 'insert', 'remove'), most=3):
    """Lists of (kind, place as a share of the file, size, bytes that are written)."""
    return st.lists(st.tuples(
        st.sampled_from(kinds), st.floats(0.0, 1.0, exclude_max=True), st.integers(1, MOST),
        st.binary(min_size=1, max_size=8)), min_size=1, max_size=most)


class Files(dict):
    """{name: bytes} of the files of a bag."""

    def __repr__(self):
        return f'Files of {", ".join(self)}'


@pytest.fixture(scope='module', params=BAGS, ids=lambda one: '-'.join(one))
def whole(request, tmp_path_factory):
    """The Files of a bag."""
    return Files({path.name: path.read_bytes() for path in
                  bag(tmp_path_factory.mktemp('whole'), *request.param).iterdir()})


def look(path):
    """Do with a bag what commands do."""
    info = rosbag2_py.Info()
    for uri in (path, *path.glob('bag_0*')):
        for act in (info.read_metadata, read_bag):
            words = problem(act, str(uri))
            assert len(words.splitlines()) < 2, words


def problem(act, uri):
    """The words of a BagError, none without one."""
    try:
        act(uri)
    except BagError as error:
        return str(error)
    return ''


def attacked(files, name, content):
    """Look at a bag one of whose files has another content."""
    folder = Path(tempfile.mkdtemp(prefix='bag_'))
    try:
        for other, data in files.items():
            (folder / other).write_bytes(content if other == name else data)
        look(folder)
    finally:
        shutil.rmtree(folder)


@pytest.mark.fuzz
@settings(deadline=None)
@given(st.data())
def test_damaged_files_give_messages_or_words(whole, data):
    """Nothing but BagErrors of one line, whichever file is damaged."""
    name = data.draw(st.sampled_from(sorted(whole)))
    attacked(whole, name, apply(whole[name], data.draw(damages())))


def places(value, path=()):
    """Paths of all values of a document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(
        value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


@pytest.mark.fuzz
@settings(deadline=None)
@given(st.data())
def test_strange_metadata_give_messages_or_words(whole, data):
    """Any value in any place, or no value."""
    document = yaml.safe_load(whole['metadata.yaml'])
    path = data.draw(st.sampled_from([path for path in places(document) if path]))
    parent = document
    for key in path[:-1]:
        parent = parent[key]
    if data.draw(st.booleans()):
        parent[path[-1]] = data.draw(VALUES)
    else:
        del parent[path[-1]]
    attacked(whole, 'metadata.yaml', yaml.safe_dump(document).encode())


def play(path, *arguments):
    """What `ros2 bag` says of a bag, and its exit code."""
    done = subprocess.run([sys.executable, '-m', 'ros2cli.main', 'bag', *arguments, str(path)],
                          text=True, capture_output=True, timeout=60)
    assert 'Traceback' not in done.stderr
    return done.returncode, done.stderr


@pytest.mark.whole
def test_play_leaves_out_damaged_messages(tmp_path, make_node, spin_until):
    """Messages before and behind them come; the number left out is logged."""
    writer = rosbag2_py.SequentialWriter()
    writer.open(rosbag2_py.StorageOptions(str(tmp_path / 'bag')), rosbag2_py.ConverterOptions())
    writer.create_topic(rosbag2_py.TopicMetadata(0, '/text', 'std_msgs/msg/String', 'cdr'))
    for k, data in enumerate([b'', b'\0\1\0\0', b'\0\1\0\0\xff\xff\xff\xff', b'\7' * 30,
                              b'\0\1\0\0\3\0\0\0ab\0']):
        writer.write('/text', data, k)
    writer.close()
    node, received = make_node('listener'), []
    node.create_subscription(String, 'text', lambda message: received.append(message.data), 10)
    time.sleep(0.1)
    code, said = play(tmp_path / 'bag', 'play', '--disable-keyboard-controls', '--delay', '3')
    spin_until(lambda: received == ['ab'], node)
    assert code == 0
    assert "4 damaged messages on '/text' were left out" in said


@pytest.mark.whole
def test_play_leaves_out_topics_that_cannot_be(tmp_path, make_node, spin_until):
    """Whatever their names, types and QoS are; the others are played."""
    folder = Path(write_bag(tmp_path / 'bag', 'mcap', 3))
    document = yaml.safe_load((folder / 'metadata.yaml').read_text())
    topics = document['rosbag2_bagfile_information']['topics_with_message_count']
    for name, kind, depth in [
            ('a b', 'std_msgs/msg/String', 1), ('', 'std_msgs/msg/String', 1),
            ('/x\0', 'std_msgs/msg/String', 1), ('/' + 'a' * 3000, 'std_msgs/msg/String', 1),
            ('/a', 'x', 1), ('/b', '../../x', 1), ('/c', 'os/msg/system', 1), ('/d', '', 1),
            ('/e', 'std_msgs/msg/String', 2 ** 40), ('/f', 'std_msgs/msg/String', -1)]:
        topics.append(copy.deepcopy(topics[0]))
        topics[-1]['topic_metadata'] |= {'name': name, 'type': kind}
        topics[-1]['message_count'] = 0
        topics[-1]['topic_metadata']['offered_qos_profiles'][0]['depth'] = depth
    (folder / 'metadata.yaml').write_text(yaml.safe_dump(document))
    node, received = make_node('listener'), []
    node.create_subscription(String, 'text', lambda message: received.append(message.data),
                             QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    time.sleep(0.1)
    code, said = play(folder, 'play', '--disable-keyboard-controls', '--delay', '3')
    spin_until(lambda: received == ['n0', 'n1', 'n2'], node)
    assert code == 0
    assert said.count('is not played') >= 8


@pytest.mark.parametrize('verb', ['play', 'info', 'reindex'])
def test_verbs_say_in_a_line_what_is_wrong(tmp_path, verb):
    """No traceback, exit code 1."""
    (tmp_path / 'bag').mkdir()
    (tmp_path / 'bag/bag_0.mcap').write_text('these are my notes')
    (tmp_path / 'bag/metadata.yaml').write_text('rosbag2_bagfile_information: [1, 2')
    code, said = play(tmp_path / 'bag', verb)
    assert code == 1
    assert len(said.strip().splitlines()) == 1
    assert (tmp_path / 'bag/bag_0.mcap').read_text() == 'these are my notes'


@pytest.mark.parametrize('text', [
    'output_bags: [3]', 'output_bags: [{storage_id: mcap}]', 'output_bags: [1, 2', 'x: \0',
    'output_bags: [{uri: [a], 3: 4}]', 'output_bags: [{uri: new, 3: 4}]', ''])
def test_options_of_convert_that_cannot_be_are_said_in_a_line(tmp_path, text):
    """No traceback, exit code 1."""
    options = tmp_path / 'options.yaml'
    options.write_text(text)
    code, said = play(options, 'convert', '-i', 'bag', '-o')
    assert code == 1
    assert len(said.strip().splitlines()) == 1


def test_convert_leaves_no_half_bag(tmp_path):
    """Nor where its input is damaged in the middle."""
    source = Path(write_bag(tmp_path / 'source', 'sqlite3', 2000))
    file = source / 'source_0.db3'
    data = bytearray(file.read_bytes())
    data[len(data) // 2:len(data) // 2 + 20000] = b'\xff' * 20000
    file.write_bytes(data)
    options = tmp_path / 'options.yaml'
    options.write_text(f'output_bags: [{{uri: {tmp_path}/new, storage_id: mcap, all: true}}]')
    done = subprocess.run([sys.executable, '-m', 'ros2cli.main', 'bag', 'convert', '-i',
                           str(source), '-o', str(options)], text=True, capture_output=True)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / 'new').exists()
