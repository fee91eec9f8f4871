"""Odd bags, as users and other programs leave them: read as they are, or refused in words."""
from pathlib import Path
import shutil
import sqlite3
import tempfile

from bag_files import (
    START,
    STORAGES,
    bag,
    convert,
    edit,
    expected,
    read_bag,
    reindex,
    ros2_bag,
    unchunked,
    write_bag,
)
from hypothesis import example, given, settings, strategies as st
import pytest
from rclpy.qos import DurabilityPolicy, QoSProfile
from rosbag2_py.metadata import BagError, MetadataIo
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import StoragePlugin, Writer, storage_mcap as mcap
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from sensor_msgs.msg import JointState
import yaml

FOREIGN = 'vendor_msgs/msg/Leg'
FORMS = [(storage, mode) for storage in STORAGES for mode in ('none', 'file', 'message')]
OLD_QOS = """- history: 3
  depth: 0
  reliability: 1
  durability: 2
  deadline: {sec: 2147483647, nsec: 4294967295}
  lifespan: {sec: 2147483647, nsec: 4294967295}
  liveliness: 1
  liveliness_lease_duration: {sec: 2147483647, nsec: 4294967295}
  avoid_ros_namespace_conventions: false"""


def policy(*names):
    """A policy by its name or number."""
    return st.sampled_from(names) | st.sampled_from([name.upper() for name in names]) | (
        st.integers(0, len(names)))


DURATIONS = st.fixed_dictionaries({
    'sec': st.integers(0, 9223372036), 'nsec': st.integers(0, 2 ** 32 - 1)})
PROFILES = st.fixed_dictionaries({
    'history': policy('system_default', 'keep_last', 'keep_all', 'unknown'),
    'depth': st.integers(0, 5000),
    'reliability': policy('system_default', 'reliable', 'best_effort', 'unknown'),
    'durability': policy('system_default', 'transient_local', 'volatile', 'unknown'),
    'deadline': DURATIONS, 'lifespan': DURATIONS,
    'liveliness': policy('system_default', 'automatic', 'manual_by_topic', 'unknown'),
    'liveliness_lease_duration': DURATIONS,
    'avoid_ros_namespace_conventions': st.booleans()})
LISTS = st.lists(PROFILES, max_size=3)
STRANGE = LISTS | LISTS.map(yaml.safe_dump) | st.none() | st.text(max_size=20) | st.lists(
    st.dictionaries(st.sampled_from(['depth', 'history', 'deadline', 'mine']),
                    st.none() | st.integers() | st.text(max_size=5)), max_size=3)


@pytest.fixture(scope='module', params=FORMS, ids=lambda one: '-'.join(one))
def whole(request, tmp_path_factory):
    """A bag of some storage and compression."""
    return bag(tmp_path_factory.mktemp('whole'), *request.param)


@settings(deadline=None, max_examples=30)
@given(in_metadata=st.tuples(STRANGE, STRANGE))
@example(in_metadata=([], OLD_QOS))
@example(in_metadata=([{'reliability': 'best_effort'}], 'my QoS'))
def test_qos_of_metadata_hides_no_message(whole, in_metadata):
    """Whatever was edited there, in any storage and compression."""
    place = Path(tempfile.mkdtemp(prefix='bag_'))
    try:
        folder = place / 'bag'
        shutil.copytree(whole, folder)

        def change(entries):
            for topic, value in zip(entries['topics_with_message_count'], in_metadata,
                                    strict=True):
                topic['topic_metadata']['offered_qos_profiles'] = value

        edit(folder, change)
        assert read_bag(folder) == expected()
    finally:
        shutil.rmtree(place)


@settings(deadline=None, max_examples=30)
@given(in_file=LISTS)
def test_qos_of_a_file_hides_no_message(in_file):
    """Nor do profiles in the storage that metadata.yaml has otherwise."""
    place = Path(tempfile.mkdtemp(prefix='bag_'))
    try:
        folder = bag(place)
        with sqlite3.connect(folder / 'bag_0.db3') as database:
            database.execute('UPDATE topics SET offered_qos_profiles = ?',
                             [yaml.safe_dump(in_file)])
        database.close()
        assert read_bag(folder) == expected()
        assert reindex(folder) == []
        assert read_bag(folder) == expected()
    finally:
        shutil.rmtree(place)


