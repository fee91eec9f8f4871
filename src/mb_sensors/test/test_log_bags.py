"""Bags of messages of other types as tables: numbers by field path, of types not installed."""

import numpy as np
import pytest
from rosbags.rosbag2 import StoragePlugin, Writer, storage_mcap
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from mb_sensors.imported.bag_tables import bag_frame
from mb_sensors.imported.columns import read_columns
from mb_sensors.imported.log import read_log
from mb_sensors.imported.table import LogError, read_tables
from mb_sensors.imported.text_form import TextSettings

LEG = 'vendor_msgs/msg/Leg'
COLUMNS = """
mechanism: four_bar
time: {column: stamp_ns}
sensors: {crank_encoder: '/leg.joint.angle', coupler_gyro: '/joint_states.velocity[coupler]'}
"""


def bag_of(folder, messages, storage, parts=lambda stamp: divmod(stamp, 10 ** 9)):
    """Write a bag of (topic, received [ns], stamp [ns], numbers)."""
    types = get_typestore(Stores.ROS2_JAZZY)
    types.register(get_types_from_msg('float64 angle\nuint8 flag\n', 'vendor_msgs/msg/Joint'))
    types.register(get_types_from_msg(
        'std_msgs/Header header\nvendor_msgs/Joint joint\nfloat32[2] force\nstring note\n'
        'uint8[] image\n', LEG))
    make = types.types
    connections = {}
    with Writer(folder, version=9, storage_plugin=storage) as writer:
        for topic, received, stamp, numbers in messages:
            header = make['std_msgs/msg/Header'](make['builtin_interfaces/msg/Time'](
                *parts(stamp)), 'frame')
            if topic == '/leg':
                kind, message = LEG, make[LEG](
                    header, make['vendor_msgs/msg/Joint'](numbers[0], 1),
                    np.array(numbers[1:], np.float32), 'x', np.zeros(1000, np.uint8))
            else:
                kind = 'sensor_msgs/msg/JointState'
                none = np.zeros(0)
                message = make[kind](header, ['crank', 'coupler'], none, np.array(numbers), none)
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, kind, typestore=types)
            writer.write(connections[topic], received, types.serialize_cdr(message, kind))
    return folder


@pytest.mark.parametrize('storage', [StoragePlugin.MCAP, StoragePlugin.SQLITE3])
@pytest.mark.parametrize('single', [False, True])
def test_fields_are_columns(tmp_path, storage, single):
    """At the stamps of headers, or when a message without one was received."""
    ms = 10 ** 6
    bag = bag_of(tmp_path / 'bag', [
        ('/leg', 5003 * ms, 5000 * ms, (0.5, 1.0, 2.0)),
        ('/joint_states', 5004 * ms, 5000 * ms, (7.0, 8.0)),
        ('/leg', 5013 * ms, 5010 * ms, (0.75, 3.0, 4.0)),
        ('/joint_states', 5015 * ms, 0, (9.0, 10.0))], storage)
    file, = bag.glob('*.mcap') if storage is StoragePlugin.MCAP else bag.glob('*.db3')
    if single and storage is StoragePlugin.SQLITE3:
        bag = file                                  # its types are with the storage, too
    elif single:
        bag = file.rename(tmp_path / 'alone.mcap')
    (tmp_path / 'columns.yaml').write_text(COLUMNS)
    log = read_log(bag, read_columns(tmp_path / 'columns.yaml'))
    assert log.stamps.tolist() == [5000 * ms, 5010 * ms, 5015 * ms]
    np.testing.assert_array_equal(log.values, [[0.5, 8.0], [0.75, np.nan], [np.nan, 10.0]])
    assert '/leg.force[1]' in log.table.frame
    assert not any('image' in name or 'note' in name for name in log.table.frame)


@pytest.mark.parametrize('single', [False, True])
@pytest.mark.parametrize('others', [0, 1])
def test_a_type_without_a_definition_is_left_out_in_words(tmp_path, monkeypatch, others, single):
    """A recorder of ROS 2 writes the encoding `unknown` for events of services; known is known."""
    write = storage_mcap.write_schema
    monkeypatch.setattr(storage_mcap, 'write_schema', lambda file, schema: write(
        file, schema if schema.name == LEG and others else schema._replace(encoding='unknown')))
    bag = bag_of(tmp_path / 'bag', [('/leg', 5, 5, (0.5, 1.0, 2.0)),
                                    ('/joint_states', 5, 5, (7.0, 8.0))], StoragePlugin.MCAP)
    monkeypatch.undo()
    if single:
        file, = bag.glob('*.mcap')
        bag = file.rename(tmp_path / 'alone.mcap')
    frame, remarks = bag_frame(bag)
    assert frame['/joint_states.velocity[coupler]'].tolist() == [8.0]
    assert ('/leg.joint.angle' in frame) == bool(others)
    assert remarks == ([] if others else [
        f'left out: 1 messages of /leg ({LEG}): the bag has no definition of this type'])


def test_two_messages_of_a_stamp_are_refused(tmp_path):
    """Which of them would count?"""
    bag = bag_of(tmp_path / 'bag', [('/leg', 1, 5, (1.0, 2.0, 3.0)),
                                    ('/leg', 2, 5, (2.0, 2.0, 3.0))], StoragePlugin.MCAP)
    with pytest.raises(LogError, match='bag: /leg: two messages of one stamp'):
        read_tables([bag], TextSettings())


@pytest.mark.parametrize('name', ['x.mcap', 'x.db3', 'x.bag', 'folder'])
@pytest.mark.parametrize('content', [b'', b'no bag at all' * 100])
def test_what_is_no_bag_is_refused_in_words(tmp_path, name, content):
    place = tmp_path / name
    if name == 'folder':
        place.mkdir()
    else:
        place.write_bytes(content)
    with pytest.raises(LogError, match=name) as error:
        read_tables([place], TextSettings())
    assert '\n' not in str(error.value)
