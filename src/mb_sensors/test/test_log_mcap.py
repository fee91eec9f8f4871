"""MCAP files of JSON, Protobuf and ROS 1, written by the libraries of their makers."""

import json
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, timestamp_pb2
from hypothesis import given, settings, strategies as st
from mcap.writer import Writer as McapWriter
from mcap_protobuf.writer import Writer as ProtobufWriter
import numpy as np
import pandas as pd
import pytest
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from mb_sensors.imported.columns import read_columns
from mb_sensors.imported.log import read_log
from mb_sensors.imported.table import LogError, read_tables
from mb_sensors.imported.text_form import TextSettings

MS = 10 ** 6
LEG = 'float64 angle\nfloat32[2] force\nstring note\n'


def json_file(file, messages, schema=b'{"type": "object"}'):
    """Write an MCAP file of (topic, received [ns], object or bytes)."""
    with file.open('wb') as stream:
        writer = McapWriter(stream)
        writer.start()
        kind = writer.register_schema('Leg', 'jsonschema', schema)
        channels = {}
        for topic, received, message in messages:
            if topic not in channels:
                channels[topic] = writer.register_channel(topic, 'json', kind)
            data = message if isinstance(message, bytes) else json.dumps(message).encode()
            writer.add_message(channels[topic], received, data, received)
        writer.finish()
    return file


def leg_class():
    """Return the class of a message of Protobuf that nests, repeats, and has optional fields."""
    file = descriptor_pb2.FileDescriptorProto(
        name='leg.proto', package='vendor', syntax='proto3',
        dependency=['google/protobuf/timestamp.proto'])
    joint = file.message_type.add(name='Joint')
    joint.field.add(name='angle', number=1, type=1, label=1)
    joint.oneof_decl.add(name='_rate')
    joint.field.add(name='rate', number=2, type=1, label=1, oneof_index=0, proto3_optional=True)
    leg = file.message_type.add(name='Leg')
    leg.field.add(name='timestamp', number=1, type=11, label=1,
                  type_name='.google.protobuf.Timestamp')
    leg.field.add(name='joint', number=2, type=11, label=1, type_name='.vendor.Joint')
    leg.field.add(name='force', number=3, type=2, label=3)
    leg.field.add(name='name', number=4, type=9, label=3)
    leg.field.add(name='position', number=5, type=1, label=3)
    leg.field.add(name='count', number=6, type=3, label=1)
    pool = descriptor_pool.DescriptorPool()
    stamp = descriptor_pb2.FileDescriptorProto()
    timestamp_pb2.DESCRIPTOR.CopyToProto(stamp)
    pool.Add(stamp)
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName('vendor.Leg'))


def frame_of(file):
    return read_tables([file], TextSettings()).frame


def test_fields_of_protobuf_are_columns(tmp_path):
    """At its timestamp, or when it was received; a zero is a number, what is not set is none."""
    make, file = leg_class(), tmp_path / 'leg.mcap'
    with file.open('wb') as stream:
        writer = ProtobufWriter(stream)
        for k in range(3):
            message = make(joint={'angle': 0.5 * k}, force=[1.5, k, 9], name=['hip', 'knee'],
                           position=[k, -k], count=k)
            if k:
                message.timestamp.seconds, message.timestamp.nanos = 5, k * 10 * MS
                message.joint.rate = 7.0
            writer.write_message('/leg', message, log_time=4000 * MS + k)
        writer.finish()
    frame = frame_of(file)
    assert frame['stamp_ns'].tolist() == [4000 * MS, 5010 * MS, 5020 * MS]
    assert frame['/leg.joint.angle'].tolist() == [0.0, 0.5, 1.0]
    np.testing.assert_array_equal(frame['/leg.joint.rate'], [np.nan, 7.0, 7.0])
    assert frame['/leg.force[1]'].tolist() == [0.0, 1.0, 2.0]
    assert frame['/leg.position[knee]'].tolist() == [0.0, -1.0, -2.0]
    assert frame['/leg.count'].tolist() == [0.0, 1.0, 2.0]
    assert not any('timestamp' in name for name in frame)


numbers = st.floats(-1e9, 1e9, allow_nan=False).map(lambda number: number + 0.0) | st.booleans()
objects = st.recursive(
    st.dictionaries(st.text('abc', min_size=1), numbers, min_size=1),
    lambda inner: st.dictionaries(st.text('abc', min_size=1), inner | numbers, min_size=1),
    max_leaves=8)


@settings(deadline=None)
@given(st.lists(objects, min_size=1, max_size=4))
def test_fields_of_json_are_columns(tmp_path_factory, messages):
    """As pandas flattens them."""
    file = json_file(tmp_path_factory.mktemp('json') / 'x.mcap', [
        ('x', MS * (k + 1), one) for k, one in enumerate(messages)])
    found = frame_of(file).set_index('stamp_ns')
    expected = pd.json_normalize(messages).astype(float).add_prefix('x.')
    assert found.index.tolist() == [MS * (k + 1) for k in range(len(messages))]
    assert sorted(found) == sorted(expected)
    np.testing.assert_array_equal(found[list(expected)], expected)


