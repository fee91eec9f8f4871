"""Print information about a bag to the screen."""
from datetime import datetime
import os
from pathlib import Path, PurePath
import sys

from rosbag2_py import CompressionMode, Info, SequentialReader
from rosbag2_py.metadata import BagError

from ros2cli.verbs.bag.arguments import add_bag_arguments, bag_error

LABEL_WIDTH = 18
SERVICE_EVENTS = '/_service_event'
EVENT_TYPE = '_Event'
NEVER = 2 ** 63 - 1         # the start of a bag that has no message
SIZE_UNITS = ('B', 'KiB', 'MiB', 'GiB', 'TiB')


def add_arguments(parser):
    add_bag_arguments(parser)
    parser.add_argument('-t', '--topic-name', action='store_true', help='Only display topic names.')


def main(args):
    metadata = Info().read_metadata(args.bag_path, args.storage or '')
    if args.topic_name:
        for topic in metadata.topics_with_message_count:
            print(topic.topic_metadata.name)
        return None
    print()
    for label, value in lines(metadata):
        print(f'{label:<{LABEL_WIDTH}} {value}')
    return compared(args.bag_path, metadata)


def compared(path, metadata):
    """What differs between metadata and files, in words; None if nothing does.

    Files that are not there, or compressed as a whole, are not looked into.
    """
    if not os.path.isdir(path):
        return None                 # its metadata come from the file
    missing = [name for name in metadata.relative_file_paths
               if not (Path(path) / PurePath(name).name).is_file()]
    if missing:
        sys.stderr.write(f'[WARN] [ros2bag]: {path}: {", ".join(missing)}: no such file; counts '
                         'come from metadata.yaml\n')
        return None
    if metadata.compression_mode.lower() == CompressionMode.FILE.name.lower():
        return None
    try:
        reader = SequentialReader()
        reader.open_uri(path)
        reader.close()
    except BagError as error:
        return bag_error(error)
    return None


def lines(metadata):
    """(label, text) of each line about a bag."""
    start, end = metadata.starting_time_ns, metadata.starting_time_ns + metadata.duration_ns
    known = metadata.topics_with_message_count
    services = [one for one in known if is_service(one.topic_metadata)]
    topics = [one for one in known if one not in services]
    yield from listed('Files:', metadata.relative_file_paths)
    yield 'Bag size:', readable_size(metadata.bag_size)
    yield 'Storage id:', metadata.storage_identifier
    yield 'ROS Distro:', metadata.ros_distro
    yield 'Duration:', f'{seconds(metadata.duration_ns)}s'
    times = readable_time(start), readable_time(end)
    if not any(one.message_count for one in known):
        times = 'no messages', 'no messages'
    elif start == NEVER:
        times = 'unknown', 'unknown'
    yield from zip(('Start:', 'End:'), times, strict=True)
    yield 'Messages:', sum(one.message_count for one in topics)
    yield from listed('Topic information:', [
        f'Topic: {one.topic_metadata.name} | Type: {one.topic_metadata.type} | '
        f'Count: {one.message_count} | '
        f'Serialization Format: {one.topic_metadata.serialization_format}' for one in topics])
    yield 'Services:', len(services)
    yield from listed('Service information:', [
        f'Service: {one.topic_metadata.name.removesuffix(SERVICE_EVENTS)} | '
        f'Type: {one.topic_metadata.type.removesuffix(EVENT_TYPE)} | '
        f'Event Count: {one.message_count} | '
        f'Serialization Format: {one.topic_metadata.serialization_format}' for one in services])


def listed(label, texts):
    """(label, text) of texts below one another; a label alone without any."""
    for number, one in enumerate(texts or ['']):
        yield '' if number else label, one


def is_service(topic):
    """Whether the messages of a topic are events of a service."""
    return topic.name.endswith(SERVICE_EVENTS) and topic.type.endswith(EVENT_TYPE)


def seconds(nanoseconds):
    """Seconds with all nine digits."""
    return f'{nanoseconds // 10 ** 9}.{nanoseconds % 10 ** 9:09d}'


def readable_time(nanoseconds):
    """Local date and time, and seconds since the epoch."""
    date = datetime.fromtimestamp(nanoseconds // 10 ** 9).strftime('%b %e %Y %H:%M:%S')
    return f'{date}.{nanoseconds % 10 ** 9:09d} ({seconds(nanoseconds)})'


def readable_size(size):
    """A number of bytes in the unit that fits."""
    power = 0
    while size >= 1024 and power < len(SIZE_UNITS) - 1:
        size, power = size / 1024, power + 1
    return f'{size:.1f} {SIZE_UNITS[power]}' if power else f'{size} B'
