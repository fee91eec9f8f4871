"""Bytes of many messages made at once, against each message encoded by itself; files of both."""

import numpy as np
import pytest
from rosbags.rosbag2 import StoragePlugin, Writer
from sensor_entries import KEYS, KEYS_IN_SPACE
from test_topics import sensor_in_space, sensor_of

from mb_model.bags import new_bag
from mb_model.bags.alike import AlikeMessages
from mb_model.bags.encoding import Encoder
from mb_model.bags.messages import message_types
from mb_model.bags.writer import reliable
from mb_sensors.nodes.kept_message import KeptMessage
from mb_sensors.topics import SensorTopic

TYPES = message_types()
STAMPS = np.array([5, 10 ** 9 - 1, 10 ** 9, 7 * 10 ** 9 + 3, 2 ** 31 * 10 ** 9 - 1])
SINGLE = 'sensor_msgs/msg/Range'        # whose number has four bytes


def one_by_one(topic):
    """Return encode(stamp, numbers) of a topic of one sensor."""
    kept, encoder, (sensor,) = KeptMessage(topic, 'robot'), Encoder(TYPES), topic.sensors
    return kept, lambda stamp, numbers: encoder.encoded(
        kept.filled(stamp, [(sensor, list(numbers))]), topic.message_type)


@pytest.mark.parametrize(('make', 'kind'), [
    *((sensor_of, kind) for kind in KEYS), *((sensor_in_space, kind) for kind in KEYS_IN_SPACE)])
def test_messages_of_every_kind_of_sensor_are_as_one_by_one(make, kind):
    topic = SensorTopic([make(kind)])
    kept, encode = one_by_one(topic)
    count = len(topic.sensors[0].channels)
    numbers = np.random.default_rng(2).normal(scale=3.0, size=(len(STAMPS), count))
    numbers[1] = 0.0
    calls = []

    def counted(stamp, row):
        calls.append(stamp)
        return encode(stamp, row)

    alike = AlikeMessages(counted, count, kept.is_plain)
    calls.clear()
    assert alike.of(STAMPS, numbers) == [
        encode(*one) for one in zip(STAMPS.tolist(), numbers.tolist(), strict=True)]
    many = kept.is_plain and topic.message_type != SINGLE
    assert len(calls) == (2 if many else len(STAMPS))
    assert alike.of(STAMPS[:0], numbers[:0]) == []


@pytest.mark.parametrize('encode', [
    lambda stamp, numbers: b'\0\1\0\0' + np.array([stamp, abs(numbers[0])]).tobytes(),
    lambda stamp, numbers: b'\0\1\0\0' + np.array([stamp, numbers[0], numbers[0]]).tobytes(),
    lambda stamp, numbers: b'\0\1\0\0' + np.float64(numbers[0] + stamp).tobytes()])
def test_what_stands_nowhere_as_it_is_is_encoded_one_by_one(encode):
    numbers = np.array([[-1.0], [2.0], [-3.0]])
    assert AlikeMessages(encode, 1).of(STAMPS[:3], numbers) == [
        encode(*one) for one in zip(STAMPS[:3].tolist(), numbers.tolist(), strict=True)]


def test_a_file_has_the_bytes_of_one_by_rosbags(tmp_path):
    """With several chunks, and stamps that go back."""
    kind = 'std_msgs/msg/String'
    texts = [TYPES.types[kind]('x' * (k % 997)) for k in range(3000)]
    stamps = np.random.default_rng(1).integers(1, 10 ** 18, len(texts)).tolist()
    with new_bag(tmp_path / 'ours/bag') as bag:
        bag.add_topic('/a', kind)
        for stamp, text in zip(stamps, texts, strict=True):
            bag.write('/a', stamp, text)
    (tmp_path / 'theirs').mkdir()
    with Writer(tmp_path / 'theirs/bag', version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        connection = writer.add_connection(
            '/a', kind, typestore=TYPES, offered_qos_profiles=[reliable(1000)])
        for stamp, text in zip(stamps, texts, strict=True):
            writer.write(connection, stamp, TYPES.serialize_cdr(text, kind))
    ours, theirs = ((tmp_path / one / 'bag/bag.mcap').read_bytes() for one in ('ours', 'theirs'))
    assert len(ours) > 2 ** 20
    assert ours == theirs