@pytest.mark.parametrize('storage', STORAGES)
def test_convert_has_all_messages_whatever_the_qos(tmp_path, storage):
    folder = edit(bag(tmp_path, storage), lambda entries: [
        topic['topic_metadata'].update(offered_qos_profiles=yaml.safe_load(OLD_QOS))
        for topic in entries['topics_with_message_count']])
    other = STORAGES[STORAGES.index(storage) - 1]
    assert convert(folder, tmp_path / 'new', other) == (0, '')
    assert read_bag(tmp_path / 'new') == expected()


def foreign_bag(folder, storage, definition):
    """Write a bag with a message of a type that is not installed here."""
    types = get_typestore(Stores.ROS2_JAZZY)
    types.register(get_types_from_msg(definition, FOREIGN))
    leg = types.types[FOREIGN]
    with Writer(folder, version=9, storage_plugin=StoragePlugin[storage.upper()]) as writer:
        connection = writer.add_connection('/leg', FOREIGN, typestore=types)
        values = [0.5] * (len(leg.__dataclass_fields__) - 1)
        writer.write(connection, START, types.serialize_cdr(leg(*values), FOREIGN))
    return folder


@pytest.mark.parametrize('storage', STORAGES)
@pytest.mark.parametrize('other', STORAGES)
def test_convert_takes_definitions_of_types_that_are_not_installed(tmp_path, storage, other):
    """Else the new bag could not be read."""
    folder = foreign_bag(tmp_path / 'bag', storage, 'float64 angle\nfloat64 rate\n')
    assert convert(folder, tmp_path / 'new', other) == (0, '')
    with AnyReader([tmp_path / 'new']) as reader:
        (connection, stamp, data), = reader.messages()
        message = reader.deserialize(data, connection.msgtype)
    assert (stamp, message.angle, message.rate) == (START, 0.5, 0.5)


def test_convert_refuses_two_definitions_of_a_type(tmp_path):
    """A comment makes none."""
    bags = [foreign_bag(tmp_path / f'bag{k}', 'mcap', definition) for k, definition in enumerate((
        'float64 angle\n', 'float64 angle   # [rad]\n', 'float64 turn\n'))]
    options = tmp_path / 'options.yaml'
    options.write_text(f'output_bags: [{{uri: {tmp_path / "new"}, all: true}}]')
    assert ros2_bag('convert', '-i', bags[0], '-i', bags[1], '-o', options)[0] == 0
    options.write_text(f'output_bags: [{{uri: {tmp_path / "newer"}, all: true}}]')
    code, _, said = ros2_bag('convert', '-i', bags[0], '-i', bags[2], '-o', options)
    assert code == 1
    assert f'{FOREIGN}: the bags have two definitions of it' in said
    assert not (tmp_path / 'newer').exists()


@settings(deadline=None, max_examples=30)
@given(order=st.permutations(range(6)) | st.just([]))
def test_an_mcap_file_without_index_is_read_in_order(order):
    """As it is written with noChunking, by hand-made recorders, too; with its distribution."""
    place = Path(tempfile.mkdtemp(prefix='bag_'))
    try:
        (place / 'bag').mkdir()
        unchunked(place / 'bag/bag_0.mcap', order)
        texts = [message for message in expected() if message[0] == '/text' and order]
        assert read_bag(place / 'bag/bag_0.mcap') == texts
        assert reindex(place / 'bag') == []
        assert read_bag(place / 'bag') == texts
        assert MetadataIo().read_metadata(place / 'bag').ros_distro == 'iron'
    finally:
        shutil.rmtree(place)


@pytest.mark.parametrize('indexed', [True, False])
@pytest.mark.parametrize('encoding', ['unknown', 'jsonschema'])
def test_a_definition_of_another_encoding_hides_no_message(
        tmp_path, monkeypatch, encoding, indexed):
    """A recorder of ROS 2 writes `unknown` for events of services."""
    write = mcap.write_schema
    monkeypatch.setattr(mcap, 'write_schema', lambda file, schema: write(
        file, schema._replace(encoding=encoding)))
    if indexed:
        file, wanted = bag(tmp_path, 'mcap') / 'bag_0.mcap', expected()
    else:
        (tmp_path / 'bag').mkdir()
        file, wanted = unchunked(tmp_path / 'bag/bag_0.mcap', range(6)), expected()[::2]
        assert reindex(file.parent) == []
    monkeypatch.undo()
    assert read_bag(file) == read_bag(file.parent) == wanted
    assert convert(file.parent, tmp_path / 'new', 'sqlite3') == (0, '')
    assert read_bag(tmp_path / 'new') == wanted


