"""Bags of messages that tests write, and what is in a bag."""

from rclpy.serialization import deserialize_message, serialize_message
import rosbag2_py

from mb_ros.stamps import nanoseconds
from mb_ros.states import type_name


def opened(end, folder, storage='mcap'):
    """Return a reader or writer of rosbag2 with a bag of a folder open."""
    end.open(rosbag2_py.StorageOptions(uri=str(folder), storage_id=storage),
             rosbag2_py.ConverterOptions('cdr', 'cdr'))
    return end


def write_messages(folder, messages, storage='mcap'):
    """Write (topic, message) each by the stamp in its header, or (topic, message, stamp [ns]).

    Return the folder.
    """
    writer, known = opened(rosbag2_py.SequentialWriter(), folder, storage), set()
    for topic, message, *stamp in messages:
        if topic not in known:
            writer.create_topic(rosbag2_py.TopicMetadata(
                id=len(known), name=topic, type=type_name(type(message)),
                serialization_format='cdr'))
            known.add(topic)
        writer.write(topic, serialize_message(message),
                     *(stamp or [nanoseconds(message.header.stamp)]))
    writer.close()
    return folder


def read_messages(folder, kinds):
    """Return [(topic, message)] of a bag with topics of these kinds, {topic: class}."""
    reader, messages = opened(rosbag2_py.SequentialReader(), folder), []
    while reader.has_next():
        topic, data, _ = reader.read_next()
        messages.append((topic, deserialize_message(data, kinds[topic])))
    return messages
