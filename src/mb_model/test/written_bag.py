"""Bags that tests write message by message."""

import rosbag2_py


def bag_writer(folder, types, storage='mcap'):
    """Return the writer of a new bag with topics of message types, {topic: type}; close it."""
    writer = rosbag2_py.SequentialWriter()
    writer.open(rosbag2_py.StorageOptions(uri=str(folder), storage_id=storage),
                rosbag2_py.ConverterOptions('cdr', 'cdr'))
    for number, (topic, kind) in enumerate(types.items()):
        writer.create_topic(rosbag2_py.TopicMetadata(
            id=number, name=topic, type=kind, serialization_format='cdr'))
    return writer