def test_play_plays_all_with_the_qos_that_was_edited(tmp_path, make_node, spin_until):
    """To a reader that would not match the one in the file."""
    folder = edit(bag(tmp_path), lambda entries: [topic['topic_metadata'].update(
        offered_qos_profiles=[{'depth': 20, 'durability': 'transient_local'}])
        for topic in entries['topics_with_message_count']])
    node, received = make_node('listener'), []
    node.create_subscription(JointState, 'joints', received.append, QoSProfile(
        depth=20, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    code, _, said = ros2_bag('play', folder, '--delay', '2')
    spin_until(lambda: len(received) == 6, node)
    assert [message.position[0] for message in received] == [i / 2 for i in range(6)]
    assert (code, 'left out' in said) == (0, False)


@pytest.mark.parametrize('storage', STORAGES)
def test_a_bag_of_several_files(tmp_path, storage):
    """All are read, one after the other, and counted together; a file that lacks is named."""
    folder = bag(tmp_path, storage)
    suffix = next(folder.glob('bag_0.*')).suffix
    other = Path(write_bag(tmp_path / 'other', storage, 9))
    shutil.copy(other / f'other_0{suffix}', folder / f'bag_1{suffix}')
    assert reindex(folder) == []
    assert read_bag(folder) == expected() + expected(9)
    (folder / f'bag_1{suffix}').unlink()
    with pytest.raises(BagError, match=f'bag_1{suffix}: no such file'):
        read_bag(folder)
    code, shown, said = ros2_bag('info', folder)
    assert (code, 'Messages:          30' in shown) == (0, True)
    assert f'bag_1{suffix}: no such file' in said


@pytest.mark.parametrize('storage', STORAGES)
def test_an_empty_bag_has_no_date(tmp_path, storage):
    """Whatever it has for one; it is played, converted and indexed anew."""
    folder = bag(tmp_path, storage, count=0)
    for start in 0, 2 ** 63 - 1:
        edit(folder, lambda entries, start=start: entries.update(
            starting_time={'nanoseconds_since_epoch': start}))
        code, shown, _ = ros2_bag('info', folder)
        assert code == 0
        assert shown.count('no messages') == 2
        assert not {'1970', '2262'} & set(shown.split())
        assert convert(folder, tmp_path / f'new{start}', storage) == (0, '')
    assert ros2_bag('play', folder, '--clock')[0] == 0
    assert reindex(folder) == []
    assert MetadataIo().read_metadata(folder).message_count == 0
    assert read_bag(folder) == []


def test_services_are_counted_apart(tmp_path):
    """By their events, without the files of the bag."""
    folder = bag(tmp_path)

    def change(entries):
        for name, kind, count in (('/weigh/_service_event', 'my_msgs/srv/Weigh_Event', 3),
                                  ('/tare/_service_event', 'my_msgs/srv/Tare_Event', 0)):
            entries['topics_with_message_count'].append({'message_count': count, 'topic_metadata': {
                'name': name, 'type': kind, 'serialization_format': 'cdr',
                'offered_qos_profiles': [], 'type_description_hash': ''}})
        entries['message_count'] += 3

    edit(folder, change)
    next(folder.glob('*.db3')).unlink()
    code, shown, said = ros2_bag('info', folder)
    assert (code, 'bag_0.db3: no such file' in said) == (0, True)
    lines = [' '.join(line.split()) for line in shown.splitlines()]
    assert 'Messages: 12' in lines
    assert 'Services: 2' in lines
    assert ('Service information: Service: /weigh | Type: my_msgs/srv/Weigh | Event Count: 3 | '
            'Serialization Format: cdr') in lines
    assert sum('Topic: ' in line for line in lines) == 2