def test_stamps_names_and_arrays_of_json(tmp_path):
    """A log is read by them, as it is from bags of ROS."""
    file = json_file(tmp_path / 'x.mcap', [
        ('/leg', 9000 * MS + k, {'header': {'stamp': {'sec': 5, 'nsec': 10 * k * MS}}, 'note': 'x',
                                 'name': ['elbow', 'hip'], 'position': [0.5 * k, 1.0],
                                 'force': [1, 2.5, 3], 'image': [0] * 1000, 'none': None})
        for k in range(3)])
    (tmp_path / 'columns.yaml').write_text(
        'mechanism: four_bar\ntime: {column: stamp_ns}\n'
        "sensors: {crank_encoder: '/leg.position[elbow]', coupler_gyro: '/leg.force[1]'}\n")
    log = read_log(file, read_columns(tmp_path / 'columns.yaml'))
    assert log.stamps.tolist() == [5000 * MS, 5010 * MS, 5020 * MS]
    np.testing.assert_array_equal(log.values, [[0.0, 2.5], [0.5, 2.5], [1.0, 2.5]])
    assert not any('image' in name or 'none' in name for name in log.table.frame)


def test_messages_of_ros_of_both_kinds_are_read_beside_others(tmp_path):
    """By the definitions in the file."""
    file = tmp_path / 'mixed.mcap'
    with file.open('wb') as stream:
        writer = McapWriter(stream)
        writer.start()
        for k, (store, encoding, language, kind) in enumerate((
                (Stores.ROS1_NOETIC, 'ros1', 'ros1msg', 'vendor_msgs/Leg'),
                (Stores.ROS2_JAZZY, 'cdr', 'ros2msg', 'vendor_msgs/msg/Leg'))):
            types = get_typestore(store)
            types.register(get_types_from_msg(LEG, 'vendor_msgs/msg/Leg'))
            leg = types.types['vendor_msgs/msg/Leg'](0.25 * (k + 1), np.array(
                [1.0, 2.0], np.float32), 'x')
            channel = writer.register_channel(
                f'/{encoding}', encoding, writer.register_schema(kind, language, LEG.encode()))
            data = (types.serialize_ros1 if encoding == 'ros1' else types.serialize_cdr)(
                leg, 'vendor_msgs/msg/Leg')
            writer.add_message(channel, MS, bytes(data), MS)
        writer.finish()
    frame = frame_of(file)
    assert frame.loc[0, ['/ros1.angle', '/cdr.angle', '/ros1.force[1]']].tolist() == [
        0.25, 0.5, 2.0]


def test_the_definition_in_the_file_counts_whatever_is_installed(tmp_path):
    """As of another version of a package; and of two versions each on its own topic."""
    file, kind = tmp_path / 'old.mcap', 'sensor_msgs/msg/Temperature'
    definitions = {'/a': 'float64 celsius\n', '/b': 'float32 kelvin\n'}
    with file.open('wb') as stream:
        writer = McapWriter(stream)
        writer.start()
        for topic, definition in definitions.items():
            types = get_typestore(Stores.EMPTY)
            types.register(get_types_from_msg(definition, kind))
            channel = writer.register_channel(
                topic, 'cdr', writer.register_schema(kind, 'ros2msg', definition.encode()))
            data = bytes(types.serialize_cdr(types.types[kind](2.5), kind))
            writer.add_message(channel, MS, data, MS)
        writer.finish()
    assert frame_of(file).iloc[0].to_dict() == {'stamp_ns': MS, '/a.celsius': 2.5, '/b.kelvin': 2.5}


@pytest.mark.parametrize(('messages', 'words'), [
    ([b'no json'], 'left out: 1 messages of x .Leg.: '),
    ([b'{"a": 1, "a": 2}'], 'a key is there twice'),
    ([b'{"a.b": 1, "a": {"b": 2}}'], 'two fields of one path')])
def test_what_cannot_be_read_is_refused_in_words(tmp_path, messages, words):
    file = json_file(tmp_path / 'x.mcap', [('x', k + 1, one) for k, one in enumerate(messages)])
    with pytest.raises(LogError, match=words) as error:
        frame_of(file)
    assert '\n' not in str(error.value)


def test_messages_that_cannot_be_read_are_counted(tmp_path):
    file = json_file(tmp_path / 'x.mcap', [('x', 1, b'{'), ('x', 2, {'a': 1.0}), ('x', 3, b'[')])
    table = read_tables([file], TextSettings())
    assert table.frame['x.a'].tolist() == [1.0]
    assert table.remarks[0].startswith('left out: 2 messages of x (Leg): ')


@settings(deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_in_a_line(tmp_path_factory, data):
    file = json_file(tmp_path_factory.mktemp('damaged') / 'x.mcap', [
        ('x', k + 1, {'a': 0.5 * k}) for k in range(5)])
    content = bytearray(file.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), max_size=4)):
        content[place] ^= data.draw(st.integers(1, 255))
    file.write_bytes(content[:data.draw(st.integers(0, 2 * len(content)))])
    refusal = ''
    try:
        frame_of(file)
    except LogError as error:
        refusal = str(error)
    assert '\n' not in refusal


@pytest.mark.parametrize(('without', 'words'), [
    ('mcap', 'pip install mcap'), ('mcap_protobuf', 'pip install mcap-protobuf-support')])
def test_what_is_to_be_installed_is_named(tmp_path, monkeypatch, without, words):
    file = tmp_path / 'leg.mcap'
    with file.open('wb') as stream:
        writer = ProtobufWriter(stream)
        writer.write_message('/leg', leg_class()(count=1), log_time=1)
        writer.finish()
    for name in [one for one in sys.modules if one.partition('.')[0] == without]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, without, None)
    with pytest.raises(LogError, match=words) as error:
        frame_of(file)
    assert '\n' not in str(error.value)
